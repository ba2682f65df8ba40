import { createHash } from "node:crypto";
import type { ListingEvent, ListingPayload } from "@agent-backends/contract";
import type { ActionContext, Grounding, ToolCall } from "../actions/action.ts";
import type { ChooseCall, Speak } from "./choose-call.ts";
import type { RouteMessage } from "./plan.ts";
import { planAnswer } from "./plan.ts";
import { buildPrompt } from "./prompt.ts";
import type { Question } from "./question.ts";
import { splitIntoWords, WordChunks } from "./words.ts";

/** A part of an answer. Texts are words. */
export type ListingAnswerPart =
  | { type: "text"; text: string }
  | { type: "tool-call"; id: string; name: ToolCall["tool"]; args: object }
  | { type: "tool-result"; id: string; name: ToolCall["tool"]; result: ListingPayload };

/** What answers are made with. */
export interface AnswerDependencies {
  context: ActionContext;
  route: RouteMessage;
  /** Picks the call for a message that routing is unsure about. Without it the answer is advice. */
  chooseCall?: ChooseCall | undefined;
  /** The model's answer as it arrives. */
  speak: Speak;
}

/**
 * Answers a question about launches.
 *
 * @throws what the model throws, and the signal's reason once it is aborted
 */
export async function* answerQuestion(
  question: Question,
  { context, route, chooseCall, speak }: AnswerDependencies,
  signal: AbortSignal,
): AsyncGenerator<ListingAnswerPart, void, undefined> {
  const plan = planAnswer(question, route, context);
  let introduction = "";
  let grounding: Grounding | undefined;
  if ("refusal" in plan) introduction = plan.refusal;
  const call = "refusal" in plan ? undefined : plan.isUnsure ? await chooseCall?.(question, signal) : plan.call;
  if (call !== undefined) {
    const ids = { id: createCallId(call, question), name: call.tool };
    yield { type: "tool-call", ...ids, args: call.args };
    const result = await call.run(signal);
    yield { type: "tool-result", ...ids, result };
    introduction = call.introduce(result);
    grounding = call.ground(result);
  }
  for (const text of splitIntoWords(introduction)) yield { type: "text", text };
  if ("refusal" in plan) return;
  const words = new WordChunks();
  for await (const part of speak(buildPrompt(question, grounding), signal)) {
    if (part.type === "text") for (const text of words.push(part.text)) yield { type: "text", text };
  }
  for (const text of words.end()) yield { type: "text", text };
}

/** What the events of an answer are made with. */
export interface EventDependencies {
  createId: () => string;
  /** The sentence that a client may see for an error. */
  explain: (error: unknown, signal: AbortSignal) => string;
}

/** An answer as events of the wire format. A failure becomes a last event `error`. */
export async function* toListingEvents(
  answer: AsyncIterable<ListingAnswerPart>,
  question: Question,
  { createId, explain }: EventDependencies,
  signal: AbortSignal,
): AsyncGenerator<ListingEvent, void, undefined> {
  const run = {
    thread_id: question.threadId ?? `thread_${createId()}`,
    run_id: question.runId ?? `run_${createId()}`,
  };
  const message = { message_id: `msg_${createId()}`, role: "assistant" } as const;
  try {
    for await (const part of answer) {
      if (part.type === "text") {
        yield { type: "text_message_chunk", ...message, content: part.text, ...run };
        continue;
      }
      const call = { tool_call_id: part.id, tool_name: part.name };
      if (part.type === "tool-call") yield { type: "tool_call_start", ...call, args: part.args, ...run };
      else yield { type: "tool_call_result", ...call, result: part.result, ...run };
    }
  } catch (error) {
    yield { type: "error", message: explain(error, signal), ...run };
  }
}

/** Derives the id from the request, so that equal requests give equal ids. */
function createCallId({ tool, args }: ToolCall, { threadId, history }: Question): string {
  const identity = JSON.stringify([threadId ?? null, history.length, tool, args]);
  return `call_${createHash("sha256").update(identity).digest("hex").slice(0, 24)}`;
}
