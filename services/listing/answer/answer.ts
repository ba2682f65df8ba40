import { createHash } from "node:crypto";
import type { ListingEvent, ListingPayload } from "@agent-backends/contract";
import { ClientGoneError, ShuttingDownError, toOneLine, waitForTurn } from "@agent-backends/kit";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import type { ActionContext, Grounding, ToolCall } from "../actions/action.ts";
import type { ChooseCall, Speak } from "./choose-call.ts";
import type { Plan, RouteMessage } from "./plan.ts";
import { planAnswer } from "./plan.ts";
import { buildPrompt } from "./prompt.ts";
import type { Question } from "./question.ts";
import { splitIntoWords, WordChunks } from "./words.ts";

export type ListingAnswerPart =
  /** Words that are available at the same time, each with its surrounding white space. */
  | { type: "words"; words: readonly string[] }
  | { type: "tool-call"; id: string; name: ToolCall["tool"]; args: object }
  | { type: "tool-result"; id: string; name: ToolCall["tool"]; result: ListingPayload };

export interface AnswerDependencies {
  context: ActionContext;
  route: RouteMessage;
  /** Chooses the call for a message that routing is unsure about. Without it the answer is advice. */
  chooseCall?: ChooseCall | undefined;
  /** Streams the model's answer. */
  speak: Speak;
}

/**
 * Answers a question about launches.
 *
 * @throws errors of the model, and the signal's reason once it is aborted
 */
export async function* answerQuestion(
  question: Question,
  { context, route, chooseCall, speak }: AnswerDependencies,
  signal: AbortSignal,
): AsyncGenerator<ListingAnswerPart, void, undefined> {
  // Reading a message takes longer than sending words. If many answers start together, this lets other answers send their words in between.
  await waitForTurn();
  const plan = planAnswer(question, route, context);
  const groundings: Grounding[] = [];
  let introduction = "refusal" in plan ? plan.refusal : "";
  for (const call of "refusal" in plan ? [] : await findCalls(plan, question, chooseCall, signal)) {
    const ids = { id: createCallId(call, question), name: call.tool };
    yield { type: "tool-call", ...ids, args: call.args };
    const result = await call.run(signal);
    yield { type: "tool-result", ...ids, result };
    introduction += call.introduce(result);
    groundings.push(call.ground(result));
  }
  if (!("refusal" in plan)) introduction += plan.note;
  for (const words of inBatches(splitIntoWords(introduction))) yield { type: "words", words };
  if ("refusal" in plan) return;
  const chunks = new WordChunks();
  for await (const part of speak(buildPrompt(question, groundings, plan.shouldAdvise), signal)) {
    if (part.type !== "text") continue;
    const words = [...chunks.push(part.text)];
    if (words.length > 0) yield { type: "words", words };
  }
  const words = [...chunks.end()];
  if (words.length > 0) yield { type: "words", words };
}

async function findCalls(
  plan: Exclude<Plan, { refusal: string }>,
  question: Question,
  chooseCall: ChooseCall | undefined,
  signal: AbortSignal,
): Promise<ToolCall[]> {
  const chosen = plan.isUnsure ? await chooseCall?.(question, signal) : undefined;
  return chosen === undefined ? plan.calls : [chosen];
}

/**
 * Small enough that few words wait in memory until the answer continues: the garbage collector copies waiting words, which holds up all
 * other answers.
 */
const maxBatchedWords = 16;

function* inBatches(words: Iterable<string>): Generator<readonly string[]> {
  let batch: string[] = [];
  for (const word of words) {
    if (batch.length === maxBatchedWords) {
      yield batch;
      batch = [];
    }
    batch.push(word);
  }
  if (batch.length > 0) yield batch;
}

/** Dependencies of the event conversion. */
export interface EventDependencies {
  createId: () => string;
  /** Returns the error message that a client may see. */
  explain: (error: unknown, signal: AbortSignal) => string;
}

/**
 * Creates a function that returns the error message that a client may see. Provider failures and the service's own shutdown are shown. Any
 * other error is unexpected, so its message goes only to the log.
 */
export function explainWith(log: (error: unknown, message: string) => void) {
  return (thrown: unknown, signal: AbortSignal): string => {
    const error = signal.aborted ? signal.reason : thrown;
    if (error instanceof ShuttingDownError || error instanceof ClientGoneError) return error.message;
    log(error, "An answer failed.");
    if (error instanceof ProviderError) return explainProviderError(error);
    return "The service failed on this answer. Try again.";
  };
}

/** Converts an answer to events of the wire format, in JSON. A failure becomes a final `error` event. */
export async function* toListingEvents(
  answer: AsyncIterable<ListingAnswerPart>,
  question: Question,
  { createId, explain }: EventDependencies,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  const run = {
    thread_id: question.threadId ?? `thread_${createId()}`,
    run_id: question.runId ?? `run_${createId()}`,
  };
  const toChunk = createChunkWriter(`msg_${createId()}`, run);
  try {
    for await (const part of answer) {
      if (part.type === "words") {
        yield part.words.map(toChunk);
        continue;
      }
      const call = { tool_call_id: part.id, tool_name: part.name };
      if (part.type === "tool-call") yield toJson({ type: "tool_call_start", ...call, args: part.args, ...run });
      else yield toJson({ type: "tool_call_result", ...call, result: part.result, ...run });
    }
  } catch (error) {
    yield toJson({ type: "error", message: explain(error, signal), ...run });
  }
}

const toJson = (event: ListingEvent): readonly string[] => [toOneLine(event)];

/** Writes the events of words. They differ only in their content, so everything else is serialised once. */
function createChunkWriter(messageId: string, run: { thread_id: string; run_id: string }): (word: string) => string {
  const event: ListingEvent = {
    type: "text_message_chunk",
    message_id: messageId,
    role: "assistant",
    content: "",
    ...run,
  };
  const json = toOneLine(event);
  const field = '"content":';
  const start = json.indexOf(field) + field.length;
  const [before, after] = [json.slice(0, start), json.slice(start + '""'.length)];
  return (word) => before + toOneLine(word) + after;
}

/** Derives the id from the request, so that equal requests give equal ids. */
function createCallId({ tool, args }: ToolCall, { threadId, history }: Question): string {
  const identity = JSON.stringify([threadId ?? null, history.length, tool, args]);
  return `call_${createHash("sha256").update(identity).digest("hex").slice(0, 24)}`;
}
