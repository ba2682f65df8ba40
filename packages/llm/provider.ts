import type { Egress, ForwardProxy } from "@agent-backends/kit/egress";
import { directEgress } from "@agent-backends/kit/egress";
import { TimeoutWatch } from "@agent-backends/kit/timeouts";
import { ConnectionPool } from "./transport/connection-pool.ts";
import type { ExchangeContext, Route } from "./transport/exchange.ts";
import { Exchange } from "./transport/exchange.ts";
import type {
  AskedProvider,
  ProviderRequest,
  ProviderStream,
  StreamHandler,
  WaitLimits,
} from "./transport/provider-stream.ts";

/** Shorter than the 5 s after which common servers close an idle connection without notice. */
const idleConnectionTimeoutMs = 4_000;

/** Maximum silence of a provider after its finish reason, for example before it sends the usage. */
const finishedTimeoutMs = 2_000;

/** Time in which a released stream may still end properly. */
const releaseTimeoutMs = 1_000;

/** Media types of complete documents. A provider that sends another type, or none, may well be streaming. */
const documentTypes = /^(application\/(problem\+)?json|text\/html)\b/i;

/** Observes one call to the provider. */
export interface ProviderCallObserver {
  /** Sent in addition to the provider's own headers, for example a trace context. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Id of the client's request, for the log. */
  readonly requestId?: string | undefined;
  /** Called for the first text, and possibly again later. */
  firstToken(): void;
  /** Called if there are several providers, with the one that answers or, if none does, the last one asked. */
  answeredBy?(provider: AskedProvider): void;
  /** Called with the provider's token counts, if it sends any. */
  usage(tokens: { input?: number | undefined; output?: number | undefined }): void;
  /** Called with the reason why the model ended the answer, if reported: `stop`, `length`. */
  finished?(reason: string): void;
  /** Called with the number of tool calls that were left out because the provider never named a tool. */
  unnamedCalls?(count: number): void;
  /** Called if the provider sent no token count, with the number of answer pieces received and of bytes sent. */
  uncounted?(pieces: number, inputBytes: number): void;
  /** @param error why the call failed; absent if it succeeded, or if its caller left */
  ended(error?: unknown): void;
}

export interface ProviderOptions {
  /** For example `https://api.openai.com/v1`. Its query, if any, is sent with every request. */
  baseUrl: string;
  /** An empty key sends no `Authorization`. */
  apiKey: string;
  /** Default 10 s. */
  connectTimeoutMs?: number;
  /** Timeout for the beginning of a chat completion. Default 120 s, since large models need time for long prompts. */
  firstTokenTimeoutMs?: number;
  /** Maximum silence in a chat completion after it has begun. Default 60 s. */
  idleTimeoutMs?: number;
  /** Maximum silence in a request for embeddings, or to the base URL itself. Default 60 s. */
  wholeAnswerTimeoutMs?: number;
  /**
   * Failures that are retried before an answer has begun. `busy`: 429, and 503 with a `Retry-After`. `transient`, the default: also any
   * other 5xx, and broken connections.
   */
  retryOn?: "busy" | "transient";
  /** Proxy and client certificate of the connections. Default: none. */
  egress?: Egress;
}

/**
 * A model provider with an OpenAI-compatible API, and the connections to it. It uses HTTP/1.1 over plain sockets, with one kept-alive
 * connection per concurrent request: bytes go from the socket to the handler without a copy, a promise or a web stream per read. Redirects
 * are not followed.
 */
export class Provider {
  readonly baseUrl: string;
  /** Texts that no message to a client may contain. */
  readonly secrets: readonly string[];
  readonly #url: URL;
  readonly #apiKey: string;
  readonly #proxy: ForwardProxy | undefined;
  readonly #context: ExchangeContext;
  readonly #completions: Route;
  readonly #embeddings: Route;

  /** @throws TypeError if the key can't be sent in a header */
  constructor(options: ProviderOptions) {
    const { baseUrl, apiKey, wholeAnswerTimeoutMs = 60_000, egress = directEgress } = options;
    if (!/^[\x21-\x7e]*$/.test(apiKey)) {
      throw new TypeError("The key of the provider must be visible ASCII characters.");
    }
    this.baseUrl = baseUrl;
    this.secrets = [apiKey];
    this.#url = new URL(baseUrl);
    this.#apiKey = apiKey;
    this.#proxy = egress.findProxy(this.#url);
    this.#context = {
      pool: new ConnectionPool(
        { target: this.#url, proxy: this.#proxy, clientCertificate: egress.clientCertificate },
        { connectTimeoutMs: options.connectTimeoutMs ?? 10_000, idleConnectionTimeoutMs },
      ),
      refusals: new Set(),
      retryOn: options.retryOn ?? "transient",
      afterFinish: new TimeoutWatch(finishedTimeoutMs),
      afterRelease: new TimeoutWatch(releaseTimeoutMs),
      secrets: this.secrets,
    };
    this.#completions = {
      head: this.#head("POST", "/chat/completions", "text/event-stream"),
      accepts: ({ status, headers }) => status === 200 && !documentTypes.test(headers["content-type"] ?? ""),
      firstBytes: new TimeoutWatch(options.firstTokenTimeoutMs ?? 120_000),
      betweenBytes: new TimeoutWatch(options.idleTimeoutMs ?? 60_000),
    };
    const embeddings = new TimeoutWatch(wholeAnswerTimeoutMs);
    this.#embeddings = {
      head: this.#head("POST", "/embeddings", "application/json"),
      accepts: ({ status }) => status === 200,
      firstBytes: embeddings,
      betweenBytes: embeddings,
    };
  }

  /**
   * Opens a streaming chat completion. Never throws, and never calls the handler before it returns.
   *
   * @param patience shorter waits for a provider that has a fallback
   */
  openCompletion(request: ProviderRequest, handler: StreamHandler, patience?: WaitLimits): ProviderStream {
    return new Exchange(request, this.#completions, handler, this.#context, patience);
  }

  openEmbeddings(request: ProviderRequest, handler: StreamHandler): ProviderStream {
    return new Exchange(request, this.#embeddings, handler, this.#context);
  }

  /** Sends a POST to the base URL itself, for a single-purpose server. */
  openPost(request: ProviderRequest, handler: StreamHandler): ProviderStream {
    const route = { ...this.#embeddings, head: this.#head("POST", "", "application/json") };
    return new Exchange(request, route, handler, this.#context);
  }

  /** Sends a GET to a path below the base URL. The handler gets the response whatever its status. */
  openGet(path: string, handler: StreamHandler, { withKey }: { withKey: boolean }): ProviderStream {
    const { firstBytes, betweenBytes } = this.#embeddings;
    const head = this.#head("GET", path, "application/json", withKey);
    return new Exchange({}, { head, accepts: () => true, firstBytes, betweenBytes }, handler, this.#context);
  }

  /** Closes all connections. Handlers of open streams are not called again. */
  close(): void {
    this.#context.pool.close();
  }

  #head(method: "GET" | "POST", path: string, accept: string, withKey = true): string {
    const { protocol, origin, pathname, search, host } = this.#url;
    // For https the proxy only opens a tunnel. For http it receives each request in absolute form (RFC 9112, section 3.2.2).
    const proxy = protocol === "http:" ? this.#proxy : undefined;
    const wholePath = `${pathname.replace(/\/+$/, "")}${path}` || "/";
    return [
      `${method} ${proxy ? origin : ""}${wholePath}${search} HTTP/1.1`,
      `Host: ${host}`,
      "User-Agent: agent-backends",
      `Accept: ${accept}`,
      // Compressed streams arrive in bursts, and decompressing vectors takes longer than reading them uncompressed.
      "Accept-Encoding: identity",
      ...(method === "POST" ? ["Content-Type: application/json"] : []),
      ...(withKey && this.#apiKey ? [`Authorization: Bearer ${this.#apiKey}`] : []),
      ...(proxy?.authorization ? [`Proxy-Authorization: ${proxy.authorization}`] : []),
      "",
    ].join("\r\n");
  }
}
