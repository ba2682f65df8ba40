import type { ReactNode } from "react";
import { memo } from "react";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { Notice } from "../design/Notice.tsx";
import { Skeleton } from "../design/Skeleton.tsx";
import { hrefOf } from "../routes/views.ts";
import { Question } from "./Question.tsx";

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
