import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModel, TextStreamPart, ToolSet } from "ai";
import { isStepCount, streamText } from "ai";
import { ProviderError } from "../errors/provider-error.ts";
import type { PostOptions } from "../http/post.ts";
import { postToProvider } from "../http/post.ts";
import type { ProviderCallObserver } from "../observer.ts";
import { guardStream } from "./guard-stream.ts";
import { toModelMessages, toToolSet } from "./messages.ts";
import type { AnswerTimeouts } from "./timeouts.ts";
import { defaultAnswerTimeouts } from "./timeouts.ts";
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
  const { maxToolRounds = 0, bounds = unbounded } = options;
  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const late = new ProviderError("timed_out", `The answer took longer than ${Math.ceil(bounds.totalMs / 1_000)} s.`);
  const timer = setTimeout(() => left.abort(late), bounds.totalMs);
  const result = streamText({
    model: connect(options, signal),
    instructions: options.system,
    messages: toModelMessages(options.messages),
    allowSystemInMessages: true,
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    tools: toToolSet(options.tools ?? {}),
    stopWhen: isStepCount(maxToolRounds + 1),
    // Without tools in its last round the model can only answer.
    prepareStep: ({ stepNumber }) => (stepNumber >= maxToolRounds ? { activeTools: [] } : {}),
    // postToProvider retries, with bounds of its own.
    maxRetries: 0,
    abortSignal: signal,
    // Errors come as parts of the stream; the default would print the request.
    onError: () => undefined,
  });
  try {
    yield* answerParts(withProviderErrors(result.stream), bounds, options.observer);
    // An aborted stream just ends.
    signal.throwIfAborted();
  } catch (error) {
    options.signal.throwIfAborted();
    if (left.signal.aborted) {
      options.observer?.ended(late);
      throw late;
    }
    // What a tool throws is no fault of the provider's.
    if (error instanceof ProviderError) options.observer?.ended(error);
    throw error;
  } finally {
    clearTimeout(timer);
    options.observer?.ended();
    left.abort();
  }
}

function connect(options: StreamAnswerOptions, signal: AbortSignal): LanguageModel {
  const { provider, model, timeouts = defaultAnswerTimeouts, observer } = options;
  const secrets = [provider.apiKey];
  const openai = createOpenAICompatible({
    name: "provider",
    baseURL: provider.baseUrl.replace(/\/+$/, ""),
    ...(provider.apiKey ? { apiKey: provider.apiKey } : {}),
    includeUsage: true,
    ...(observer?.headers && { headers: observer.headers }),
    fetch: async (url, init) => {
      const response = await postWithUsage({
        url: String(url),
        headers: init?.headers,
        body: String(init?.body),
        signal,
        timeoutMs: timeouts.firstTokenTimeoutMs,
        // A provider may leave the media type of its stream out, or give a wrong one.
        accepts: (mediaType) => !/json|html/.test(mediaType),
        secrets,
      });
      const body = response.body ?? new Blob([]).stream();
      return new Response(ReadableStream.from(guardStream(body, timeouts, secrets)), { headers: response.headers });
    },
  });
  return openai.chatModel(model);
}

/** A provider that does not know how to be asked for the tokens it counted is asked again without. */
async function postWithUsage(options: PostOptions): Promise<Response> {
  try {
    return await postToProvider(options);
  } catch (error) {
    const refused = error instanceof ProviderError && (error.status === 400 || error.status === 422);
    if (!refused || !/stream_options|include_usage/.test(error.message)) throw error;
    const { stream_options: _, ...rest } = JSON.parse(options.body) as Record<string, unknown>;
    return postToProvider({ ...options, body: JSON.stringify(rest) });
  }
}

async function* answerParts(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  bounds: AnswerBounds,
  observer: ProviderCallObserver | undefined,
): AsyncGenerator<AnswerPart> {
  const invalidCalls = new Set<string>();
  let answered = false;
  let aborted = false;
  let counted = 0;
  let pieces = 0;
  for await (const part of stream) {
    if (/-delta$/.test(part.type)) pieces += 1;
    if (counted + pieces > bounds.tokens) {
      throw new ProviderError("invalid", `The model's answer is over the limit of ${bounds.tokens} tokens.`);
    }
    switch (part.type) {
      case "start-step":
        answered = false;
        break;
      case "finish-step":
        counted += Math.max(pieces, part.usage.outputTokens ?? 0);
        pieces = 0;
        if (part.usage.totalTokens !== undefined) {
          observer?.usage({ input: part.usage.inputTokens, output: part.usage.outputTokens });
        }
        break;
      case "text-delta":
        if (part.text !== "") observer?.firstToken();
        answered ||= part.text.trim() !== "";
        yield { type: "text", text: part.text };
        break;
      case "tool-call":
        if (part.invalid) invalidCalls.add(part.toolCallId);
        yield { type: "tool-call", id: part.toolCallId, name: part.toolName, args: part.input };
        break;
      case "tool-result":
        yield { type: "tool-result", id: part.toolCallId, name: part.toolName, result: part.output };
        break;
      case "tool-error": {
        // A call that does not fit the tool is the model's mistake, and it is told; anything else is the tool's.
        if (!invalidCalls.has(part.toolCallId)) throw part.error;
        const result = { error: "The call does not fit the tool." };
        yield { type: "tool-result", id: part.toolCallId, name: part.toolName, result };
        break;
      }
      case "abort":
        aborted = true;
        break;
      case "error":
        throw providerErrorIn(part.error);
    }
  }
  if (!answered && !aborted) throw new ProviderError("invalid", "The model gave no answer.");
}

async function* withProviderErrors<Part>(stream: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* stream;
  } catch (error) {
    throw providerErrorIn(error);
  }
}

/** The ProviderError that a library wrapped, or one that says nothing of what the library does. */
function providerErrorIn(error: unknown): ProviderError {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ProviderError) return current;
  }
  return new ProviderError("invalid", "The model provider's answer could not be read.", { cause: error });
}
