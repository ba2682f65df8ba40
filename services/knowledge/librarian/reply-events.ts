import type { ReplyEvent, ToolEvent } from "@agent-backends/contract";
import type { AnswerEvent } from "./answer.ts";

/** The ids that a reply's events carry. */
export interface ReplyIds {
  message_id: string;
  thread_id: string;
  run_id: string;
}

/**
 * An answer as the events of the wire: `text_start`, `text_delta`…, `text_end`, `done`; and with `withTools` the tool
 * calls where they happen and the citations before `text_end`. Failures are the caller's to tell.
 */
export async function* replyEvents(
  answer: AsyncIterable<AnswerEvent>,
  ids: ReplyIds,
  { withTools }: { withTools: boolean },
): AsyncGenerator<ReplyEvent | ToolEvent, void, undefined> {
  let started = false;
  for await (const event of answer) {
    if (event.type === "text") {
      if (event.text === "") continue;
      if (!started) yield { type: "text_start", ...ids };
      started = true;
      yield { type: "text_delta", content: event.text, ...ids };
    } else if (event.type === "citations") {
      if (!started) yield { type: "text_start", ...ids };
      started = true;
      if (withTools) yield { ...event, ...ids };
    } else if (withTools) {
      yield* toolEvents(event, ids);
    }
  }
  yield { type: "text_end", ...ids };
  yield { type: "done", thread_id: ids.thread_id, run_id: ids.run_id };
}

function* toolEvents(event: Exclude<AnswerEvent, { type: "text" | "citations" }>, ids: ReplyIds): Generator<ToolEvent> {
  const call = { tool_call_id: event.id, ...ids };
  if (event.type === "tool-result") {
    yield { type: "tool_result", tool_name: event.name, result: event.result, ...call };
    return;
  }
  yield { type: "tool_call_start", tool_name: event.name, ...call };
  yield { type: "tool_call_args", args: event.args, ...call };
  yield { type: "tool_call_end", ...call };
}
