import { fastStreamTurns } from "@agent-backends/kit/turns";
import { toTransportError } from "../errors/failures.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { genericProviderMessage, safeProviderMessage } from "../errors/safe-message.ts";
import { tryParseJson } from "../json.ts";
import type { Provider, ProviderCallObserver } from "../provider.ts";
import { FrameScanner, FrameTooLargeError } from "../transport/frame-scanner.ts";
import type { AskedProvider, ProviderRequest, ProviderStream, StreamHandler } from "../transport/provider-stream.ts";
import type { ResponseHead } from "../transport/response-head.ts";
import { ChunkReader } from "./chunk-reader.ts";
import type { CompletionChunk } from "./completion-chunk.ts";

/** Maximum size of one event of the provider. */
const maxFrameBytes = 8 * 1024 * 1024;
/** Pause reading from the provider once this many chunks are queued. */
const maxQueuedChunks = 64;
/**
 * A provider that sends more than this in one read sends without pause, so it has to wait for a turn. At a model's speed, a read has one or
 * two chunks of 300 bytes. Without turns, every fast stream is read in each turn of the event loop, up to 32 times each: 60 such streams
 * kept every other request waiting for 4 seconds.
 */
const maxReadBytes = 4 * 1024;

/** The completion's source: one provider, or several with fallback. */
export type CompletionProvider = Pick<Provider, "openCompletion" | "secrets">;

/**
 * Reads one streamed completion, chunk by chunk. Any fault becomes a ProviderError, after the chunks that came before it: silence, data
 * that isn't JSON, an error in place of a chunk, an end without a finish reason or `[DONE]`.
 */
export class CompletionReader implements StreamHandler {
  readonly #stream: ProviderStream;
  readonly #body: ProviderRequest["body"];
  readonly #signal: AbortSignal;
  readonly #observer: ProviderCallObserver | undefined;
  readonly #secrets: readonly string[];
  readonly #scanner = new FrameScanner({
    maxFrameBytes,
    handle: (bytes, start, end, event) => {
      this.#take(event, bytes.toString("utf8", start, end).trim());
      return !this.#isOver;
    },
  });
  readonly #reader = new ChunkReader();
  #chunks: CompletionChunk[] = [];
  #state: "awaited" | "begun" | "finished" | "over" = "awaited";
  /** The body has ended. An event without its final empty line may be incomplete. */
  #isCut = false;
  /** Bytes of the current read. */
  #readBytes = 0;
  #isPaused = false;
  #failure: unknown;
  #wake: (() => void) | undefined;

  /** @param signal ends the request at once when it aborts. It must not be aborted yet */
  constructor(
    provider: CompletionProvider,
    request: ProviderRequest,
    { signal, observer }: { signal: AbortSignal; observer: ProviderCallObserver | undefined },
  ) {
    this.#body = request.body;
    this.#signal = signal;
    this.#observer = observer;
    this.#secrets = provider.secrets;
    this.#signal.addEventListener("abort", this.#abort);
    this.#stream = provider.openCompletion(request, this);
  }

  /** Whether the answer has begun. Comments and events without data are keep-alives, not the beginning of an answer. */
  get hasBegun(): boolean {
    return this.#state !== "awaited";
  }

  /** Length of the request's body, once it has been sent. */
  get inputBytes(): number {
    return typeof this.#body === "string" ? Buffer.byteLength(this.#body) : (this.#body?.length ?? 0);
  }

  get hasFinished(): boolean {
    return this.#state === "finished";
  }

  get #isOver(): boolean {
    return this.#state === "over";
  }

  /**
   * Resolves with the chunks since the last call, at least one, or with an empty list at the end.
   *
   * @throws ProviderError, and the signal's reason once it is aborted
   */
  async read(): Promise<readonly CompletionChunk[]> {
    while (!this.#isOver) {
      if (this.#isPaused) await fastStreamTurns.turn();
      if (this.#isOver || this.#chunks.length > 0) break;
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#stream.resume();
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#isOver) {
      this.#signal.throwIfAborted();
      if (this.#chunks.length === 0 && this.#failure !== undefined) throw this.#failure;
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Stops reading. Aborts the request unless it has ended. */
  close(): void {
    if (!this.#isOver) this.#stream.abort();
    this.#end();
  }

  onHead(_head: ResponseHead, provider?: AskedProvider): void {
    if (provider) this.#observer?.answeredBy?.(provider);
  }

  onBytes(bytes: Buffer, start: number, end: number): void {
    this.#readBytes += end - start;
    this.#scan(() => this.#scanner.push(bytes, start, end));
  }

  onReadEnd(): void {
    const isFull = this.#chunks.length > maxQueuedChunks || (this.#readBytes > maxReadBytes && this.hasBegun);
    this.#readBytes = 0;
    if (isFull && !this.#isPaused && !this.#isOver) {
      this.#isPaused = true;
      this.#stream.pause();
    }
    if (this.#chunks.length > 0 || this.#isPaused) this.#wakeReader();
  }

  onEnd(): void {
    this.#isCut = true;
    this.#scan(() => this.#scanner.end());
    this.onFailure(toTransportError(new Error("The body ended early."), true));
  }

  onFailure(error: ProviderError, provider?: AskedProvider): void {
    if (this.#isOver) return;
    if (provider) this.#observer?.answeredBy?.(provider);
    if (this.#state !== "finished") this.#failure = error;
    this.#end();
  }

  #scan(scan: () => void): void {
    if (this.#isOver) return;
    try {
      scan();
    } catch (error) {
      this.#stream.abort();
      const isTooLarge = error instanceof FrameTooLargeError;
      this.#failure = isTooLarge ? new ProviderError("invalid", "The model provider sent too much.") : error;
      this.#end();
    }
  }

  #take(event: string, data: string): void {
    if (data === "") return;
    const json = tryParseJson(data);
    if (event === "error") throw this.#quote(json ?? data);
    if (data === "[DONE]") {
      // Some providers keep the connection open after the end.
      this.#stream.release();
      this.#end();
      return;
    }
    if (json === undefined) {
      // Ignore an event truncated by the end of the body, and anything after a complete answer.
      if (this.#isCut || this.#state === "finished") return;
      throw new ProviderError("invalid", "The model provider sent something that is not a chat completion.");
    }
    const chunk = this.#reader.read(json);
    if (chunk.error) throw this.#quote(chunk.error);
    if (chunk.finishReason !== undefined) this.#state = "finished";
    else if (this.#state === "awaited") this.#state = "begun";
    this.#chunks.push(chunk);
  }

  #quote(error: unknown): ProviderError {
    const message = safeProviderMessage(error, this.#secrets);
    return new ProviderError("invalid", message, { isQuoted: message !== genericProviderMessage });
  }

  readonly #abort = (): void => this.close();

  #end(): void {
    this.#state = "over";
    this.#signal.removeEventListener("abort", this.#abort);
    this.#wakeReader();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
