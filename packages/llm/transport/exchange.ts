import { ProxyError } from "@agent-backends/kit/egress";
import type { TimeoutWatch, Watched } from "@agent-backends/kit/timeouts";
import { answerError, silenceError, transportError, unpackingError } from "../errors/failures.ts";
import type { ProviderError } from "../errors/provider-error.ts";
import { isBusy, isTransient, retryDelayMs } from "../errors/retry.ts";
import type { DecodedBodyHandler } from "./body-decoder.ts";
import { BodyDecoder, canDecode } from "./body-decoder.ts";
import type { Connection, ConnectionHandler } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { ResponseHead } from "./response-head.ts";

/** Read at most this much of an error's body: enough for its message. */
const maxErrorBytes = 64 * 1024;

/** Only a proxy sends this status. */
const proxyAuthenticationRequired = 407;

/** Encode longer bodies once: otherwise they are encoded to be counted, and again to be written. */
const minEncodedCharacters = 64 * 1024;

/** One of several providers that a request can go to. */
export interface AskedProvider {
  /** Host and model. Holds no key and no path. */
  readonly name: string;
  readonly model: string;
  /** Call when it has answered. */
  succeeded(): void;
  /** Call when it could not answer. */
  failed(error: unknown): void;
}

/** Receives a response. The last call is either `onEnd` or `onFailure`, unless the stream is aborted or released. */
export interface StreamHandler {
  /**
   * Whether the answer has begun, for a handler that waits for more than its first bytes. It never goes back to false.
   * Until then the timeout for the first bytes applies.
   */
  readonly hasBegun?: boolean;
  /** Whether the answer is complete, so that a provider that now falls silent counts as done. It never goes back to false. */
  readonly hasFinished?: boolean;
  /** @param by who answers, if there are several providers */
  onHead?(head: ResponseHead, by?: AskedProvider): void;
  /** Bytes of the body, `bytes[start, end)`. The buffer is reused: copy what should outlive the call. */
  onBytes(bytes: Buffer, start: number, end: number): void;
  /** All bytes of one socket read were passed to `onBytes`. */
  onReadEnd(): void;
  /** The body is whole as far as HTTP can tell, or `hasFinished` was true and the provider stayed silent. */
  onEnd(): void;
  /**
   * The provider could not be reached, refused, sent something else than was asked for, fell silent or broke off.
   *
   * @param by the last one that was asked, if there are several providers
   */
  onFailure(error: ProviderError, by?: AskedProvider): void;
}

/** A response that is being received. */
export interface ProviderStream {
  /** Stops reading from the socket, so that the provider has to wait. Bytes already read may still be passed on. */
  pause(): void;
  resume(): void;
  /** Closes the connection at once. The handler is not called again. */
  abort(): void;
  /** Ignores the rest, but gives the provider a moment to finish, so that its connection can be used again. */
  release(): void;
}

/** A body in bytes that must stay unchanged until each `onWritten` was called. */
export interface BodyBytes {
  readonly length: number;
  lend(): { bytes: Uint8Array; onWritten(): void };
}

export interface BodyFallback {
  /** Matches the errors of a provider that refuses a part of the body. */
  refused: RegExp;
  /** The body without that part, and without the parts of the fallbacks that were used before. */
  body(): string;
  /**
   * Whether the refusal is about the provider, not about the contents of this request. Once the provider has accepted such a
   * fallback, later requests with the same pattern send it first.
   */
  isLearned: boolean;
}

export interface ProviderRequest {
  /** JSON, as text or in UTF-8. A GET has none. */
  body?: string | BodyBytes;
  /** Sent beside the provider's own headers, for example a trace context. Must be valid header names and values. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Bodies without what the provider may refuse. The first one that fits its refusal is sent, each at most once. */
  fallbacks?: readonly BodyFallback[];
  /** The id of the client's request, for the log. */
  requestId?: string | undefined;
  /** The same request for another provider. */
  forProvider?: (provider: AskedProvider) => ProviderRequest;
}

/** What all requests to one route of a provider have in common. */
export interface Route {
  /** The request line and the headers that every request sends. */
  head: string;
  /** Whether a response is passed on. Any other becomes a ProviderError that quotes its body. */
  accepts(head: ResponseHead): boolean;
  firstBytes: TimeoutWatch;
  betweenBytes: TimeoutWatch;
}

/** How long to wait for a provider while another one can be asked. */
export interface Patience {
  /** For the head of its answer. */
  head: TimeoutWatch;
  /** In all, before further attempts. */
  retryWaitMs: number;
}

/** What all requests to one provider have in common. */
export interface ExchangeContext {
  pool: ConnectionPool;
  /** Patterns of fallbacks that the provider is known to need. */
  refusals: Set<string>;
  retryOn: "busy" | "transient";
  afterFinish: TimeoutWatch;
  afterRelease: TimeoutWatch;
  secrets: readonly string[];
}

/**
 * One request to the provider. It is sent again as long as no byte of a success was received: over a new connection when
 * a kept one was closed under it, with a fallback when the provider refuses a part of the body, and after a delay when the
 * failure is one that may pass.
 */
export class Exchange implements ProviderStream, ConnectionHandler, DecodedBodyHandler {
  readonly #handler: StreamHandler;
  readonly #route: Route;
  readonly #context: ExchangeContext;
  /** Undefined: waits as long as the route allows and the provider asks for. */
  readonly #patience: Patience | undefined;
  #retryWaitMs: number | undefined;
  #request: ProviderRequest | undefined;
  #connection: Connection | undefined;
  #watched: Watched | undefined;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  #state: "open" | "released" | "closed" = "open";
  #hasHead = false;
  #hasBytes = false;
  #hasBegun = false;
  #hasFinished = false;
  #paused = false;
  /** An error response; its body as Latin-1, one character per byte. */
  #refusal: { head: ResponseHead; body: string } | undefined;
  /** The patterns of the fallbacks that are being tried and, if accepted, learned. */
  #refused: string[] | undefined;
  #decoder: BodyDecoder | undefined;
  #broken: Error | undefined;

  constructor(
    request: ProviderRequest,
    route: Route,
    handler: StreamHandler,
    context: ExchangeContext,
    patience?: Patience,
  ) {
    this.#request = request;
    for (const fallback of request.fallbacks ?? []) {
      if (context.refusals.has(fallback.refused.source)) this.#fallBack(this.#request, fallback);
    }
    this.#route = route;
    this.#handler = handler;
    this.#context = context;
    this.#patience = patience;
    this.#retryWaitMs = patience?.retryWaitMs;
    this.#send(false);
  }

  pause(): void {
    if (this.#paused || this.#state !== "open") return;
    this.#paused = true;
    this.#watched?.stop();
    this.#connection?.pause();
    this.#decoder?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#state === "open") this.#watchAnswer();
    this.#decoder?.resume();
    if (!this.#decoder?.full) this.#connection?.resume();
  }

  abort(): void {
    this.#close();
    this.#disconnect();
  }

  release(): void {
    if (this.#state !== "open") return;
    this.#state = "released";
    this.#watch(this.#context.afterRelease);
    if (this.#decoder?.full) this.#connection?.resume();
    this.#dropDecoder();
    if (this.#paused) this.resume();
  }

  onHead(head: ResponseHead): void {
    this.#hasHead = true;
    const coding = (head.headers["content-encoding"] ?? "identity").toLowerCase();
    if (canDecode(coding)) {
      this.#decoder = new BodyDecoder(coding, this);
      delete head.headers["content-encoding"];
    }
    const isReadable = coding === "identity" || this.#decoder !== undefined;
    if (isReadable && this.#route.accepts(head)) this.#accept(head);
    else this.#refusal = { head, body: "" };
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    if (this.#state !== "open") return;
    if (this.#decoder) {
      this.#decoder.write(Buffer.from(bytes.subarray(start, end)));
      if (this.#decoder.full) this.#connection?.pause();
    } else {
      this.#takeBody(bytes, start, end);
    }
  }

  onReadEnd(): void {
    if (this.#state !== "open") return;
    if (this.#hasBegun) this.#watched?.heard();
    if (!this.#decoder) this.#takeReadEnd();
  }

  onComplete(): void {
    this.#connection = undefined;
    this.#endBody();
  }

  onBroken(error: Error): void {
    const isReused = (this.#connection?.requests ?? 0) > 1;
    this.#connection = undefined;
    // The provider closed an idle connection just when the request was sent.
    if (isReused && !this.#hasHead && this.#state === "open") {
      this.#send(true);
      return;
    }
    // A connection that was closed without an answer counts as one that was reset.
    this.#broken = "code" in error ? error : Object.assign(error, { code: "ECONNRESET" });
    this.#endBody();
  }

  onDecoded(bytes: Buffer): void {
    if (this.#state === "open") this.#takeBody(bytes, 0, bytes.length);
    if (this.#state === "open") this.#takeReadEnd();
  }

  onDecoderReady(): void {
    if (!this.#paused) this.#connection?.resume();
  }

  onDecodedEnd(): void {
    if (this.#state === "open") this.#finish();
  }

  onUndecodable(error: Error): void {
    if (this.#state !== "open") return;
    this.#disconnect();
    if (this.#refusal || this.#broken) this.#finish();
    else this.#fail(unpackingError(error));
  }

  #takeBody(bytes: Buffer, start: number, end: number): void {
    if (this.#refusal) {
      this.#refusal.body += bytes.toString("latin1", start, end);
      return;
    }
    this.#hasBytes = true;
    this.#handler.onBytes(bytes, start, end);
    if (this.#hasFinished || this.#state !== "open" || this.#handler.hasBegun === false) return;
    const { hasFinished = false } = this.#handler;
    if (this.#hasBegun && !hasFinished) return;
    this.#hasBegun = true;
    this.#hasFinished = hasFinished;
    if (!this.#paused) this.#watchAnswer();
  }

  #takeReadEnd(): void {
    if (this.#refusal && this.#refusal.body.length >= maxErrorBytes) this.#refuse(this.#refusal);
    else if (!this.#refusal && this.#hasBytes) this.#handler.onReadEnd();
  }

  /** The connection gives nothing more. The decoder may still hold some bytes. */
  #endBody(): void {
    if (this.#state === "released") this.#close();
    if (this.#state !== "open") return;
    if (this.#decoder) this.#decoder.end();
    else this.#finish();
  }

  /** All bytes were passed on. */
  #finish(): void {
    if (this.#refusal) {
      this.#refuse(this.#refusal);
    } else if (this.#broken) {
      this.#failOrRetry(transportError(this.#broken, this.#hasHead));
    } else {
      this.#close();
      this.#handler.onEnd();
    }
  }

  #send(onNewConnection: boolean): void {
    if (!this.#request) return;
    const { body, headers = {} } = this.#request;
    this.#hasHead = false;
    this.#refusal = undefined;
    this.#broken = undefined;
    this.#watch(this.#patience?.head ?? this.#route.firstBytes);
    let { head } = this.#route;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    this.#connection = this.#context.pool.acquire(onNewConnection);
    if (body === undefined) this.#connection.send(`${head}\r\n`, this);
    else if (typeof body === "string" && body.length < minEncodedCharacters)
      this.#connection.send(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, this);
    else if (typeof body === "string") {
      const bytes = Buffer.from(body);
      this.#connection.send(`${head}Content-Length: ${bytes.length}\r\n\r\n`, this, { bytes, onWritten() {} });
    } else this.#connection.send(`${head}Content-Length: ${body.length}\r\n\r\n`, this, body.lend());
  }

  /** Once the provider has begun to answer, the request is never sent again. */
  #accept(head: ResponseHead): void {
    this.#request = undefined;
    if (this.#patience && !this.#paused) this.#watch(this.#route.firstBytes);
    for (const refused of this.#refused ?? []) this.#context.refusals.add(refused);
    this.#handler.onHead?.(head);
  }

  #refuse({ head, body }: { head: ResponseHead; body: string }): void {
    this.#disconnect();
    this.#dropDecoder();
    const text = Buffer.from(body.slice(0, maxErrorBytes), "latin1").toString("utf8");
    const request = this.#request;
    const fallback = mayRefuseBody(head.status) && request?.fallbacks?.find(({ refused }) => refused.test(text));
    if (request && fallback) {
      if (fallback.isLearned) this.#refused = [...(this.#refused ?? []), fallback.refused.source];
      this.#fallBack(request, fallback);
      this.#sendAfter(0);
      return;
    }
    const { secrets, pool } = this.#context;
    if (pool.proxy && head.status === proxyAuthenticationRequired) {
      const refusal = new ProxyError(pool.proxy, { status: head.status, target: pool.target.host });
      this.#fail(transportError(refusal, false));
      return;
    }
    this.#failOrRetry(answerError({ status: head.status, headers: head.headers, body: text }, secrets));
  }

  #fallBack(request: ProviderRequest, fallback: BodyFallback): void {
    const fallbacks = request.fallbacks?.filter((other) => other !== fallback) ?? [];
    this.#request = { ...request, body: fallback.body(), fallbacks };
  }

  #failOrRetry(error: ProviderError): void {
    this.#attempts += 1;
    const mayPass = this.#context.retryOn === "busy" ? isBusy(error) : isTransient(error);
    const delayMs = mayPass ? retryDelayMs(error, this.#attempts, this.#retryWaitMs) : undefined;
    if (delayMs === undefined || !this.#request) {
      this.#fail(error);
      return;
    }
    if (this.#retryWaitMs !== undefined) this.#retryWaitMs -= delayMs;
    this.#sendAfter(delayMs);
  }

  #sendAfter(delayMs: number): void {
    this.#watched?.stop();
    this.#retry = setTimeout(() => this.#send(false), delayMs);
  }

  #watchAnswer(): void {
    this.#watch(this.#hasFinished ? this.#context.afterFinish : this.#route.betweenBytes);
  }

  #watch(watch: TimeoutWatch): void {
    this.#watched?.stop();
    this.#watched = watch.watch(() => {
      if (this.#state === "open" && this.#hasFinished) {
        // Some providers neither send `[DONE]` nor end their answer.
        this.#handler.onEnd();
        this.release();
        return;
      }
      if (this.#state === "open") this.#fail(silenceError(this.#hasBegun));
      this.abort();
    });
  }

  #fail(error: ProviderError): void {
    this.#close();
    this.#handler.onFailure(error);
  }

  #close(): void {
    this.#state = "closed";
    this.#request = undefined;
    this.#watched?.stop();
    this.#dropDecoder();
    clearTimeout(this.#retry);
  }

  #disconnect(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  #dropDecoder(): void {
    this.#decoder?.destroy();
    this.#decoder = undefined;
  }
}

// Some providers answer an unknown parameter with 500.
function mayRefuseBody(status: number): boolean {
  return status === 400 || status === 404 || status === 415 || status === 422 || status === 500;
}
