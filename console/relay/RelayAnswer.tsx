import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { AnswerText } from "../markdown/AnswerText.tsx";
import { ToolResult } from "./ToolResult.tsx";

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
