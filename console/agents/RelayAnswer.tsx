import { useState } from "react";
import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage, ToolCall } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { AnswerText } from "../markdown/AnswerText.tsx";

/** The model's answer: what it thought, what it said, and the tools that it calls, as these stream. */
export function RelayAnswer({
  answer,
  onResult,
}: {
  answer: AssistantMessage;
  onResult: (callId: string, result: string) => void;
}) {
  return (
    <>
      {answer.reasoning && (
        <details className="fold card">
          <summary className="muted small">Reasoning</summary>
          <p className="reasoning muted small">{answer.reasoning}</p>
        </details>
      )}
      {answer.text && <AnswerText text={answer.text} />}
      {answer.toolCalls.map((call) => (
        <ToolCallCard
          key={call.id}
          call={call}
          open
          outcome={call.result === undefined ? "waits for its result" : "answered"}
        >
          <ToolResult call={call} ready={answer.state === "done"} onResult={(result) => onResult(call.id, result)} />
        </ToolCallCard>
      ))}
    </>
  );
}

/** What a tool gave back, or the place to write it. */
function ToolResult({ call, ready, onResult }: { call: ToolCall; ready: boolean; onResult: (result: string) => void }) {
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
