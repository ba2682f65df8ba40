import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { ChatMessage } from "../conversations/messages.ts";
import { useConversations } from "../conversations/use-conversations.ts";
import { Button } from "../design/Button.tsx";
import { Notice } from "../design/Notice.tsx";
import { isSettled } from "../uploads/stages.ts";
import { UploadRow } from "../uploads/UploadRow.tsx";
import type { Upload } from "../uploads/upload-queue.ts";
import type { ChatSession } from "./chat-session.ts";
import { useChat } from "./use-chat.ts";
import type { WaitingMessage } from "./waiting-messages.ts";

const words = { streaming: "Answering", done: "The answer is complete", stopped: "Stopped", failed: "" };

/** Tells those who do not see the page how the answer is coming on, without reading each word of it aloud twice. */
export function AnswerStatus({ messages }: { messages: readonly ChatMessage[] }) {
  const last = messages.at(-1);
  return (
    <p role="status" className="visually-hidden">
      {last?.role === "assistant" ? words[last.state] : ""}
    </p>
  );
}

/** What the user should know about a conversation: what an edit has removed, and whether it is kept. */
export function ChatNotices({ session, store }: { session: ChatSession; store: ConversationStore }) {
  const { removedCount, isDeleted } = useChat(session);
  const problem = useConversations(store).problems.get(session.id);
  return (
    <div className="chat-notices" role="status">
      {removedCount > 0 && (
        <p className="row removed-messages small">
          {removedCount === 1 ? "1 message was" : `${removedCount} messages were`} replaced.
          <Button small onClick={() => session.undoRemoval()}>
            Undo
          </Button>
        </p>
      )}
      {problem && <Notice>{problem}</Notice>}
      {isDeleted && (
        <Notice
          action={
            <Button small onClick={() => session.keep()}>
              Keep it
            </Button>
          }
        >
          This chat was deleted in another tab. It stays here until you leave the page.
        </Notice>
      )}
    </div>
  );
}

/** The messages that wait for the end of the answer, above the place where they were written. */
export function WaitingList({
  messages,
  onSend,
  onEdit,
  onRemove,
}: {
  messages: readonly WaitingMessage[];
  onSend: (id: string) => void;
  onEdit: (id: string) => void;
  onRemove: (id: string) => void;
}) {
  if (messages.length === 0) return null;
  return (
    <ul className="waiting-list" aria-label="Waiting">
      {messages.map(({ id, text, isHeld }) => (
        <li key={id} className="waiting-message">
          <span className={isHeld ? "badge badge-warning" : "badge"}>{isHeld ? "Not sent" : "Waiting"}</span>
          <span className="truncate" title={text}>
            {text}
          </span>
          <span className="row push">
            {isHeld && (
              <Button small onClick={() => onSend(id)}>
                Send now
              </Button>
            )}
            <Button look="quiet" small icon="edit" iconOnly title="Edit this message" onClick={() => onEdit(id)}>
              Edit this message
            </Button>
            <Button look="quiet" small icon="close" iconOnly title="Remove this message" onClick={() => onRemove(id)}>
              Remove this message
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The files that the next question is about, on their way into the conversation's namespace. */
export function Attachments({
  uploads,
  onRetry,
  onCancel,
  onClear,
}: {
  uploads: readonly Upload[];
  onRetry: (id: string) => void;
  onCancel: (id: string) => void;
  onClear: () => void;
}) {
  const [first] = uploads;
  if (!first) return null;
  return (
    <section className="attachments card" aria-label="Attached files">
      <div className="row small">
        <span className="muted">Stored in “{first.namespace}”</span>
        <Button
          className="push"
          look="quiet"
          small
          icon="close"
          iconOnly
          title="Hide what is done"
          disabled={!uploads.some(({ stage }) => isSettled(stage))}
          onClick={onClear}
        >
          Hide what is done
        </Button>
      </div>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onRetry={onRetry} onCancel={onCancel} />
        ))}
      </ul>
    </section>
  );
}
