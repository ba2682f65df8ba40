import type { TokenUsage } from "@agent-backends/contract";

/** What a run and its messages are called. */
export interface RunIdentity {
  threadId: string;
  runId: string;
  /** One id for all text of the run, and the parent of its tool calls. */
  messageId: string;
}

/** Why a run failed, in words that a client may see. */
export interface RunFailure {
  message: string;
  /** A short name of the kind of failure. */
  code: string;
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
  finished(): void;
  failed(failure: RunFailure): void;
}

/** Takes the events of a profile, in order. */
export interface EventSink<Event extends object> {
  event(event: Event): void;
}
