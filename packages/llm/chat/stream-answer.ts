import { ProviderError } from "../errors/provider-error.ts";
import type { ProviderCallObserver } from "../provider.ts";
import { toJsonBody } from "../transport/large-json.ts";
import type { ProviderRequest } from "../transport/provider-stream.ts";
import type { CollectedCall } from "./collected-calls.ts";
import { CollectedCalls } from "./collected-calls.ts";
import type { CompletionProvider } from "./completion-reader.ts";
import { CompletionReader } from "./completion-reader.ts";
import { fallBackOnDemand } from "./demanded-content.ts";
import type { AnswerTool, ChatMessage, ProviderMessage } from "./messages.ts";
import { toProviderMessage, toProviderTools, withDemanded } from "./messages.ts";
import { SpentTokens } from "./spent-tokens.ts";
import { ThoughtFilter } from "./thought-filter.ts";
import { ToolCallError } from "./tool-calls.ts";

export interface AnswerLimits {
  /** Maximum output tokens of all rounds: the provider's count, or at least one per delta. */
  tokens: number;
  /** Maximum time from the first request to the end. */
  totalMs: number;
}

const unbounded: AnswerLimits = { tokens: Number.POSITIVE_INFINITY, totalMs: 2 ** 31 - 1 };

export interface StreamAnswerOptions {
  provider: CompletionProvider;
  model: string;
  temperature?: number;
  system: string;
  messages: readonly ChatMessage[];
  tools?: Record<string, AnswerTool>;
  /** Maximum rounds of tool calls before the model has to answer. Default: 0. */
  maxToolRounds?: number;
  /** Aborts the request at once. */
  signal: AbortSignal;
  bounds?: AnswerLimits;
  observer?: ProviderCallObserver;
}

/** A piece of an answer, in the order of arrival. */
export type AnswerPart =
  | { type: "text"; text: string }
  | { type: "tool-call"; id: string; name: string; args: unknown }
  | { type: "tool-result"; id: string; name: string; result: unknown };

/**
 * Streams a model's answer to a conversation, and runs the tools that the model calls. Leaving the loop early aborts the request.
 *
 * @throws ProviderError with a message that a client may see, also when the answer breaks off or is empty
 * @throws the signal's reason once it is aborted, and any error of a tool
 */
export async function* streamAnswer(options: StreamAnswerOptions): AsyncGenerator<AnswerPart, void, undefined> {
  const { tools = {}, maxToolRounds = 0, bounds = unbounded, observer } = options;
  const deadline = new AnswerDeadline(options.signal, bounds.totalMs);
  const { signal } = deadline;
  try {
    const spent = new SpentTokens(bounds.tokens);
    const messages: ProviderMessage[] = [
      { role: "system", content: options.system },
      ...options.messages.map(toProviderMessage),
    ];
    const usedIds = new Set(
      messages.flatMap((message) => ("tool_calls" in message ? message.tool_calls : [])).map(({ id }) => id),
    );
    for (let round = 0; ; round++) {
      // The last round offers no tools, so the model has to answer.
      const mayCall = round < maxToolRounds;
      const toolCalls = new CollectedCalls(tools, round, usedIds);
      const thoughts = new ThoughtFilter();
      let text = "";
      // Tracks whether all text so far is blank: trimming a long text flattens its concatenated pieces, which blocks the event loop.
      let isBlank = true;
      let finishReason: string | undefined;
      signal.throwIfAborted();
      const reader = openCompletion(options, { messages, tools: mayCall ? tools : {} }, signal);
      try {
        for (let chunks = await reader.read(); chunks.length > 0; chunks = await reader.read()) {
          for (const chunk of chunks) {
            spent.count(chunk);
            finishReason = chunk.finishReason ?? finishReason;
            for (const delta of chunk.toolCalls) toolCalls.add(delta);
            const shown = thoughts.read(chunk.text);
            if (shown === "") continue;
            if (mayCall) text += shown;
            isBlank &&= shown.trim() === "";
            observer?.firstToken();
            yield { type: "text", text: shown };
          }
        }
        const held = thoughts.end();
        if (held !== "") yield { type: "text", text: held };
      } finally {
        reader.close();
        const { usage, deltas } = spent.endRound();
        if (usage) observer?.usage({ input: usage.inputTokens, output: usage.outputTokens });
        else observer?.uncounted?.(deltas, reader.inputBytes);
      }
      spent.requireRoom();
      const calls = mayCall ? toolCalls.finish() : [];
      if (mayCall && toolCalls.unnamed > 0) observer?.unnamedCalls?.(toolCalls.unnamed);
      if (calls.length === 0) {
        if (isBlank) throw new ProviderError("invalid", "The model gave no answer.");
        if (finishReason !== undefined) observer?.finished?.(finishReason);
        return;
      }
      for (const { id, name, args } of calls) yield { type: "tool-call", id, name, args };
      signal.throwIfAborted();
      const results = await untilAborted(signal, Promise.all(calls.map((call) => execute(call, tools, signal))));
      messages.push(toProviderMessage({ role: "assistant", content: text, toolCalls: calls }));
      for (const [place, { id, name }] of calls.entries()) {
        const result = results[place];
        yield { type: "tool-result", id, name, result };
        messages.push(toProviderMessage({ role: "tool", toolCallId: id, toolName: name, result }));
      }
    }
  } catch (thrown) {
    const error = deadline.explain(toProviderError(thrown));
    // A tool's exception isn't a failure of the provider.
    if (error instanceof ProviderError) observer?.ended(error);
    throw error;
  } finally {
    deadline.end();
    observer?.ended();
  }
}

function toProviderError(thrown: unknown): unknown {
  return thrown instanceof ToolCallError ? new ProviderError("invalid", thrown.message, { cause: thrown }) : thrown;
}

function openCompletion(
  { provider, model, temperature, observer }: StreamAnswerOptions,
  { messages, tools }: { messages: readonly ProviderMessage[]; tools: Record<string, AnswerTool> },
  signal: AbortSignal,
): CompletionReader {
  const functions = toProviderTools(tools);
  const buildRequest = ({ model }: { model: string }): ProviderRequest => {
    let mayAskForUsage = true;
    const must = { signatures: false, reasoningContent: false };
    const serialise = () =>
      toJsonBody({
        model,
        ...(temperature !== undefined && { temperature }),
        messages: withDemanded(messages, must),
        ...(functions.length > 0 && { tools: functions, tool_choice: "auto" }),
        stream: true,
        ...(mayAskForUsage && { stream_options: { include_usage: true } }),
      });
    const withoutUsage = () => {
      mayAskForUsage = false;
      return serialise();
    };
    return {
      body: serialise(),
      headers: observer?.headers,
      bodyFallbacks: [
        // Some providers reject the option that requests the usage.
        { refused: /stream_options|include_usage/, body: withoutUsage, isLearned: true },
        ...fallBackOnDemand(must, serialise),
      ],
    };
  };
  const request = { ...buildRequest({ model }), forProvider: buildRequest, requestId: observer?.requestId };
  return new CompletionReader(provider, request, { signal, observer });
}

/** Runs a call and returns its result. If the arguments don't fit the tool's schema, the result tells the model so. */
async function execute(
  { name, args, fits }: CollectedCall,
  tools: Readonly<Record<string, AnswerTool>>,
  signal: AbortSignal,
): Promise<unknown> {
  return fits ? tools[name]?.execute(args, { signal }) : { error: "The call does not match the tool's parameters." };
}

/** Resolves like `work`, unless the signal aborts first. */
async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Aborts an answer when its caller aborts, or when it takes too long. */
class AnswerDeadline {
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal;
  readonly #late = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(caller: AbortSignal, totalMs: number) {
    this.#caller = caller;
    this.signal = AbortSignal.any([caller, this.#late.signal]);
    this.#timer = setTimeout(() => {
      const message = `The answer took longer than ${Math.ceil(totalMs / 1_000)} s.`;
      this.#late.abort(new ProviderError("timed_out", message));
    }, totalMs);
  }

  /** Why an answer failed: the abort reason of the caller or the deadline, else the thrown error. */
  explain(thrown: unknown): unknown {
    if (this.#caller.aborted) return this.#caller.reason;
    return this.#late.signal.aborted ? this.#late.signal.reason : thrown;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
