import type { CutReason, ReplyEvent, ToolEvent } from "@agent-backends/contract";
import type { AnswerEvent } from "./answer.ts";

/** The ids that all events of a reply contain. */
export interface ReplyIds {
  message_id: string;
  thread_id: string;
  run_id: string;
}

/**
 * An answer as events of the wire format: `text_start`, `text_delta`…, `text_end`, `done`. With `shouldSendToolEvents`, also the tool calls as
 * they happen, and before `text_end` the citations, which tell why an answer was cut short. Errors are thrown, and the caller reports
 * them.
 */
export async function* replyEvents(
  answer: AsyncIterable<AnswerEvent>,
  ids: ReplyIds,
  { shouldSendToolEvents, getCutReason }: { shouldSendToolEvents: boolean; getCutReason(): CutReason | undefined },
): AsyncGenerator<ReplyEvent | ToolEvent, void, undefined> {
  let hasStarted = false;
  for await (const event of answer) {
    if (event.type === "text") {
      if (event.text === "") continue;
      if (!hasStarted) yield { type: "text_start", ...ids };
      hasStarted = true;
      yield { type: "text_delta", content: event.text, ...ids };
    } else if (event.type === "citations") {
      if (!hasStarted) yield { type: "text_start", ...ids };
      hasStarted = true;
      const finish_reason = getCutReason();
      if (shouldSendToolEvents) yield { ...event, ...(finish_reason && { finish_reason }), ...ids };
    } else if (shouldSendToolEvents) {
      yield* toToolEvents(event, ids);
    }
  }
  yield { type: "text_end", ...ids };
  yield { type: "done", thread_id: ids.thread_id, run_id: ids.run_id };
}

function* toToolEvents(
  event: Exclude<AnswerEvent, { type: "text" | "citations" }>,
  ids: ReplyIds,
): Generator<ToolEvent> {
  const call = { tool_call_id: event.id, ...ids };
  if (event.type === "tool-result") {
    yield { type: "tool_result", tool_name: event.name, result: event.result, ...call };
    return;
  }
  yield { type: "tool_call_start", tool_name: event.name, ...call };
  yield { type: "tool_call_args", args: event.args, ...call };
  yield { type: "tool_call_end", ...call };
}
