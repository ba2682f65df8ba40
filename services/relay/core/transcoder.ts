import { readCompletionChunk } from "./completion-chunk.ts";
import { failures } from "./failures.ts";
import type { Profile, RunFailure } from "./profiles/profile.ts";
import { FrameScanner, FrameTooLargeError } from "./sse/frame-scanner.ts";
import type { ToolCalls } from "./tool-calls.ts";
import { UnnamedToolCallError } from "./tool-calls.ts";

/** A provider's event may have this many bytes. */
const largestFrameBytes = 1024 * 1024;

/**
 * Turns the bytes of a provider's stream into calls of a profile: no sockets, no waiting, no framework. The bytes may be
 * cut anywhere.
 *
 * The run has succeeded when `[DONE]` came, or a finish reason before the stream ended. Anything else ends it as failed:
 * an error in the stream, data that is neither JSON nor `[DONE]`, an event over 1 MiB, an end without a finish reason.
 * What comes after the end of the run is ignored.
 */
export class Transcoder {
  readonly #profile: Profile;
  readonly #toolCalls: ToolCalls;
  readonly #describeError: (error: unknown) => RunFailure;
  readonly #scanner: FrameScanner;
  #ended = false;
  #failure: RunFailure | undefined;
  #sawFinishReason = false;
  #ending = false;

  /** @param describeError says what a client may know of an error inside the stream */
  constructor(profile: Profile, toolCalls: ToolCalls, describeError: (error: unknown) => RunFailure) {
    this.#profile = profile;
    this.#describeError = describeError;
    this.#toolCalls = toolCalls;
    this.#scanner = new FrameScanner({
      maxFrameBytes: largestFrameBytes,
      handle: (bytes, start, end, event) => this.#frame(bytes, start, end, event),
    });
  }

  /** Whether the run is over: its last event is written. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Why the run failed, if it did. */
  get failure(): RunFailure | undefined {
    return this.#failure;
  }

  push(bytes: Buffer): void {
    if (this.#ended) return;
    try {
      this.#scanner.push(bytes);
    } catch (error) {
      if (error instanceof FrameTooLargeError) this.fail(failures.frameTooLarge);
      else if (error instanceof UnnamedToolCallError) this.fail(failures.unnamedToolCall);
      else throw error;
    }
  }

  /** No more bytes come: `failure` says why, for a run that is not complete. */
  end(failure: RunFailure = failures.cut): void {
    if (this.#ended) return;
    this.#ending = true;
    this.#scanner.end();
    if (this.#ended) return;
    if (this.#sawFinishReason) this.#finish();
    else this.fail(failure);
  }

  fail(failure: RunFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#profile.failed(failure);
  }

  #finish(): void {
    this.#ended = true;
    this.#toolCalls.end();
    this.#profile.finished();
  }

  #frame(bytes: Buffer, start: number, end: number, event: string): boolean {
    const data = bytes.toString("utf8", start, end);
    if (event === "error") {
      this.fail(this.#describeError(parseJson(data) ?? data));
      return false;
    }
    if (data.trim() === "[DONE]") {
      this.#finish();
      return false;
    }
    const json = parseJson(data);
    if (json === undefined) {
      // What the end of the stream cut in two says nothing; whether the run is complete is seen without it.
      if (!this.#ending) this.fail(failures.notJson);
      return false;
    }
    this.#chunk(json);
    return !this.#ended;
  }

  #chunk(json: unknown): void {
    const chunk = readCompletionChunk(json);
    if (chunk.error) {
      this.fail(this.#describeError(chunk.error));
      return;
    }
    if (chunk.reasoning) this.#profile.reasoning(chunk.reasoning);
    if (chunk.text) this.#profile.text(chunk.text);
    if (chunk.refusal) this.#profile.refusal(chunk.refusal);
    for (const toolCall of chunk.toolCalls) this.#toolCalls.delta(toolCall);
    if (chunk.usage) this.#profile.usage(chunk.usage);
    if (chunk.finishReason) this.#sawFinishReason = true;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
