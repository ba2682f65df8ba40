import { TimeoutWatch } from "@agent-backends/kit/timeouts";
import type { ExchangeEnvironment } from "./completion-exchange.ts";
import { CompletionExchange } from "./completion-exchange.ts";
import type {
  CompletionRequest,
  CompletionStream,
  CompletionStreamHandler,
  CompletionTimeouts,
} from "./completion-stream.ts";
import { ConnectionPool } from "./http1/connection-pool.ts";

/**
 * An idle connection to the provider is kept this long for the next request: less than the 5 s after which common
 * servers close theirs without a word.
 */
const keepIdleMs = 4_000;

/** A provider that gave its finish reason may be silent for this long before it says the rest, such as what it counted. */
const finishedTimeoutMs = 2_000;

/** A provider that has sent all gets this long to end its answer properly. */
const releaseTimeoutMs = 1_000;

/**
 * Opens streaming chat completions as bytes, for the relay and for answers alike. It costs nothing else: no parsing, no web
 * streams, no promise and no copy per read. It speaks HTTP/1.1 itself, over connections of its own that are kept alive, as many as
 * there are streams. Redirects are not followed.
 */
export class ChatCompletionClient {
  readonly #environment: ExchangeEnvironment;

  /**
   * @param options.provider `apiKey` may be empty: then no `Authorization` is sent
   * @param options.retries whether a provider that is busy is asked again; default true. Who asks again by another rule says false
   * @param options.connectTimeoutMs how long a connection may take to be made
   * @throws TypeError when the key can't stand in a header
   */
  constructor(
    options: {
      provider: { baseUrl: string; apiKey: string };
      connectTimeoutMs: number;
      retries?: boolean;
    } & CompletionTimeouts,
  ) {
    const { baseUrl, apiKey } = options.provider;
    const url = new URL(baseUrl);
    if (!/^[\x21-\x7e]*$/.test(apiKey))
      throw new TypeError("The key of the provider must be visible ASCII characters.");
    const head = [
      `POST ${url.pathname.replace(/\/+$/, "")}/chat/completions${url.search} HTTP/1.1`,
      `Host: ${url.host}`,
      "User-Agent: agent-backends",
      "Accept: text/event-stream",
      // Compressed answers arrive in lumps, and have to be unpacked.
      "Accept-Encoding: identity",
      "Content-Type: application/json",
      ...(apiKey ? [`Authorization: Bearer ${apiKey}`] : []),
      "Content-Length: ",
    ].join("\r\n");
    this.#environment = {
      pool: new ConnectionPool(url, { connectTimeoutMs: options.connectTimeoutMs, keepIdleMs }),
      firstBytes: new TimeoutWatch(options.firstBytesTimeoutMs),
      betweenBytes: new TimeoutWatch(options.idleTimeoutMs),
      afterFinish: new TimeoutWatch(finishedTimeoutMs),
      afterRelease: new TimeoutWatch(releaseTimeoutMs),
      requestHead: ({ body, headers }) => `${head}${Buffer.byteLength(body)}\r\n${linesOf(headers)}\r\n`,
      refusals: new Set(),
      retries: options.retries ?? true,
      secrets: [apiKey],
    };
  }

  /**
   * Sends a request and gives the answer's bytes to `handler`, whose last call is either `onEnd` or `onFailure`, unless
   * the stream is aborted or released. With `retries`, a provider that is busy (429, or 503 with a `Retry-After`) is asked
   * again after the wait it names. Never throws, and never
   * calls the handler before it returns.
   */
  open(request: CompletionRequest, handler: CompletionStreamHandler): CompletionStream {
    return new CompletionExchange(request, handler, this.#environment);
  }

  /** Ends every stream that is still open and closes the connections. */
  async close(): Promise<void> {
    this.#environment.pool.close();
  }
}

function linesOf(headers: Readonly<Record<string, string>> | undefined): string {
  if (!headers) return "";
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}
