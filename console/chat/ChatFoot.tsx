import type { RefObject } from "react";
import { imageTypes, toDataUrl } from "../conversations/attached-images.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { ChatMessage } from "../conversations/messages.ts";
import { Button, IconButton } from "../design/Button.tsx";
import { Notice } from "../design/Notice.tsx";
import { useStore } from "../store.ts";
import { isSettled } from "../uploads/stages.ts";
import { UploadRow } from "../uploads/UploadRow.tsx";
import { Composer } from "./Composer.tsx";
import type { ChatSession } from "./chat-session.ts";
import { cutTexts } from "./Message.tsx";
import { describeSize } from "./message-size.ts";
import type { Prepare } from "./protocol.ts";
import { useDraftSize } from "./use-draft-size.tsx";

/** What becomes of files that are chosen, dropped or pasted. */
export interface Attach {
  accepts: "files" | "images" | "nothing";
  onFiles: (files: File[]) => void;
  /** Why the last files were refused. */
  problem: string | undefined;
  /** Hides the problem. */
  clear: () => void;
}

interface OfSession {
  session: ChatSession;
  input: RefObject<HTMLTextAreaElement | null>;
  prepare: Prepare;
}

/** Everything below the messages: notices, waiting messages, attached files and the composer. */
export function ChatFoot({
  store,
  placeholder,
  onSend,
  attach,
  ...chat
}: OfSession & {
  store: ConversationStore;
  placeholder: string;
  onSend: (text: string) => void;
  attach: Attach;
}) {
  const { session, input } = chat;
  const { messages, running, draft } = useStore(session);
  const size = useDraftSize(draft, (text) => describeSize(text, messages, chat.prepare));
  const changeDraft = (text: string) => {
    size.clear();
    session.setDraft(text);
  };
  return (
    <>
      <AnswerStatus last={messages.at(-1)} />
      <ChatNotices session={session} store={store} />
      <WaitingList {...chat} />
      <Attachments session={session} />
      <Images session={session} />
      <div className="chat-notices" role="status">
        {attach.problem && <Notice>{attach.problem}</Notice>}
      </div>
      {size.notices}
      <Composer
        placeholder={placeholder}
        running={running}
        draft={draft}
        input={input}
        canSend={!size.isTooLong && session.canSend(draft)}
        onDraft={changeDraft}
        onPaste={size.onPaste}
        onSend={() => {
          onSend(draft);
          changeDraft("");
        }}
        onStop={() => session.stop()}
        {...(attach.accepts !== "nothing" && { onAttach: attach.onFiles })}
        {...(attach.accepts === "images" && { accept: imageTypes.join() })}
      />
    </>
  );
}

const statusTexts = { streaming: "Answering", done: "The answer is complete", stopped: "Stopped", failed: "" };

/** Announces the state of the answer to screen readers, so that they don't have to read a growing text. */
function AnswerStatus({ last }: { last: ChatMessage | undefined }) {
  const isCut = last?.role === "assistant" && last.state === "done" && last.cutReason;
  return (
    <p role="status" className="visually-hidden">
      {isCut ? cutTexts[isCut] : last?.role === "assistant" && statusTexts[last.state]}
    </p>
  );
}

/** Notices about messages that an edit has removed, and about a conversation that isn't saved. */
function ChatNotices({ session, store }: { session: ChatSession; store: ConversationStore }) {
  const { removedCount, isDeleted } = useStore(session);
  const problem = useStore(store).problems.get(session.id);
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
            <Button small onClick={() => session.restoreDeleted()}>
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

/** Messages waiting for the end of the current answer. */
function WaitingList({ session, input, prepare }: OfSession) {
  const { waiting } = useStore(session);
  if (waiting.length === 0) return null;
  const edit = (id: string) => {
    session.editWaiting(id);
    input.current?.focus();
  };
  const remove = (id: string) => {
    session.removeWaiting(id);
    input.current?.focus();
  };
  return (
    <ul className="stack waiting-list" aria-label="Waiting">
      {waiting.map(({ id, text, isHeld }) => (
        <li key={id} className="row nowrap waiting-message">
          <span className={isHeld ? "badge badge-warning" : "badge"}>{isHeld ? "Not sent" : "Waiting"}</span>
          <span className="truncate" title={text}>
            {text}
          </span>
          <span className="row push">
            {isHeld && (
              <Button small onClick={() => session.sendWaiting(id, prepare)}>
                Send now
              </Button>
            )}
            <IconButton icon="edit" label="Edit this message" onClick={() => edit(id)} />
            <IconButton icon="close" label="Remove this message" onClick={() => remove(id)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Images of the next question. */
function Images({ session }: { session: ChatSession }) {
  const { images } = useStore(session);
  if (images.length === 0) return null;
  return (
    <ul className="row attached-images" aria-label="Attached images">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same image may be attached twice
        <li key={index} className="row nowrap">
          <img src={toDataUrl(image)} alt={image.name} title={image.name} />
          <IconButton
            icon="close"
            label={`Remove ${image.name}`}
            onClick={() => session.setImages(images.filter((other) => other !== image))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Files of the next question, while they are stored in the conversation's namespace. */
function Attachments({ session: { uploads: queue } }: { session: ChatSession }) {
  const uploads = useStore(queue);
  const [first] = uploads;
  if (!first) return null;
  return (
    <section className="attachments card" aria-label="Attached files">
      <div className="row nowrap small">
        <span className="muted truncate">Stored in “{first.namespace}”</span>
        <IconButton
          className="push"
          icon="close"
          label="Hide what is done"
          disabled={!uploads.some(({ stage }) => isSettled(stage))}
          onClick={() => queue.clear()}
        />
      </div>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  );
}
