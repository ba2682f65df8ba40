import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { ProviderError } from "../errors/provider-error.ts";
import { ChunkGatherer } from "./chunk-gatherer.ts";
import { ErrorBody } from "./error-body.ts";
import { answerError, silenceError, transportError } from "./failures.ts";
import { SilenceTimer } from "./silence-timer.ts";

export interface CompletionTimeouts {
  /** How long the provider may be silent before the first bytes of its answer. */
  firstBytesTimeoutMs: number;
  /** How long it may be silent after that. */
  idleTimeoutMs: number;
}

/** Takes the answer of a provider. */
export interface CompletionStreamHandler {
  /** The bytes of one socket read. They are not copied: use them during the call. */
  onBytes(chunks: readonly Buffer[]): void;
  /** The answer is whole, as far as HTTP can tell. */
  onEnd(): void;
  /** The provider could not be reached, refused, answered something else than a stream, fell silent or broke off. */
  onFailure(error: ProviderError): void;
}

/** A provider's answer that is on its way. */
export interface CompletionStream {
  /** Lets the provider wait; at most what is already on its way still arrives. */
  pause(): void;
  resume(): void;
  /** Ends the request at once, whatever its state, and silently: the handler is not called again. */
  abort(): void;
  /** Takes nothing more, but leaves the provider a moment to end, so that its connection can serve again. */
  release(): void;
}

/** A provider that has sent all gets this long to end its answer properly. */
const releaseTimeoutMs = 1_000;

/** Adapts undici's callbacks to a CompletionStreamHandler, and watches for silence. */
export class DispatchedStream implements CompletionStream, Dispatcher.DispatchHandler {
  readonly #handler: CompletionStreamHandler;
  readonly #timeouts: CompletionTimeouts;
  readonly #secrets: readonly string[];
  readonly #gatherer: ChunkGatherer;
  readonly #silence: SilenceTimer;
  #controller: Dispatcher.DispatchController | undefined;
  #state: "open" | "released" | "closed" = "open";
  #heardBytes = false;
  #paused = false;
  #failed: { status: number; headers: IncomingHttpHeaders; body: ErrorBody } | undefined;

  constructor(handler: CompletionStreamHandler, timeouts: CompletionTimeouts, secrets: readonly string[]) {
    this.#handler = handler;
    this.#secrets = secrets;
    this.#timeouts = timeouts;
    this.#gatherer = new ChunkGatherer((chunks) => {
      if (this.#state === "open") this.#handler.onBytes(chunks);
    });
    this.#silence = new SilenceTimer(timeouts.firstBytesTimeoutMs, () => {
      if (this.#state === "open") this.#fail(silenceError(this.#heardBytes));
      this.abort();
    });
  }

  pause(): void {
    if (this.#paused || this.#state !== "open") return;
    this.#paused = true;
    this.#silence.stop();
    this.#controller?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#state === "open") this.#silence.restart(this.#timeouts.idleTimeoutMs);
    this.#controller?.resume();
  }

  abort(): void {
    this.#close();
    this.#controller?.abort(aborted);
  }

  release(): void {
    if (this.#state !== "open") return;
    this.#state = "released";
    this.#silence.restart(releaseTimeoutMs);
    if (this.#paused) this.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === "closed") controller.abort(aborted);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    if (status !== 200 || !mayBeEventStream(headers)) this.#failed = { status, headers, body: new ErrorBody() };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state !== "open") return;
    if (this.#failed) {
      this.#failed.body.add(chunk);
      if (this.#failed.body.full) this.#failWithAnswer();
      return;
    }
    if (this.#heardBytes) {
      if (!this.#paused) this.#silence.heard();
    } else {
      this.#heardBytes = true;
      this.#silence.restart(this.#timeouts.idleTimeoutMs);
    }
    this.#gatherer.add(chunk);
  }

  onResponseEnd(): void {
    this.#gatherer.flush();
    if (this.#state === "released") this.#close();
    if (this.#state !== "open") return;
    if (this.#failed) {
      this.#failWithAnswer();
    } else {
      this.#close();
      this.#handler.onEnd();
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#gatherer.flush();
    if (this.#state === "released") this.#close();
    if (this.#state !== "open") return;
    if (this.#failed) this.#failWithAnswer();
    else this.#fail(transportError(error, this.#heardBytes));
  }

  #failWithAnswer(): void {
    if (!this.#failed) return;
    const { status, headers, body } = this.#failed;
    this.#fail(answerError({ status, headers, body: body.text() }, this.#secrets));
    this.#controller?.abort(aborted);
  }

  #fail(error: ProviderError): void {
    this.#close();
    this.#handler.onFailure(error);
  }

  #close(): void {
    this.#state = "closed";
    this.#silence.stop();
  }
}

const aborted = new Error("The request was aborted.");

// A provider that leaves the media type out, or gives another, may well stream: only what says that it is a whole
// document, or packed, is none.
function mayBeEventStream(headers: IncomingHttpHeaders): boolean {
  const type = String(headers["content-type"] ?? "").toLowerCase();
  const encoding = String(headers["content-encoding"] ?? "identity").toLowerCase();
  return !/^(application\/(problem\+)?json|text\/html)\b/.test(type) && encoding === "identity";
}
