import { ProxyError } from "@agent-backends/kit/egress";
import type { ActivityTimeout, TimeoutWatch } from "@agent-backends/kit/timeouts";
import { buildTimeoutError, toAnswerError, toDecodingError, toTransportError } from "../errors/failures.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { getRetryDelayMs, isBusy, isTransient } from "../errors/retry.ts";
import type { DecodedBodyHandler } from "./body-decoder.ts";
import { BodyDecoder, canDecode } from "./body-decoder.ts";
import type { Connection, ConnectionHandler } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { LargeJson } from "./large-json.ts";
import type { BodyFallback, ProviderRequest, ProviderStream, StreamHandler, WaitLimits } from "./provider-stream.ts";
import type { ResponseHead } from "./response-head.ts";

/** Maximum bytes read of an error's body: enough for its message. */
const maxErrorBytes = 64 * 1024;

/** Only a proxy sends this status. */
const proxyAuthenticationRequired = 407;

/** Settings shared by all requests to one route of a provider. */
export interface Route {
  /** The request line and the headers that every request sends. */
  head: string;
  /** Whether a response is passed on. Any other response becomes a ProviderError that quotes its body. */
  accepts(head: ResponseHead): boolean;
  firstBytes: TimeoutWatch;
  betweenBytes: TimeoutWatch;
}

/** State shared by all requests to one provider. */
export interface ExchangeContext {
  pool: ConnectionPool;
  /** Patterns of the body fallbacks that this provider is known to need. */
  refusals: Set<string>;
  retryOn: "busy" | "transient";
  afterFinish: TimeoutWatch;
  afterRelease: TimeoutWatch;
  secrets: readonly string[];
}

/**
 * One request to the provider. It is repeated as long as no byte of a successful response has arrived: over a new connection if a
 * kept-alive one closed under it, with a fallback if the provider refuses a part of the body, and after a delay if the failure may be
 * temporary.
 */
export class Exchange implements ProviderStream, ConnectionHandler, DecodedBodyHandler {
  readonly #handler: StreamHandler;
  readonly #route: Route;
  readonly #context: ExchangeContext;
  /** Undefined: wait as long as the route allows and the provider asks for. */
  readonly #waitLimits: WaitLimits | undefined;
  #retryWaitMs: number | undefined;
  #request: ProviderRequest | undefined;
  #connection: Connection | undefined;
  #timeout: ActivityTimeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  #state: "open" | "released" | "closed" = "open";
  #hasHead = false;
  #hasBytes = false;
  #hasBegun = false;
  #hasFinished = false;
  #isPaused = false;
  /** An error response. Its body is decoded as Latin-1, one character per byte. */
  #refusal: { head: ResponseHead; body: string } | undefined;
  /** Patterns of the body fallbacks that are being tried. They are learned if the provider accepts the request. */
  #refused: string[] | undefined;
  #decoder: BodyDecoder | undefined;
  #broken: Error | undefined;

  constructor(
    request: ProviderRequest,
    route: Route,
    handler: StreamHandler,
    context: ExchangeContext,
    patience?: WaitLimits,
  ) {
    this.#request = request;
    for (const fallback of request.bodyFallbacks ?? []) {
      if (context.refusals.has(fallback.refused.source)) this.#fallBack(this.#request, fallback);
    }
    this.#route = route;
    this.#handler = handler;
    this.#context = context;
    this.#waitLimits = patience;
    this.#retryWaitMs = patience?.retryWaitMs;
    this.#send(false);
  }

  pause(): void {
    if (this.#isPaused || this.#state !== "open") return;
    this.#isPaused = true;
    this.#timeout?.stop();
    this.#connection?.pause();
    this.#decoder?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#state === "open") this.#watchAnswer();
    this.#decoder?.resume();
    if (!this.#decoder?.isFull) this.#connection?.resume();
  }

  abort(): void {
    this.#close();
    this.#disconnect();
  }

  release(): void {
    if (this.#state !== "open") return;
    this.#state = "released";
    this.#watch(this.#context.afterRelease);
    if (this.#decoder?.isFull) this.#connection?.resume();
    this.#dropDecoder();
    if (this.#isPaused) this.resume();
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
      if (this.#decoder.isFull) this.#connection?.pause();
    } else {
      this.#takeBody(bytes, start, end);
    }
  }

  onReadEnd(): void {
    if (this.#state !== "open") return;
    if (this.#hasBegun) this.#timeout?.restart();
    if (!this.#decoder) this.#takeReadEnd();
  }

  onComplete(): void {
    this.#connection = undefined;
    this.#endBody();
  }

  onBroken(error: Error): void {
    const isReused = (this.#connection?.requests ?? 0) > 1;
    this.#connection = undefined;
    // The provider closed an idle connection just as the request was sent.
    if (isReused && !this.#hasHead && this.#state === "open") {
      this.#send(true);
      return;
    }
    // Treat a connection that was closed without a response as reset.
    this.#broken = "code" in error ? error : Object.assign(error, { code: "ECONNRESET" });
    this.#endBody();
  }

  onDecoded(bytes: Buffer): void {
    if (this.#state === "open") this.#takeBody(bytes, 0, bytes.length);
    if (this.#state === "open") this.#takeReadEnd();
  }

  onDecoderReady(): void {
    if (!this.#isPaused) this.#connection?.resume();
  }

  onDecodedEnd(): void {
    if (this.#state === "open") this.#finish();
  }

  onUndecodable(error: Error): void {
    if (this.#state !== "open") return;
    this.#disconnect();
    if (this.#refusal || this.#broken) this.#finish();
    else this.#fail(toDecodingError(error));
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
    if (!this.#isPaused) this.#watchAnswer();
  }

  #takeReadEnd(): void {
    if (this.#refusal && this.#refusal.body.length >= maxErrorBytes) this.#refuse(this.#refusal);
    else if (!this.#refusal && this.#hasBytes) this.#handler.onReadEnd();
  }

  /** The connection delivers no more bytes. The decoder may still hold some. */
  #endBody(): void {
    if (this.#state === "released") this.#close();
    if (this.#state !== "open") return;
    if (this.#decoder) this.#decoder.end();
    else this.#finish();
  }

  /** Called when all bytes have been passed on. */
  #finish(): void {
    if (this.#refusal) {
      this.#refuse(this.#refusal);
    } else if (this.#broken) {
      this.#failOrRetry(toTransportError(this.#broken, this.#hasHead));
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
    let { head } = this.#route;
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
    if (body instanceof LargeJson) {
      void this.#sendEncoded(head, body, onNewConnection);
      return;
    }
    const connection = this.#connect(onNewConnection);
    if (body === undefined) connection.send(`${head}\r\n`, this);
    else if (typeof body === "string")
      connection.send(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, this);
    else connection.send(`${head}Content-Length: ${body.length}\r\n\r\n`, this, body.lend());
  }

  #connect(onNewConnection: boolean): Connection {
    this.#watch(this.#waitLimits?.head ?? this.#route.firstBytes);
    const connection = this.#context.pool.acquire(onNewConnection);
    if (this.#isPaused) connection.pause();
    this.#connection = connection;
    return connection;
  }

  async #sendEncoded(head: string, body: LargeJson, onNewConnection: boolean): Promise<void> {
    this.#timeout?.stop();
    try {
      const pieces = await body.encode(() => this.#state === "open");
      if (pieces === undefined) return;
      const whole = `${head}Content-Length: ${body.length}\r\n\r\n`;
      this.#connect(onNewConnection).send(whole, this, { pieces, onWritten() {} });
    } catch (error) {
      this.#fail(
        new ProviderError("invalid", "The conversation could not be sent to the model provider.", { cause: error }),
      );
    }
  }

  /** Once the provider has begun to answer, the request is never sent again. */
  #accept(head: ResponseHead): void {
    this.#request = undefined;
    if (this.#waitLimits && !this.#isPaused) this.#watch(this.#route.firstBytes);
    for (const refused of this.#refused ?? []) this.#context.refusals.add(refused);
    this.#handler.onHead?.(head);
  }

  #refuse({ head, body }: { head: ResponseHead; body: string }): void {
    this.#disconnect();
    this.#dropDecoder();
    const text = Buffer.from(body.slice(0, maxErrorBytes), "latin1").toString("utf8");
    const request = this.#request;
    const fallback = mayRefuseBody(head.status) && request?.bodyFallbacks?.find(({ refused }) => refused.test(text));
    if (request && fallback) {
      if (fallback.isLearned) this.#refused = [...(this.#refused ?? []), fallback.refused.source];
      this.#fallBack(request, fallback);
      this.#sendAfter(0);
      return;
    }
    const { secrets, pool } = this.#context;
    const { proxy, target } = pool.destination;
    const { status, headers } = head;
    this.#failOrRetry(
      proxy && status === proxyAuthenticationRequired
        ? toTransportError(new ProxyError(proxy, { status, target: target.host }), false)
        : toAnswerError({ status, headers, body: text }, secrets),
    );
  }

  #fallBack(request: ProviderRequest, fallback: BodyFallback): void {
    const bodyFallbacks = request.bodyFallbacks?.filter((other) => other !== fallback) ?? [];
    this.#request = { ...request, body: fallback.body(), bodyFallbacks };
  }

  #failOrRetry(error: ProviderError): void {
    this.#attempts += 1;
    const mayPass = this.#context.retryOn === "busy" ? isBusy(error) : isTransient(error);
    const delayMs = mayPass ? getRetryDelayMs(error, this.#attempts, this.#retryWaitMs) : undefined;
    if (delayMs === undefined || !this.#request) {
      this.#fail(error);
      return;
    }
    if (this.#retryWaitMs !== undefined) this.#retryWaitMs -= delayMs;
    this.#sendAfter(delayMs);
  }

  #sendAfter(delayMs: number): void {
    this.#timeout?.stop();
    this.#retry = setTimeout(() => this.#send(false), delayMs);
  }

  #watchAnswer(): void {
    this.#watch(this.#hasFinished ? this.#context.afterFinish : this.#route.betweenBytes);
  }

  #watch(watch: TimeoutWatch): void {
    this.#timeout?.stop();
    this.#timeout = watch.watch(() => {
      if (this.#state === "open" && this.#hasFinished) {
        // Some providers neither send `[DONE]` nor end their response.
        this.#handler.onEnd();
        this.release();
        return;
      }
      if (this.#state === "open") this.#fail(buildTimeoutError(this.#hasBegun));
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
    this.#timeout?.stop();
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

// Some providers respond to an unknown parameter with 500.
function mayRefuseBody(status: number): boolean {
  return status === 400 || status === 404 || status === 415 || status === 422 || status === 500;
}
