import { createHash } from "node:crypto";
import type { ListingFrame, ListingPayload } from "@agent-backends/contract";
import type { AnswerPart } from "@agent-backends/llm";
import { noticeOf } from "./notice.ts";
import type { RouteMessage } from "./plan.ts";
import { planFor } from "./plan.ts";
import type { Prompt } from "./prompt.ts";
import { promptFor } from "./prompt.ts";
import type { Question } from "./question.ts";
import type { ListingTools, ToolCall } from "./tools.ts";
import { WordChunks, wordsOf } from "./words.ts";

/** What answers are made with. */
export interface AgentDependencies {
  tools: ListingTools;
  route: RouteMessage;
  /** The model's answer as it comes. Throws when the provider fails, and when `signal` aborts. */
  speak: (prompt: Prompt, signal: AbortSignal) => AsyncIterable<AnswerPart>;
  createId: () => string;
  /** The sentence that a client may see for what went wrong. */
  explain: (error: unknown, signal: AbortSignal) => string;
}

/** Answers questions about launches: the frames of an answer in their order. What fails becomes a last frame `error`. */
export interface ListingAgent {
  answer(question: Question, signal: AbortSignal): AsyncIterable<ListingFrame>;
}

export function createListingAgent({ tools, route, speak, createId, explain }: AgentDependencies): ListingAgent {
  async function* answer(question: Question, signal: AbortSignal): AsyncGenerator<ListingFrame> {
    const run = {
      thread_id: question.threadId ?? `thread_${createId()}`,
      run_id: question.runId ?? `run_${createId()}`,
    };
    try {
      const plan = planFor(question, { tools, route });
      let payload: ListingPayload | undefined;
      if ("call" in plan) {
        const { args, ...call } = describe(plan.call, question);
        yield { type: "tool_call_start", ...call, args, ...run };
        payload = await tools.run(plan.call, signal);
        yield { type: "tool_call_result", ...call, result: payload, ...run };
      }
      const text = { type: "text_message_chunk", message_id: `msg_${createId()}`, role: "assistant" } as const;
      const known = "refusal" in plan ? plan.refusal : introductionOf(payload);
      for (const content of wordsOf(known)) yield { ...text, content, ...run };
      if ("refusal" in plan) return;
      const words = new WordChunks();
      for await (const part of speak(promptFor(question, payload), signal)) {
        if (part.type === "text") for (const content of words.push(part.text)) yield { ...text, content, ...run };
      }
      for (const content of words.end()) yield { ...text, content, ...run };
    } catch (error) {
      yield { type: "error", message: explain(error, signal), ...run };
    }
  }

  return { answer };
}

/** What is said before the model's words. */
function introductionOf(payload: ListingPayload | undefined): string {
  return payload && payload.action !== "CONFETTI" ? noticeOf(payload) : "";
}

/** A call as clients see it. Its id follows from the request, so that the same request has the same id again. */
function describe(call: ToolCall, { threadId, history }: Question) {
  const args =
    call.tool === "top_timeframe"
      ? { timeframe: call.args.timeframe.input, tz: call.args.timeframe.tz, limit: call.args.limit }
      : call.args;
  const identity = JSON.stringify([threadId ?? null, history.length, call.tool, args]);
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 24);
  return { tool_call_id: `call_${digest}`, tool_name: call.tool, args };
}
