import type { TokenUsage } from "@agent-backends/contract";
import type { ReasoningField } from "@agent-backends/llm";
import type { Artefact } from "../artefact.ts";
import type { RunFailure } from "../failures.ts";

/** The ids of a run. */
export interface RunIdentity {
  threadId: string;
  runId: string;
  /** The id of the run's text message, and the parent of its tool calls. */
  messageId: string;
  parentRunId?: string | undefined;
  /** The version of AG-UI that the client declares. */
  clientVersion?: string | undefined;
}

/** Something that the relay could not do as asked, although the run goes on. */
export interface RunWarning {
  code: string;
  /** The part of the run input that it is about, as a JSON pointer. */
  pointer: string;
  detail: string;
}

/**
 * Turns a completion into the events of one profile. A run begins with `started` and ends with `finished` or `failed`. Deltas
 * are never empty, and arguments always belong to a call that was started. A profile without events for something leaves its
 * method out.
 */
export interface Profile {
  started(): void;
  text(delta: string): void;
  warning?(warning: RunWarning): void;
  /** `field` is where the provider sent it, if it wants it back there. */
  reasoning?(delta: string, field: ReasoningField | undefined): void;
  refusal?(delta: string): void;
  toolCallStarted(toolCallId: string, name: string): void;
  toolCallArguments(toolCallId: string, delta: string): void;
  /** This call's arguments are complete. */
  toolCallEnded?(toolCallId: string): void;
  /** What the provider wants back with this call. */
  toolCallExtra?(toolCallId: string, extra: object): void;
  /** What the provider wants back with the whole answer. */
  artefact?(artefact: Artefact): void;
  usage?(usage: TokenUsage): void;
  /** `reason` is the provider's finish reason, if it sent one. */
  finished(reason: string | undefined): void;
  failed(failure: RunFailure): void;

  // The same for deltas that are still the provider's JSON literals: `bytes[start, end)` with their quotes, valid and not
  // empty. These return false, and do nothing, if the delta needs more than one event now.
  textLiteral(bytes: Buffer, start: number, end: number): boolean;
  reasoningLiteral?(bytes: Buffer, start: number, end: number): boolean;
  toolCallArgumentsLiteral(toolCallId: string, bytes: Buffer, start: number, end: number): boolean;
}

/** Receives the events of a profile, in order. */
export interface EventSink<Event extends object> {
  event(event: Event): void;
  /** An event made of `prefix`, the literal in `bytes[start, end)` and `}`. */
  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void;
}
