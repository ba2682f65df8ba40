import { createHash } from "node:crypto";
import type { ListingEvent } from "@agent-backends/contract";
import type { ActionContext, Grounding, ToolCall } from "../actions/action.ts";
import type { ChooseCall, Speak } from "./choose-call.ts";
import type { RouteMessage } from "./plan.ts";
import { planAnswer } from "./plan.ts";
import { buildPrompt } from "./prompt.ts";
import type { Question } from "./question.ts";
import { splitIntoWords, WordChunks } from "./words.ts";

/** What answers are made with. */
export interface AnswerDependencies {
  context: ActionContext;
  route: RouteMessage;
  /** Picks the call for a message that routing is unsure about. Without it the answer is advice. */
  chooseCall?: ChooseCall | undefined;
  /** The model's answer as it arrives. */
  speak: Speak;
  createId: () => string;
  /** The sentence that a client may see for an error. */
  explain: (error: unknown, signal: AbortSignal) => string;
}

/** Answers a question about launches: the frames of the answer in order. A failure becomes a last frame `error`. */
export async function* answerQuestion(
  question: Question,
  { context, route, chooseCall, speak, createId, explain }: AnswerDependencies,
  signal: AbortSignal,
): AsyncGenerator<ListingEvent> {
  const run = {
    thread_id: question.threadId ?? `thread_${createId()}`,
    run_id: question.runId ?? `run_${createId()}`,
  };
  const text = { type: "text_message_chunk", message_id: `msg_${createId()}`, role: "assistant" } as const;
  try {
    const plan = planAnswer(question, route, context);
    let introduction = "";
    let grounding: Grounding | undefined;
    if ("refusal" in plan) introduction = plan.refusal;
    const call = "refusal" in plan ? undefined : plan.isUnsure ? await chooseCall?.(question, signal) : plan.call;
    if (call !== undefined) {
      const ids = { tool_call_id: createCallId(call, question), tool_name: call.tool };
      yield { type: "tool_call_start", ...ids, args: call.args, ...run };
      const result = await call.run(signal);
      yield { type: "tool_call_result", ...ids, result, ...run };
      introduction = call.introduce(result);
      grounding = call.ground(result);
    }
    for (const content of splitIntoWords(introduction)) yield { ...text, content, ...run };
    if ("refusal" in plan) return;
    const words = new WordChunks();
    for await (const part of speak(buildPrompt(question, grounding), signal)) {
      if (part.type === "text") for (const content of words.push(part.text)) yield { ...text, content, ...run };
    }
    for (const content of words.end()) yield { ...text, content, ...run };
  } catch (error) {
    yield { type: "error", message: explain(error, signal), ...run };
  }
}

/** Derives the id from the request, so that equal requests give equal ids. */
function createCallId({ tool, args }: ToolCall, { threadId, history }: Question): string {
  const identity = JSON.stringify([threadId ?? null, history.length, tool, args]);
  return `call_${createHash("sha256").update(identity).digest("hex").slice(0, 24)}`;
}
