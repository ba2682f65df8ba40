import type { ReactNode } from "react";
import { memo, useState } from "react";
import type { AssistantMessage, ChatMessage, UserMessage } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice, Skeleton } from "../design/Notice.tsx";
import { hrefOf } from "../routes.ts";

interface Props {
  message: ChatMessage;
  details: (answer: AssistantMessage) => ReactNode;
  retry?: () => void;
  /** Asks a question in other words; absent while it can't be. */
  onEdit?: (id: string, text: string) => void;
}

/** One turn of a conversation. */
export const Message = memo(function Message({ message, details, retry, onEdit }: Props) {
  if (message.role === "user") {
    return <Question message={message} {...(onEdit && { onEdit })} />;
  }
  const { state, text, error, namespace } = message;
  const retryButton = retry && (
    <Button small icon="retry" onClick={retry}>
      Retry
    </Button>
  );
  return (
    <li className="message message-assistant" aria-busy={state === "streaming"}>
      <span className="visually-hidden">Answer: </span>
      {details(message)}
      {state === "streaming" && text === "" && message.toolCalls.length === 0 && <Skeleton />}
      {state === "failed" && (
        <Notice
          danger
          action={
            <>
              {retryButton}
              <a className="button button-small" href={hrefOf("status")}>
                See Status
              </a>
            </>
          }
        >
          {error}
        </Notice>
      )}
      {state !== "failed" && state !== "streaming" && (
        <div className="row message-foot">
          {state === "stopped" && <span className="badge">Stopped</span>}
          {text !== "" && <CopyButton iconOnly label="Copy the answer" text={() => text} />}
          {retry && (
            <Button look="quiet" small icon="retry" iconOnly title="Ask again" onClick={retry}>
              Retry
            </Button>
          )}
          {namespace !== undefined && <span className="muted small truncate">From “{namespace}”</span>}
        </div>
      )}
    </li>
  );
});

/** What the user asked. It can be asked in other words. */
function Question({
  message: { id, text, attachments },
  onEdit,
}: {
  message: UserMessage;
  onEdit?: (id: string, text: string) => void;
}) {
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited && onEdit) {
    return (
      <li className="message">
        <QuestionEditor text={text} onAsk={(words) => onEdit(id, words)} onClose={() => setIsEdited(false)} />
      </li>
    );
  }
  return (
    <li className="message message-question">
      {onEdit && (
        <Button look="quiet" small icon="edit" iconOnly title="Edit the question" onClick={() => setIsEdited(true)}>
          Edit the question
        </Button>
      )}
      <div className="message-user">
        <span className="visually-hidden">You: </span>
        {text}
        {attachments && (
          <ul className="row attached" aria-label="Attached files">
            {attachments.map((name) => (
              <li key={name} className="badge">
                <Icon name="attach" />
                <span className="truncate">{name}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

/** A question that is written anew, in its place. */
function QuestionEditor({
  text,
  onAsk,
  onClose,
}: {
  text: string;
  onAsk: (text: string) => void;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(text);
  const ask = () => {
    if (draft.trim() === "") return;
    onAsk(draft);
    onClose();
  };
  return (
    <form
      className="stack question-editor"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <textarea
        className="input"
        aria-label="Question"
        // biome-ignore lint/a11y/noAutofocus: the editor was opened to write this
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          ask();
        }}
      />
      <div className="row">
        <span className="muted small">What came after it goes, and can be brought back.</span>
        <Button className="push" small onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" small look="primary" disabled={draft.trim() === ""}>
          Ask again
        </Button>
      </div>
    </form>
  );
}
