import type { TokenUsage } from "@agent-backends/contract";
import type { RunIds, RunWarning } from "@agent-backends/kit/ag-ui";
import type { ReasoningField } from "@agent-backends/llm";
import type { Artefact } from "../artefact.ts";
import type { RunFailure } from "../failures.ts";

export interface RunIdentity extends RunIds {
  /** Id of the run's text message, and the parent id of its tool calls. */
  messageId: string;
}

/**
 * Converts a completion to the events of one profile. A run begins with `started` and ends with `finished` or `failed`. Deltas are never
 * empty, and arguments always belong to a call that has started. A profile without events for something omits the method.
 */
export interface Profile {
  started(): void;
  text(delta: string): void;
  warning?(warning: RunWarning): void;
  /** `field` is the field in which the provider sent the reasoning, if it wants it back there. */
  reasoning?(delta: string, field: ReasoningField | undefined): void;
  refusal?(delta: string): void;
  toolCallStarted(toolCallId: string, name: string): void;
  toolCallArguments(toolCallId: string, delta: string): void;
  /** Called when the call's arguments are complete. */
  toolCallEnded?(toolCallId: string): void;
  /** Values that the provider wants back with this call. */
  toolCallExtra?(toolCallId: string, extra: object): void;
  /** Values that the provider wants back with the whole answer. */
  artefact?(artefact: Artefact): void;
  usage?(usage: TokenUsage): void;
  /** `reason` is the provider's finish reason, if it sent one. */
  finished(reason: string | undefined): void;
  failed(failure: RunFailure): void;

  // Variants for deltas that are still the provider's JSON literals: `bytes[start, end)` with their quotes, valid and not empty. They
  // return false, and do nothing, if the delta needs more than one event.
  textLiteral(bytes: Buffer, start: number, end: number): boolean;
  reasoningLiteral?(bytes: Buffer, start: number, end: number): boolean;
  toolCallArgumentsLiteral(toolCallId: string, bytes: Buffer, start: number, end: number): boolean;
}
