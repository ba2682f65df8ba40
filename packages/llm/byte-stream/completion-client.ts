import type { Dispatcher } from "undici";
import { Agent } from "undici";
import type { CompletionStream, CompletionStreamHandler, CompletionTimeouts } from "./completion-stream.ts";
import { DispatchedStream } from "./completion-stream.ts";

/**
 * An idle connection to the provider is kept this long for the next request: less than the 5 s after which common
 * servers close theirs without a word, since a request that meets the closing is lost.
 */
const keepConnectionMs = 4_000;

/**
 * Opens streaming chat completions as bytes, for a relay that wants to pay for nothing else: no parsing, no web streams,
 * no promise per read. Connections are its own, kept alive, and as many as there are streams.
 */
export class ChatCompletionClient {
  readonly #agent: Agent;
  readonly #origin: string;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #timeouts: CompletionTimeouts;
  readonly #secrets: readonly string[];

  /**
   * @param options.provider `apiKey` may be empty: then no `Authorization` is sent
   * @param options.connectTimeoutMs how long a connection may take to be made
   */
  constructor(
    options: { provider: { baseUrl: string; apiKey: string }; connectTimeoutMs: number } & CompletionTimeouts,
  ) {
    const { baseUrl, apiKey } = options.provider;
    const { origin, pathname, search } = new URL(baseUrl);
    this.#origin = origin;
    this.#path = `${pathname.replace(/\/+$/, "")}/chat/completions${search}`;
    this.#headers = {
      accept: "text/event-stream",
      // Compressed answers would arrive in lumps.
      "accept-encoding": "identity",
      "content-type": "application/json",
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    };
    this.#timeouts = { firstBytesTimeoutMs: options.firstBytesTimeoutMs, idleTimeoutMs: options.idleTimeoutMs };
    this.#secrets = [apiKey];
    this.#agent = new Agent({
      connections: null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepConnectionMs,
      // Silence is watched for each stream, because a stream that we paused ourselves is not silent.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: options.connectTimeoutMs },
    });
  }

  /**
   * Sends a request body (JSON text) and gives the answer's bytes to `handler`, whose last call is either `onEnd` or
   * `onFailure`, unless the stream is aborted. Never throws.
   */
  open(body: string, handler: CompletionStreamHandler): CompletionStream {
    const stream = new DispatchedStream(handler, this.#timeouts, this.#secrets);
    const request: Dispatcher.DispatchOptions = {
      origin: this.#origin,
      path: this.#path,
      method: "POST",
      headers: this.#headers,
      body,
    };
    this.#agent.dispatch(request as Agent.DispatchOptions, stream);
    return stream;
  }

  /** Ends every stream that is still open and closes the connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
