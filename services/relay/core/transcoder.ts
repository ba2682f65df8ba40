import type { RelayProfile, TokenUsage } from "@agent-backends/contract";
import type { RunWarning } from "@agent-backends/kit/ag-ui";
import { agUi0, agUi1 } from "@agent-backends/kit/ag-ui";
import type { EventSink } from "@agent-backends/kit/runs";
import type { CompletionChunk, FrameHandler } from "@agent-backends/llm";
import {
  ChunkReader,
  FrameScanner,
  FrameTooLargeError,
  ToolCallError,
  ToolCalls,
  tryParseJson,
} from "@agent-backends/llm";
import type { Artefact, ModelIdentity } from "./artefact.ts";
import { AnswerArtefact, sealArtefact } from "./artefact.ts";
import type { RunFailure } from "./failures.ts";
import { failures, toInternalFailure, toToolCallFailure } from "./failures.ts";
import type { LearnedFrame, RelayedDelta } from "./fast-path/learn-template.ts";
import { learnFrame } from "./fast-path/learn-template.ts";
import { LastUsage } from "./last-usage.ts";
import { AgUiProfile } from "./profiles/ag-ui-profile.ts";
import { ContractProfile } from "./profiles/contract-profile.ts";
import type { Profile, RunIdentity } from "./profiles/profile.ts";

/** Maximum size of one event of the provider. */
const maxFrameBytes = 1024 * 1024;

/** Stop learning from a stream after this many templates that no later frame matched. */
const maxUnusedLessons = 16;

const reasoningTooLarge: RunWarning = {
  code: "reasoning_dropped",
  pointer: "",
  detail: "the model's reasoning is too large to be kept, so it will not be sent back to the model",
};

const callUnnamed: RunWarning = {
  code: "call_unnamed",
  pointer: "",
  detail: "the model provider sent a tool call without a name, which was left out",
};

const mediaDropped: RunWarning = {
  code: "part_dropped",
  pointer: "",
  detail: "the model's answer has images, audio or other parts that are not text, which were left out",
};

/** Number of provider frames that the fast path handled, and of those that were parsed. */
export interface FrameCounts {
  recognised: number;
  parsed: number;
}

/**
 * Templates that one run learned from the provider's frames. The next run starts with them, so that even its first frame needn't be parsed.
 */
export interface FrameLessons {
  text?: LearnedFrame;
}

export interface TranscoderOptions {
  profile: RelayProfile;
  identity: RunIdentity;
  /** The model that answers. Values that it wants back are sealed for it. */
  model: ModelIdentity;
  /** Receives the events of the run. */
  events: EventSink<object>;
  /** Names of the run's tools. */
  toolNames: readonly string[];
  /** Ids of the tool calls in the conversation. */
  callIds?: readonly string[];
  newId(): string;
  /** Describes an error object inside the stream to the client. */
  describeError(error: unknown): RunFailure;
  /** Incremented here. */
  frames: FrameCounts;
  /** Shared by the runs of one provider. */
  lessons?: FrameLessons;
  /** Maximum tokens of an answer. Longer answers fail. Each frame of the provider counts as one token. */
  maxTokens?: number;
}

/**
 * Converts the bytes of a provider's stream to the events of a profile. It is synchronous and independent of sockets. The bytes may be
 * split anywhere. Most frames differ from the previous one only in their text: the fast path recognises them by their bytes and copies the
 * JSON literal of the text. All others are parsed.
 *
 * A run succeeds when `[DONE]` arrives, or a finish reason before the stream ends. Anything else makes it fail: an error in the stream,
 * data that is neither JSON nor `[DONE]`, an event over 1 MiB, an end without a finish reason. Bytes after the end of the run are ignored.
 */
export class Transcoder implements FrameHandler {
  readonly maxFrameBytes = maxFrameBytes;
  /** The model that answers. Set it before the first bytes if it isn't the one that was asked first. */
  model: ModelIdentity;
  readonly #profile: Profile;
  readonly #toolCalls: ToolCalls;
  readonly #describeError: (error: unknown) => RunFailure;
  readonly #scanner: FrameScanner;
  readonly #chunks = new ChunkReader();
  readonly #counts: FrameCounts;
  readonly #lessons: FrameLessons;
  readonly #maxTokens: number;
  #tokens = 0;
  #learnedFrame: LearnedFrame | undefined;
  #unusedLessons = 0;
  #hasEnded = false;
  #failure: RunFailure | undefined;
  /** What of the answer doesn't reach the client. */
  readonly warnings: RunWarning[] = [];
  readonly #usage = new LastUsage();
  readonly #artefact = new AnswerArtefact();
  #hasMedia = false;
  #finishReason: string | undefined;
  #isEnding = false;

  constructor(options: TranscoderOptions) {
    const { newId, toolNames } = options;
    // Clients of AG-UI look a call up in the whole conversation. The contract passes the provider's ids on as they are.
    const usedIds = options.profile === "contract" ? undefined : new Set(options.callIds);
    this.model = options.model;
    this.#profile = createProfile(options, (artefact) => sealArtefact(this.model, artefact));
    this.#toolCalls = new ToolCalls(this.#profile, { newId, usedIds, toolNames });
    this.#describeError = options.describeError;
    this.#counts = options.frames;
    this.#lessons = options.lessons ?? {};
    this.#maxTokens = options.maxTokens ?? Number.POSITIVE_INFINITY;
    this.#learnedFrame = this.#lessons.text;
    this.#scanner = new FrameScanner(this);
  }

  /** Whether the last event of the run has been written. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Why the run failed, if it did. */
  get failure(): RunFailure | undefined {
    return this.#failure;
  }

  /** Whether the answer is complete, whatever follows. */
  get hasFinishReason(): boolean {
    return this.#finishReason !== undefined;
  }

  /** The provider's token count, if it sent one. */
  get usage(): TokenUsage | undefined {
    const usage = this.#usage.read();
    const { vendor: provider } = this.model;
    return usage && provider !== undefined ? { provider, ...usage } : usage;
  }

  /** Tokens so far: one for each provider frame with content. */
  get tokens(): number {
    return this.#tokens;
  }

  start(): void {
    this.#profile.started();
  }

  warn(warning: RunWarning): void {
    if (!this.#hasEnded) this.#profile.warning?.(warning);
  }

  /** Processes the next bytes, `bytes[start, end)`. */
  push(bytes: Buffer, start = 0, end: number = bytes.length): void {
    if (this.#hasEnded) return;
    try {
      this.#scanner.push(bytes, start, end);
    } catch (error) {
      this.fail(toFailure(error));
    }
  }

  /** Ends the stream. A run that isn't complete fails with `failure`. */
  end(failure: RunFailure = failures.cut): void {
    if (this.#hasEnded) return;
    this.#isEnding = true;
    try {
      this.#scanner.end();
      if (this.#hasEnded) return;
      if (this.#finishReason) this.#finish();
      else this.fail(failure);
    } catch (error) {
      this.fail(toFailure(error));
    }
  }

  fail(failure: RunFailure): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#failure = failure;
    this.#toolCalls.release();
    this.#sendUsage();
    this.#profile.failed(failure);
  }

  #finish(): void {
    this.#toolCalls.end();
    this.#hasEnded = true;
    const artefact = this.#artefact.get();
    if (artefact) this.#profile.artefact?.(artefact);
    if (this.#artefact.isTooLarge) this.warnings.push(reasoningTooLarge);
    if (this.#hasMedia) this.warnings.push(mediaDropped);
    if (this.#toolCalls.unnamed > 0) this.warnings.push(callUnnamed);
    for (const warning of this.warnings) this.#profile.warning?.(warning);
    this.#sendUsage();
    this.#profile.finished(this.#finishReason);
  }

  #sendUsage(): void {
    const { usage } = this;
    if (usage) this.#profile.usage?.(usage);
  }

  /** Relays the frame that starts at `start` without parsing it. Returns its end, or -1 if the frame must be parsed. */
  shortcut(bytes: Buffer, start: number, end: number): number {
    if (!this.#learnedFrame || this.#toolCalls.holding || this.#tokens >= this.#maxTokens) return -1;
    const { template, delta, usageModel } = this.#learnedFrame;
    const frameEnd = template.match(bytes, start, end);
    if (frameEnd < 0 || frameEnd - start > maxFrameBytes) return -1;
    if (!this.#relay(delta, bytes, template.literalStart, template.literalEnd)) return -1;
    if (usageModel !== undefined) this.#usage.setLiteral(usageModel, bytes, template.usageStart, template.usageEnd);
    // The other kinds have templates only after a delta of this run was read.
    if (delta.kind === "text") this.#chunks.inDeltas.text = true;
    this.#unusedLessons = 0;
    this.#tokens += 1;
    this.#counts.recognised += 1;
    return frameEnd;
  }

  #relay(delta: RelayedDelta, bytes: Buffer, start: number, end: number): boolean {
    if (delta.kind === "text") return this.#profile.textLiteral(bytes, start, end);
    if (delta.kind === "reasoning") return this.#profile.reasoningLiteral?.(bytes, start, end) ?? true;
    const id = this.#toolCalls.passLiteral(delta, bytes, start, end);
    return id !== undefined && this.#profile.toolCallArgumentsLiteral(id, bytes, start, end);
  }

  /** Returns whether the run continues. */
  handle(bytes: Buffer, start: number, end: number, event: string, lineStart: number): boolean {
    this.#counts.parsed += 1;
    const data = bytes.toString("utf8", start, end);
    if (event === "error") {
      this.fail(this.#describeError(tryParseJson(data) ?? data));
      return false;
    }
    if (data.trim() === "[DONE]") {
      this.#finish();
      return false;
    }
    const json = tryParseJson(data);
    if (json === undefined) {
      // A frame truncated by the end of the stream isn't an error by itself: a complete answer doesn't need it.
      if (!this.#isEnding) this.fail(failures.notJson);
      return false;
    }
    const chunk = this.#chunks.read(json);
    if (hasContent(chunk)) this.#tokens += 1;
    if (this.#tokens > this.#maxTokens) this.fail(failures.tooManyTokens);
    else this.#apply(chunk);
    if (lineStart >= 0 && event === "" && !this.#hasEnded && this.#unusedLessons < maxUnusedLessons) {
      const learned = learnFrame({ bytes, lineStart, dataStart: start, dataEnd: end }, chunk, this.#learnedFrame);
      if (learned) {
        this.#learnedFrame = learned;
        if (learned.delta.kind === "text") this.#lessons.text = learned;
        this.#unusedLessons += 1;
      }
    }
    return !this.#hasEnded;
  }

  #apply(chunk: CompletionChunk): void {
    if (chunk.error) {
      this.fail(this.#describeError(chunk.error));
      return;
    }
    if (chunk.reasoning || chunk.text || chunk.refusal) this.#toolCalls.release();
    if (chunk.reasoning) this.#profile.reasoning?.(chunk.reasoning, chunk.reasoningField);
    if (chunk.reasoningDetails.length > 0 || chunk.extraContent) this.#artefact.add(chunk);
    if (chunk.text) this.#profile.text(chunk.text);
    if (chunk.refusal) this.#profile.refusal?.(chunk.refusal);
    for (const toolCall of chunk.toolCalls) this.#toolCalls.delta(toolCall);
    if (chunk.hasMedia) this.#hasMedia = true;
    if (chunk.usage) this.#usage.set(chunk.usage);
    if (chunk.finishReason) this.#finishReason = chunk.finishReason;
  }
}

function createProfile(
  { profile, identity: run, events: sink, newId }: TranscoderOptions,
  seal: (artefact: Artefact) => string | undefined,
): Profile {
  if (profile === "contract") return new ContractProfile(run, sink);
  return new AgUiProfile({ run, dialect: profile === "ag-ui" ? agUi1 : agUi0, sink, newId, seal });
}

function toFailure(error: unknown): RunFailure {
  if (error instanceof FrameTooLargeError) return failures.frameTooLarge;
  return error instanceof ToolCallError ? toToolCallFailure(error) : toInternalFailure(error);
}

function hasContent({ text, reasoning, refusal, toolCalls }: CompletionChunk): boolean {
  return Boolean(text || reasoning || refusal) || toolCalls.length > 0;
}
