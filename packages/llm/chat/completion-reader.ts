import { createParser } from "eventsource-parser";
import type { ChatCompletionClient } from "../byte-stream/completion-client.ts";
import type { CompletionRequest, CompletionStream, CompletionStreamHandler } from "../byte-stream/completion-stream.ts";
import { transportError } from "../errors/failures.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { GENERIC_PROVIDER_MESSAGE, safeProviderMessage } from "../errors/safe-message.ts";
import type { CompletionChunk } from "./completion-chunk.ts";
import { readCompletionChunk } from "./completion-chunk.ts";

/** One event may be this long. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
/** With more chunks than these unread, the provider waits. */
const MOST_WAITING = 64;

/**
 * Reads one streamed completion, chunk by chunk, and makes everything that is wrong with it a ProviderError: silence, data
 * that is not JSON, an error in the place of a chunk, an end without a finish reason or `[DONE]`. What came before is given
 * first. A provider that is not read from is paused.
 */
export class CompletionReader implements CompletionStreamHandler {
  readonly #stream: CompletionStream;
  readonly #signal: AbortSignal;
  readonly #secrets: readonly string[];
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#take(event, data.trim()),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new ProviderError("invalid", "The model provider sent too much.");
    },
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  #chunks: CompletionChunk[] = [];
  #state: "awaited" | "begun" | "finished" | "over" = "awaited";
  /** The body has ended: an event without its empty line may be one that broke off. */
  #isCut = false;
  #paused = false;
  #failure: unknown;
  #wake: (() => void) | undefined;

  /** @param options.signal ends the request at once when it aborts; it must not have aborted yet */
  constructor(
    client: ChatCompletionClient,
    request: CompletionRequest,
    options: { signal: AbortSignal; secrets: readonly string[] },
  ) {
    this.#signal = options.signal;
    this.#secrets = options.secrets;
    this.#signal.addEventListener("abort", this.#abort);
    this.#stream = client.open(request, this);
  }

  /** Comments and events without data say that the provider lives, not that it answers. */
  get hasBegun(): boolean {
    return this.#state !== "awaited";
  }

  get hasFinished(): boolean {
    return this.#state === "finished";
  }

  get #isOver(): boolean {
    return this.#state === "over";
  }

  /**
   * The chunks that came since the last call, at least one; none at the end.
   *
   * @throws ProviderError, and the signal's reason once it is aborted
   */
  async read(): Promise<readonly CompletionChunk[]> {
    if (this.#chunks.length === 0 || this.#isOver) await this.begun();
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Resolves once there is something to read, or the end. Throws as `read` does. */
  async begun(): Promise<void> {
    while (this.#chunks.length === 0 && !this.#isOver) {
      if (this.#paused) {
        this.#paused = false;
        this.#stream.resume();
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (!this.#isOver) return;
    this.#signal.throwIfAborted();
    if (this.#chunks.length === 0 && this.#failure !== undefined) throw this.#failure;
  }

  /** Reads no further. The request ends at once, unless it has come to its end. */
  close(): void {
    if (!this.#isOver) this.#stream.abort();
    this.#end();
  }

  onBytes(bytes: Buffer, start: number, end: number): void {
    this.#feed(this.#decoder.decode(bytes.subarray(start, end), { stream: true }));
  }

  onReadEnd(): void {
    if (this.#chunks.length > MOST_WAITING && !this.#paused && !this.#isOver) {
      this.#paused = true;
      this.#stream.pause();
    }
    if (this.#chunks.length > 0) this.#wakeReader();
  }

  onEnd(): void {
    this.#isCut = true;
    this.#feed("\n\n");
    this.onFailure(transportError(new Error("The body ended early."), true));
  }

  onFailure(error: ProviderError): void {
    if (this.#isOver) return;
    if (this.#state !== "finished") this.#failure = error;
    this.#end();
  }

  #feed(text: string): void {
    if (this.#isOver) return;
    try {
      this.#parser.feed(text);
    } catch (error) {
      this.#stream.abort();
      this.#failure = error;
      this.#end();
    }
  }

  #take(event: string | undefined, data: string): void {
    // An event without data is a sign of life.
    if (this.#isOver || data === "") return;
    const json = parsed(data);
    if (event === "error") throw this.#told(json ?? data);
    if (data === "[DONE]") {
      // Some providers keep the connection open after the end.
      this.#stream.release();
      this.#end();
      return;
    }
    if (json === undefined) {
      // What the end of the body cut in two says nothing, nor does what follows a whole answer.
      if (this.#isCut || this.#state === "finished") return;
      throw new ProviderError("invalid", "The model provider sent something that is not a chat completion.");
    }
    const chunk = readCompletionChunk(json);
    if (chunk.error) throw this.#told(chunk.error);
    if (chunk.finishReason !== undefined) this.#state = "finished";
    else if (this.#state === "awaited") this.#state = "begun";
    this.#chunks.push(chunk);
  }

  #told(error: unknown): ProviderError {
    const message = safeProviderMessage(error, this.#secrets);
    return new ProviderError("invalid", message, { isQuoted: message !== GENERIC_PROVIDER_MESSAGE });
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
