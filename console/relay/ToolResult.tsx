import { useState } from "react";
import type { ToolCall } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";

/** What a tool gave back, or the place to write it. */
export function ToolResult({
  call,
  ready,
  onResult,
}: {
  call: ToolCall;
  ready: boolean;
  onResult: (result: string) => void;
}) {
  const [text, setText] = useState("");
  if (call.result !== undefined) {
    return (
      <>
        <p className="field-label">Result</p>
        <pre className="code">{String(call.result)}</pre>
      </>
    );
  }
  if (!ready) return null;
  return (
    <form
      className="row tool-result"
      onSubmit={(event) => {
        event.preventDefault();
        onResult(text);
      }}
    >
      <input
        className="input"
        aria-label={`Result of ${call.name}`}
        placeholder="What the tool gives back"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === ""}>
        Give result
      </Button>
    </form>
  );
}
