import type { ReactNode } from "react";
import { memo, useState } from "react";
import { StatusLink } from "../connections/StatusLink.tsx";
import { toDataUrl } from "../conversations/attached-images.ts";
import type { AssistantMessage, ChatMessage, UserMessage } from "../conversations/messages.ts";
import { Button, IconButton } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice, Skeleton } from "../design/Notice.tsx";
import type { MessageSize } from "./message-size.ts";
import { sendsMessage } from "./sends-message.ts";
import { useDraftSize } from "./use-draft-size.tsx";

/** Messages that explain why an answer is incomplete. */
export const cutTexts = { length: "Cut off at the length limit", content_filter: "Cut off by a content filter" };

interface Props<Kind> {
  message: Kind;
  renderAnswer: (answer: AssistantMessage) => ReactNode;
  /** Asks the question of the last answer again. */
  onRetry?: () => void;
  /** Requests the rest of an answer that was cut off. */
  onContinue?: () => void;
  /** Replaces a question. Undefined while an answer is streaming. */
  onEdit?: (id: string, text: string) => void;
  /** Describes the size of a question with this text instead. */
  describeEdit: (id: string, text: string) => MessageSize | undefined;
}

export const Message = memo(function Message({ message, ...rest }: Props<ChatMessage>) {
  return message.role === "user" ? <Question message={message} {...rest} /> : <Answer message={message} {...rest} />;
});

function Answer({ message, renderAnswer, onRetry, onContinue }: Props<AssistantMessage>) {
  const { state, text, error, namespace, cutReason } = message;
  const isEmpty = text === "" && message.toolCalls.length === 0;
  return (
    <li className="message message-assistant stack" aria-busy={state === "streaming"}>
      <span className="visually-hidden">Answer: </span>
      {renderAnswer(message)}
      {isEmpty && state === "streaming" && <Skeleton />}
      {isEmpty && state === "done" && <p className="muted">The model gave an empty answer.</p>}
      {state === "failed" && (
        <Notice
          danger
          action={
            <>
              {onRetry && (
                <Button small icon="retry" onClick={onRetry}>
                  Retry
                </Button>
              )}
              <StatusLink />
            </>
          }
        >
          {error}
        </Notice>
      )}
      {state !== "failed" && state !== "streaming" && (
        <div className="row message-foot">
          {state === "stopped" && <span className="badge">Stopped</span>}
          {cutReason && <span className="badge badge-warning">{cutTexts[cutReason]}</span>}
          {cutReason === "length" && onContinue && (
            <Button small onClick={onContinue}>
              Continue
            </Button>
          )}
          {text !== "" && <CopyButton iconOnly label="Copy the answer" text={() => text} />}
          {onRetry && <IconButton icon="retry" label="Retry" title="Ask again" onClick={onRetry} />}
          {namespace !== undefined && <span className="muted small truncate">From “{namespace}”</span>}
        </div>
      )}
    </li>
  );
}

function Question({ message: { id, text, attachments, images }, onEdit, describeEdit }: Props<UserMessage>) {
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited && onEdit) {
    return (
      <li className="message">
        <QuestionEditor
          text={text}
          describe={(edited) => describeEdit(id, edited)}
          onAsk={(edited) => onEdit(id, edited)}
          onClose={() => setIsEdited(false)}
        />
      </li>
    );
  }
  return (
    <li className="message message-question">
      {onEdit && <IconButton icon="edit" label="Edit the question" onClick={() => setIsEdited(true)} />}
      <div className="message-user">
        <span className="visually-hidden">You: </span>
        <div dir="auto">{text}</div>
        {images?.map((image, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the images of a question never change their order
          <img key={index} src={toDataUrl(image)} alt={image.name} title={image.name} />
        ))}
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

/** Browsers put the caret before the text of a new field. */
const putCaretAtEnd = (field: HTMLTextAreaElement | null) =>
  field?.setSelectionRange(field.value.length, field.value.length);

function QuestionEditor({
  text,
  describe,
  onAsk,
  onClose,
}: {
  text: string;
  describe: (text: string) => MessageSize | undefined;
  onAsk: (text: string) => void;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(text);
  const size = useDraftSize(draft, describe);
  const canAsk = draft.trim() !== "" && !size.isTooLong;
  const ask = () => {
    if (!canAsk) return;
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
        ref={putCaretAtEnd}
        // biome-ignore lint/a11y/noAutofocus: the user opened the editor to write in it
        autoFocus
        value={draft}
        onChange={(event) => {
          size.clear();
          setDraft(event.target.value);
        }}
        onPaste={size.onPaste}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (!sendsMessage(event)) return;
          event.preventDefault();
          ask();
        }}
      />
      {size.notices}
      <div className="row">
        <span className="muted small">Later messages are removed. This can be undone.</span>
        <Button className="push" small onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" small look="primary" disabled={!canAsk}>
          Ask again
        </Button>
      </div>
    </form>
  );
}
