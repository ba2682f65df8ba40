import { useState } from "react";
import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage, ToolCall } from "../conversations/messages.ts";
import { Button } from "../design/Button.tsx";
import { Code } from "../design/Layout.tsx";
import { AnswerText } from "../markdown/AnswerText.tsx";

/** The model's answer: its reasoning, its text, and its tool calls with their results. */
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
          {call.result !== undefined && (
            <>
              <p className="field-label">Result</p>
              <Code>{String(call.result)}</Code>
            </>
          )}
          {call.result === undefined && answer.state === "done" && (
            <ToolResultForm call={call} onResult={(result) => onResult(call.id, result)} />
          )}
        </ToolCallCard>
      ))}
    </>
  );
}

function ToolResultForm({ call, onResult }: { call: ToolCall; onResult: (result: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      className="row nowrap"
      onSubmit={(event) => {
        event.preventDefault();
        onResult(text);
      }}
    >
      <input
        className="input"
        aria-label={`Result of ${call.name}`}
        placeholder="The tool’s result"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={text.trim() === ""}>
        Give result
      </Button>
    </form>
  );
}
