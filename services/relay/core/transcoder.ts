import type { TokenUsage } from "@agent-backends/contract";
import type { CompletionChunk, ToolCalls } from "@agent-backends/llm";
import { readCompletionChunk, UnnamedToolCallError } from "@agent-backends/llm";
import { failures } from "./failures.ts";
import type { LearnedFrame, RelayedDelta } from "./fast-path/learn-template.ts";
import { learnFrame } from "./fast-path/learn-template.ts";
import { LastUsage } from "./last-usage.ts";
import type { Profile, RunFailure } from "./profiles/profile.ts";
import { FrameScanner, FrameTooLargeError } from "./sse/frame-scanner.ts";

/** A provider's event may have this many bytes. */
const largestFrameBytes = 1024 * 1024;

/** A stream whose frames were never like the one before this many times is not learned from any more. */
const mostVainLessons = 16;

/** How many frames of the providers were recognised by their bytes, and how many had to be parsed. */
export interface FrameCounts {
  recognised: number;
  parsed: number;
}

/** What one run has learned of the provider's frames, for the next one: it need not parse its first. */
export interface FrameLessons {
  text?: LearnedFrame;
}

/**
 * Turns the bytes of a provider's stream into calls of a profile: no sockets, no waiting, no framework. The bytes may be
 * cut anywhere. Most frames differ from the one before only in their text: they are recognised by their bytes, and the
 * text's JSON literal is relayed as it stands. All others are parsed.
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
  readonly #counts: FrameCounts;
  readonly #lessons: FrameLessons;
  readonly #mostTokens: number;
  #tokens = 0;
  #learned: LearnedFrame | undefined;
  #vainLessons = 0;
  #ended = false;
  #failure: RunFailure | undefined;
  readonly #usage = new LastUsage();
  #finishReason: string | undefined;
  #ending = false;

  /**
   * @param options.describeError says what a client may know of an error inside the stream
   * @param options.counts is counted up
   * @param options.lessons is shared by the runs of one provider
   * @param options.mostTokens fails an answer of more; each frame of the provider's counts as one
   */
  constructor(
    profile: Profile,
    toolCalls: ToolCalls,
    options: {
      describeError: (error: unknown) => RunFailure;
      counts: FrameCounts;
      lessons?: FrameLessons;
      mostTokens?: number;
    },
  ) {
    this.#profile = profile;
    this.#describeError = options.describeError;
    this.#counts = options.counts;
    this.#lessons = options.lessons ?? {};
    this.#mostTokens = options.mostTokens ?? Number.POSITIVE_INFINITY;
    this.#learned = this.#lessons.text;
    this.#toolCalls = toolCalls;
    this.#scanner = new FrameScanner({
      maxFrameBytes: largestFrameBytes,
      shortcut: (bytes, start, end) => this.#recognise(bytes, start, end),
      handle: (bytes, start, end, event, lineStart) => this.#frame(bytes, start, end, event, lineStart),
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

  /** Whether the run is complete, whatever follows. */
  get hasFinishReason(): boolean {
    return this.#finishReason !== undefined;
  }

  /** How many tokens the provider counted, if it told. */
  get usage(): TokenUsage | undefined {
    return this.#usage.read();
  }

  /** Takes the next bytes, `bytes[start, end)`. */
  push(bytes: Buffer, start = 0, end: number = bytes.length): void {
    if (this.#ended) return;
    try {
      this.#scanner.push(bytes, start, end);
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
    if (this.#finishReason) this.#finish();
    else this.fail(failure);
  }

  fail(failure: RunFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#toolCalls.release();
    this.#tellUsage();
    this.#profile.failed(failure);
  }

  #finish(): void {
    this.#ended = true;
    this.#toolCalls.end();
    this.#tellUsage();
    this.#profile.finished(this.#finishReason);
  }

  #tellUsage(): void {
    const { usage } = this;
    if (usage) this.#profile.usage(usage);
  }

  /** Relays the frame that begins at `start` without parsing it and returns its end, or -1 when it can't. */
  #recognise(bytes: Buffer, start: number, end: number): number {
    if (!this.#learned || this.#toolCalls.holding || this.#tokens >= this.#mostTokens) return -1;
    const { template, delta, usageModel } = this.#learned;
    const frameEnd = template.match(bytes, start, end);
    if (frameEnd < 0 || frameEnd - start > largestFrameBytes) return -1;
    if (!this.#relay(delta, bytes, template.literalStart, template.literalEnd)) return -1;
    if (usageModel !== undefined) this.#usage.keep(usageModel, bytes, template.usageStart, template.usageEnd);
    this.#vainLessons = 0;
    this.#tokens += 1;
    this.#counts.recognised += 1;
    return frameEnd;
  }

  #relay(delta: RelayedDelta, bytes: Buffer, start: number, end: number): boolean {
    if (delta.kind === "text") return this.#profile.textLiteral(bytes, start, end);
    if (delta.kind === "reasoning") return this.#profile.reasoningLiteral(bytes, start, end);
    const id = this.#toolCalls.openCallId(delta.index);
    return id !== undefined && this.#profile.toolCallArgumentsLiteral(id, bytes, start, end);
  }

  #frame(bytes: Buffer, start: number, end: number, event: string, lineStart: number): boolean {
    this.#counts.parsed += 1;
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
    const chunk = readCompletionChunk(json);
    if (isPiece(chunk)) this.#tokens += 1;
    if (this.#tokens > this.#mostTokens) this.fail(failures.tooManyTokens);
    else this.#tell(chunk);
    if (lineStart >= 0 && event === "" && !this.#ended && this.#vainLessons < mostVainLessons) {
      const learned = learnFrame({ bytes, lineStart, dataStart: start, dataEnd: end }, chunk, this.#learned);
      if (learned) {
        this.#learned = learned;
        if (learned.delta.kind === "text") this.#lessons.text = learned;
        this.#vainLessons += 1;
      }
    }
    return !this.#ended;
  }

  #tell(chunk: CompletionChunk): void {
    if (chunk.error) {
      this.fail(this.#describeError(chunk.error));
      return;
    }
    if (chunk.reasoning || chunk.text || chunk.refusal) this.#toolCalls.release();
    if (chunk.reasoning) this.#profile.reasoning(chunk.reasoning);
    if (chunk.text) this.#profile.text(chunk.text);
    if (chunk.refusal) this.#profile.refusal(chunk.refusal);
    for (const toolCall of chunk.toolCalls) this.#toolCalls.delta(toolCall);
    if (chunk.usage) this.#usage.set(chunk.usage);
    if (chunk.finishReason) this.#finishReason = chunk.finishReason;
  }
}

function isPiece({ text, reasoning, refusal, toolCalls }: CompletionChunk): boolean {
  return Boolean(text || reasoning || refusal) || toolCalls.length > 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
