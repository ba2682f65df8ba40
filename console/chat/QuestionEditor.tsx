import { useState } from "react";
import { Button } from "../design/Button.tsx";

/** A question that is written anew, in its place. */
export function QuestionEditor({
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
