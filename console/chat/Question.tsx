import { useState } from "react";
import type { UserMessage } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { QuestionEditor } from "./QuestionEditor.tsx";

/** What the user asked. It can be asked in other words. */
export function Question({
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
