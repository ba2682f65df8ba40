import { Button } from "../design/Button.tsx";
import type { WaitingMessage } from "./waiting-messages.ts";

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
