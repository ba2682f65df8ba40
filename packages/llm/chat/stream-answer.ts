import type { CompletionRequest } from "../byte-stream/completion-stream.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { withRetries } from "../errors/retry.ts";
import type { ProviderCallObserver } from "../observer.ts";
import { AnswerDeadline } from "./answer-deadline.ts";
import type { CollectedCall } from "./collected-calls.ts";
import { CollectedCalls } from "./collected-calls.ts";
import { completionClientOf } from "./completion-client-of.ts";
import { CompletionReader } from "./completion-reader.ts";
import type { ProviderMessage } from "./messages.ts";
import { toProviderMessage, toProviderTools } from "./messages.ts";
import { SpentTokens } from "./spent-tokens.ts";
import type { AnswerTimeouts } from "./timeouts.ts";
import { defaultAnswerTimeouts } from "./timeouts.ts";
import { UnnamedToolCallError } from "./tool-calls.ts";
import type { AnswerPart, AnswerTool, ChatMessage, ProviderOptions } from "./types.ts";

/** What one answer may take. */
export interface AnswerBounds {
  /** Of the model's words and calls, in all rounds: as the provider counts them, or at least one for each piece. */
  tokens: number;
  /** From the first request to the end. */
  totalMs: number;
}

const unbounded: AnswerBounds = { tokens: Number.POSITIVE_INFINITY, totalMs: 2 ** 31 - 1 };

export interface StreamAnswerOptions {
  provider: ProviderOptions;
  model: string;
  temperature?: number;
  /** The instructions that stand before the conversation. */
  system: string;
  messages: readonly ChatMessage[];
  tools?: Record<string, AnswerTool>;
  /** How often the model may call tools before it has to answer; default 0. */
  maxToolRounds?: number;
  /** Aborts the provider's request at once. */
  signal: AbortSignal;
  timeouts?: AnswerTimeouts;
  bounds?: AnswerBounds;
  observer?: ProviderCallObserver;
}

/**
 * Streams a model's answer to a conversation, with the tool calls it makes on the way. Failures before the first byte that
 * may pass (429, 5xx) are tried again; an answer that has begun never is. Leaving the loop early aborts the request.
 *
 * @throws ProviderError with a message that a client may see: also when the answer breaks off, or is empty
 * @throws the signal's reason once it is aborted, and what a tool throws
 */
export async function* streamAnswer(options: StreamAnswerOptions): AsyncGenerator<AnswerPart, void, undefined> {
  const { tools = {}, maxToolRounds = 0, bounds = unbounded, observer } = options;
  const deadline = new AnswerDeadline(options.signal, bounds.totalMs);
  const { signal } = deadline;
  try {
    signal.throwIfAborted();
    const spent = new SpentTokens(bounds.tokens);
    const messages: ProviderMessage[] = [
      { role: "system", content: options.system },
      ...options.messages.map(toProviderMessage),
    ];
    for (let round = 0; ; round++) {
      // Without tools in its last round the model can only answer.
      const mayCall = round < maxToolRounds;
      const toolCalls = new CollectedCalls(tools, round);
      let text = "";
      const reader = await openCompletion(options, { messages, tools: mayCall ? tools : {} }, signal);
      try {
        for (let chunks = await reader.read(); chunks.length > 0; chunks = await reader.read()) {
          for (const chunk of chunks) {
            spent.count(chunk);
            for (const delta of chunk.toolCalls) toolCalls.add(delta);
            if (chunk.text === "") continue;
            text += chunk.text;
            observer?.firstToken();
            yield { type: "text", text: chunk.text };
          }
        }
      } finally {
        reader.close();
      }
      const usage = spent.endRound();
      if (usage) observer?.usage({ input: usage.inputTokens, output: usage.outputTokens });
      spent.requireRoom();
      const calls = mayCall ? toolCalls.finish() : [];
      if (calls.length === 0) {
        if (text.trim() === "") throw new ProviderError("invalid", "The model gave no answer.");
        return;
      }
      for (const { id, name, args } of calls) yield { type: "tool-call", id, name, args };
      signal.throwIfAborted();
      const results = await untilAborted(signal, Promise.all(calls.map((call) => resultOf(call, tools, signal))));
      messages.push(toProviderMessage({ role: "assistant", content: text, toolCalls: calls }));
      for (const [place, { id, name }] of calls.entries()) {
        const result = results[place];
        yield { type: "tool-result", id, name, result };
        messages.push(toProviderMessage({ role: "tool", toolCallId: id, toolName: name, result }));
      }
    }
  } catch (thrown) {
    const error = deadline.explain(providerErrorOf(thrown));
    // What a tool throws is no fault of the provider's.
    if (error instanceof ProviderError) observer?.ended(error);
    throw error;
  } finally {
    deadline.end();
    observer?.ended();
  }
}

function providerErrorOf(thrown: unknown): unknown {
  if (!(thrown instanceof UnnamedToolCallError)) return thrown;
  return new ProviderError("invalid", "The model provider sent a tool call without a name.", { cause: thrown });
}

/** A completion whose answer has begun. */
function openCompletion(
  { provider, model, temperature, timeouts = defaultAnswerTimeouts, observer }: StreamAnswerOptions,
  { messages, tools }: { messages: readonly ProviderMessage[]; tools: Record<string, AnswerTool> },
  signal: AbortSignal,
): Promise<CompletionReader> {
  const client = completionClientOf(provider, timeouts);
  const functions = toProviderTools(tools);
  const body = {
    model,
    ...(temperature !== undefined && { temperature }),
    messages,
    ...(functions.length > 0 && { tools: functions, tool_choice: "auto" }),
    stream: true,
  };
  const request: CompletionRequest = {
    body: JSON.stringify({ ...body, stream_options: { include_usage: true } }),
    headers: observer?.headers,
    // A provider that does not know how to be asked for the tokens it counted is asked again without.
    fallback: { refused: /stream_options|include_usage/, body: () => JSON.stringify(body) },
  };
  return withRetries(signal, async () => {
    signal.throwIfAborted();
    const reader = new CompletionReader(client, request, { signal, secrets: [provider.apiKey] });
    try {
      await reader.begun();
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  });
}

/** A call that does not fit the tool is the model's mistake, and it is told; anything else is the tool's. */
async function resultOf(
  { name, args, fits }: CollectedCall,
  tools: Readonly<Record<string, AnswerTool>>,
  signal: AbortSignal,
): Promise<unknown> {
  return fits ? tools[name]?.execute(args, { signal }) : { error: "The call does not fit the tool." };
}

/** Resolves as `work` does, unless the signal aborts first. */
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
