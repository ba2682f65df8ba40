import type { TokenUsage } from "@agent-backends/contract";
import type { RunFailure } from "../failures.ts";

/** What a run and its messages are called. */
export interface RunIdentity {
  threadId: string;
  runId: string;
  /** One id for all text of the run, and the parent of its tool calls. */
  messageId: string;
}

/**
 * Turns what a completion brings into the events of one profile. A run begins with `started` and ends with `finished` or
 * `failed`; deltas are never empty; arguments always belong to a call that was started.
 */
export interface Profile {
  started(): void;
  text(delta: string): void;
  reasoning(delta: string): void;
  refusal(delta: string): void;
  toolCallStarted(toolCallId: string, name: string): void;
  toolCallArguments(toolCallId: string, delta: string): void;
  /** No more arguments come for this call. */
  toolCallEnded(toolCallId: string): void;
  usage(usage: TokenUsage): void;
  /** `reason` is the provider's finish reason, where it gave one. */
  finished(reason: string | undefined): void;
  failed(failure: RunFailure): void;

  // The same for deltas that are given as JSON literals of the provider, which are valid, not empty and lie in
  // `bytes[start, end)` with their quotes. They return false, and do nothing, where a delta is now more than one event.
  textLiteral(bytes: Buffer, start: number, end: number): boolean;
  reasoningLiteral(bytes: Buffer, start: number, end: number): boolean;
  toolCallArgumentsLiteral(toolCallId: string, bytes: Buffer, start: number, end: number): boolean;
}

/** Takes the events of a profile, in order. */
export interface EventSink<Event extends object> {
  event(event: Event): void;
  /** An event that begins with `prefix` and ends with a literal. */
  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void;
}
