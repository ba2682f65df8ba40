import type { FormEvent, KeyboardEvent } from "react";
import { useState } from "react";
import { Button } from "../design/Button.tsx";

/** Where a message is written. Enter sends it, Shift and Enter begin a new line. */
export function Composer({
  placeholder,
  running,
  onSend,
  onStop,
}: {
  placeholder: string;
  running: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}) {
  const [text, setText] = useState("");
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (running || text.trim() === "") return;
    onSend(text);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the choice of a character is not meant for the page.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className="composer" onSubmit={send}>
      <textarea
        aria-label="Message"
        rows={1}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button icon="stop" onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button type="submit" look="primary" icon="send" disabled={text.trim() === ""}>
          Send
        </Button>
      )}
    </form>
  );
}
