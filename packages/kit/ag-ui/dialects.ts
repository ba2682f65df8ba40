import type { AgUi0Event, AgUiEvent, TokenUsage } from "@agent-backends/contract";
import type { ShownFailure } from "../runs/run-errors.ts";

/** Ids of a run for its first and last events. */
export interface RunIds {
  threadId: string;
  runId: string;
  parentRunId?: string | undefined;
  /** The AG-UI version that the client declares. */
  clientVersion?: string | undefined;
}

/** A part of the request that couldn't be processed, although the run continues. */
export interface RunWarning {
  code: string;
  /** JSON pointer to that part of the run input. */
  pointer: string;
  detail: string;
}

/** Result of a finished run. */
export interface RunEnd {
  toolCallIds: string[];
  finishReason: string | undefined;
  usage: TokenUsage | undefined;
}

type ReasoningContent =
  | { type: "REASONING_MESSAGE_CONTENT"; messageId: string }
  | { type: "THINKING_TEXT_MESSAGE_CONTENT" };

/** The events that differ between AG-UI versions. A version that lacks an event omits its method. */
export interface AgUiDialect<Event extends AgUiEvent | AgUi0Event = AgUiEvent | AgUi0Event> {
  started(run: RunIds): Event;
  warning?(warning: RunWarning): Event;
  reasoningStarted(messageId: string): Event[];
  /** The event for a piece of reasoning, without its `delta`. */
  reasoningContent(messageId: string): ReasoningContent;
  /** `encryptedValue` is the value that the client has to keep with the reasoning message, if any. */
  reasoningEnded(messageId: string, encryptedValue: string | undefined): Event[];
  encryptedValue?(subtype: "message" | "tool-call", entityId: string, encryptedValue: string): Event;
  finished(run: RunIds, end: RunEnd): Event;
  failed(run: RunIds, failure: ShownFailure, usage: TokenUsage | undefined): Event;
}

const usageField = (usage: TokenUsage | undefined) => (usage ? { usage: [usage] } : {});

/** Chooses the AG-UI version to announce. AG-UI 1.1 adds one optional field to 1.0. No service sends it, so older clients are told 1.0. */
function chooseVersion(clientVersion = "1.0"): "1.0" | "1.1" {
  const [major = 0, minor = 0] = clientVersion.split(".").map(Number);
  return major > 1 || (major === 1 && minor > 0) ? "1.1" : "1.0";
}

function buildEncryptedValueEvent(
  subtype: "message" | "tool-call",
  entityId: string,
  encryptedValue: string,
): AgUiEvent {
  return { type: "REASONING_ENCRYPTED_VALUE", subtype, entityId, encryptedValue };
}

export const agUi1: AgUiDialect<AgUiEvent> = {
  started: ({ threadId, runId, parentRunId, clientVersion }) => ({
    type: "RUN_STARTED",
    threadId,
    runId,
    ...(parentRunId !== undefined && { parentRunId }),
    protocolVersion: chooseVersion(clientVersion),
  }),
  warning: (value) => ({ type: "CUSTOM", name: "agent-backends.warning", value }),
  reasoningStarted: (messageId) => [
    { type: "REASONING_START", messageId },
    { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" },
  ],
  reasoningContent: (messageId) => ({ type: "REASONING_MESSAGE_CONTENT", messageId }),
  reasoningEnded: (messageId, encryptedValue) => [
    { type: "REASONING_MESSAGE_END", messageId },
    ...(encryptedValue === undefined ? [] : [buildEncryptedValueEvent("message", messageId, encryptedValue)]),
    { type: "REASONING_END", messageId },
  ],
  encryptedValue: buildEncryptedValueEvent,
  /** AG-UI has only one outcome for a complete answer, so the metadata marks a truncated answer. */
  finished: ({ threadId, runId }, { toolCallIds, finishReason, usage }) => ({
    type: "RUN_FINISHED",
    threadId,
    runId,
    outcome: { type: "success", ...(toolCallIds.length > 0 && { pendingToolCallIds: toolCallIds }) },
    ...((finishReason === "length" || finishReason === "content_filter") && { metadata: { finishReason } }),
    ...usageField(usage),
  }),
  failed: ({ threadId, runId }, { message, code, isCancelled }, usage) => {
    if (!isCancelled) return { type: "RUN_ERROR", message, code, ...usageField(usage) };
    const outcome = { type: "cancelled" } as const;
    return { type: "RUN_FINISHED", threadId, runId, outcome, metadata: { code, message }, ...usageField(usage) };
  },
};

/**
 * AG-UI 0.0.x. Its clients check every event against a closed list of types. All since 0.0.37 know the `THINKING_*` events.
 * 0.0.42 rejects a stream with any `REASONING_*` event, and 0.0.59 an `outcome` with `pendingToolCallIds`.
 */
export const agUi0: AgUiDialect<AgUi0Event> = {
  started: ({ threadId, runId }) => ({ type: "RUN_STARTED", threadId, runId }),
  reasoningStarted: () => [{ type: "THINKING_START" }, { type: "THINKING_TEXT_MESSAGE_START" }],
  reasoningContent: () => ({ type: "THINKING_TEXT_MESSAGE_CONTENT" }),
  reasoningEnded: () => [{ type: "THINKING_TEXT_MESSAGE_END" }, { type: "THINKING_END" }],
  finished: ({ threadId, runId }) => ({ type: "RUN_FINISHED", threadId, runId }),
  failed: (_run, { message, code }) => ({ type: "RUN_ERROR", message, code }),
};
