import type { TimeoutWatch, Watched } from "@agent-backends/kit/timeouts";
import { answerError, silenceError, transportError, unpackingError } from "../errors/failures.ts";
import type { ProviderError } from "../errors/provider-error.ts";
import { isBusy, retryDelayMs } from "../errors/retry.ts";
import type { DecodedBodyHandler } from "./body-decoder.ts";
import { BodyDecoder, canDecode } from "./body-decoder.ts";
import type { CompletionRequest, CompletionStream, CompletionStreamHandler } from "./completion-stream.ts";
import { ErrorBody } from "./error-body.ts";
import type { Connection, ExchangeHandler } from "./http1/connection.ts";
import type { ConnectionPool } from "./http1/connection-pool.ts";
import type { ResponseHead } from "./http1/response-head.ts";

/** What exchanges share. */
export interface ExchangeEnvironment {
  pool: ConnectionPool;
  firstBytes: TimeoutWatch;
  betweenBytes: TimeoutWatch;
  afterFinish: TimeoutWatch;
  afterRelease: TimeoutWatch;
  /** Text in front of a request's body. */
  requestHead(request: CompletionRequest): string;
  /** What the provider is known to refuse: the sources of fallbacks' patterns. */
  refusals: Set<string>;
  retries: boolean;
  secrets: readonly string[];
}

/**
 * One completion that was asked for: sends the request and watches for silence. It sends it again over a new connection when
 * a kept one was closed under it, in other words when the provider refuses some of them, and, where `retries` says so, after
 * a wait when the provider is busy.
 */
export class CompletionExchange implements CompletionStream, ExchangeHandler, DecodedBodyHandler {
  readonly #handler: CompletionStreamHandler;
  readonly #environment: ExchangeEnvironment;
  #request: CompletionRequest | undefined;
  #connection: Connection | undefined;
  #watched: Watched | undefined;
  #retry: NodeJS.Timeout | undefined;
  #attempts = 0;
  #state: "open" | "released" | "closed" = "open";
  #heardHead = false;
  #heardBytes = false;
  #hasBegun = false;
  #hasFinished = false;
  #paused = false;
  #refusal: { head: ResponseHead; body: ErrorBody } | undefined;
  #refused: string | undefined;
  /** Unpacks a body that came packed, though it was asked for plain. */
  #decoder: BodyDecoder | undefined;
  #broken: Error | undefined;

  constructor(request: CompletionRequest, handler: CompletionStreamHandler, environment: ExchangeEnvironment) {
    const { fallback } = request;
    const known = fallback && environment.refusals.has(fallback.refused.source);
    this.#request = known ? { body: fallback.body(), headers: request.headers } : request;
    this.#handler = handler;
    this.#environment = environment;
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
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  release(): void {
    if (this.#state !== "open") return;
    this.#state = "released";
    this.#watch(this.#environment.afterRelease);
    if (this.#decoder?.full) this.#connection?.resume();
    this.#dropDecoder();
    if (this.#paused) this.resume();
  }

  onHead(head: ResponseHead): void {
    this.#heardHead = true;
    const coding = head.headers["content-encoding"] ?? "identity";
    const readable = coding.toLowerCase() === "identity" || canDecode(coding);
    if (readable && coding.toLowerCase() !== "identity") {
      this.#decoder = new BodyDecoder(coding, this);
      delete head.headers["content-encoding"];
    }
    if (head.status === 200 && readable && mayBeEventStream(head.headers)) this.#accepted();
    else this.#refusal = { head, body: new ErrorBody() };
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
    if (this.#state === "released") this.#close();
    if (this.#state !== "open") return;
    if (this.#decoder) this.#decoder.end();
    else this.#whole();
  }

  onBroken(error: Error): void {
    const servedBefore = (this.#connection?.requests ?? 0) > 1;
    this.#connection = undefined;
    if (this.#state === "released") this.#close();
    if (this.#state !== "open") return;
    // The provider closed a kept connection just when the request was sent.
    if (servedBefore && !this.#heardHead) {
      this.#send(true);
      return;
    }
    // One that was made and then closed without a word is as one that was reset.
    this.#broken = "code" in error ? error : Object.assign(error, { code: "ECONNRESET" });
    if (this.#decoder) this.#decoder.end();
    else this.#whole();
  }

  onDecoded(bytes: Buffer): void {
    if (this.#state === "open") this.#takeBody(bytes, 0, bytes.length);
    if (this.#state === "open") this.#takeReadEnd();
  }

  onDecoderReady(): void {
    if (!this.#paused) this.#connection?.resume();
  }

  onDecodedEnd(): void {
    if (this.#state === "open") this.#whole();
  }

  onUndecodable(error: Error): void {
    if (this.#state !== "open") return;
    this.#connection?.destroy();
    this.#connection = undefined;
    if (this.#refusal || this.#broken) this.#whole();
    else this.#fail(unpackingError(error));
  }

  #takeBody(bytes: Buffer, start: number, end: number): void {
    if (this.#refusal) {
      this.#refusal.body.add(bytes.subarray(start, end));
      return;
    }
    this.#heardBytes = true;
    this.#handler.onBytes(bytes, start, end);
    if (this.#hasFinished || this.#state !== "open" || this.#handler.hasBegun === false) return;
    const { hasFinished = false } = this.#handler;
    if (this.#hasBegun && !hasFinished) return;
    this.#hasBegun = true;
    this.#hasFinished = hasFinished;
    if (!this.#paused) this.#watchAnswer();
  }

  #takeReadEnd(): void {
    if (this.#refusal?.body.full) this.#afterRefusal(this.#refusal);
    else if (!this.#refusal && this.#heardBytes) this.#handler.onReadEnd();
  }

  /** Everything that comes has been given. */
  #whole(): void {
    if (this.#refusal) {
      this.#afterRefusal(this.#refusal);
    } else if (this.#broken) {
      this.#fail(transportError(this.#broken, this.#heardHead));
    } else {
      this.#close();
      this.#handler.onEnd();
    }
  }

  #send(fresh: boolean): void {
    const { pool, firstBytes, requestHead } = this.#environment;
    if (!this.#request) return;
    const { body } = this.#request;
    this.#heardHead = false;
    this.#refusal = undefined;
    this.#broken = undefined;
    this.#watch(firstBytes);
    this.#connection = pool.acquire(fresh);
    this.#connection.send(requestHead(this.#request) + body, this);
  }

  /** The answer has begun: nothing is sent again. */
  #accepted(): void {
    this.#request = undefined;
    if (this.#refused !== undefined) this.#environment.refusals.add(this.#refused);
  }

  #afterRefusal({ head, body }: { head: ResponseHead; body: ErrorBody }): void {
    this.#connection?.destroy();
    this.#connection = undefined;
    this.#dropDecoder();
    const text = body.text();
    const { fallback, headers } = this.#request ?? {};
    if (fallback && refusesBody(head.status) && fallback.refused.test(text)) {
      this.#request = { body: fallback.body(), headers };
      this.#refused = fallback.refused.source;
      this.#sendAfter(0);
      return;
    }
    this.#attempts += 1;
    const error = answerError({ status: head.status, headers: head.headers, body: text }, this.#environment.secrets);
    const asksAgain = this.#environment.retries && isBusy(error);
    const delayMs = asksAgain ? retryDelayMs(error, this.#attempts) : undefined;
    if (delayMs !== undefined) this.#sendAfter(delayMs);
    else this.#fail(error);
  }

  #sendAfter(delayMs: number): void {
    this.#watched?.stop();
    this.#retry = setTimeout(() => this.#send(false), delayMs);
  }

  #watchAnswer(): void {
    const { betweenBytes, afterFinish } = this.#environment;
    this.#watch(this.#hasFinished ? afterFinish : betweenBytes);
  }

  #watch(watch: TimeoutWatch): void {
    this.#watched?.stop();
    this.#watched = watch.watch(() => {
      if (this.#state === "open" && this.#hasFinished) return this.#leave();
      if (this.#state === "open") this.#fail(silenceError(this.#hasBegun));
      this.abort();
    });
  }

  /** Some providers neither say `[DONE]` nor end their answer. */
  #leave(): void {
    this.#handler.onEnd();
    this.release();
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

  #dropDecoder(): void {
    this.#decoder?.destroy();
    this.#decoder = undefined;
  }
}

// Some answer what they do not know with a failure of their own, such as a 500 for an unexpected argument.
function refusesBody(status: number): boolean {
  return status === 400 || status === 422 || status === 500;
}

// A provider that leaves the media type out, or gives another, may well stream: only what says that it is a whole
// document is none.
function mayBeEventStream(headers: Record<string, string>): boolean {
  const type = (headers["content-type"] ?? "").toLowerCase();
  return !/^(application\/(problem\+)?json|text\/html)\b/.test(type);
}
