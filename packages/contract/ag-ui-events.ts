import type { ContractEvent, TokenUsage } from "./relay.ts";

export type AgUiEvent =
  | Exclude<ContractEvent, { type: "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" }>
  | { type: "RUN_STARTED"; threadId: string; runId: string; parentRunId?: string; protocolVersion: string }
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | { type: "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END"; messageId: string }
  | { type: "REASONING_MESSAGE_START"; messageId: string; role: "reasoning" }
  | { type: "REASONING_MESSAGE_CONTENT"; messageId: string; delta: string }
  | {
      type: "REASONING_ENCRYPTED_VALUE";
      subtype: "message" | "tool-call";
      /** The id of the message or the tool call that keeps the value. */
      entityId: string;
      encryptedValue: string;
    }
  | { type: "CUSTOM"; name: "agent-backends.warning"; value: { code: string; pointer: string; detail: string } }
  | {
      type: "RUN_FINISHED";
      threadId: string;
      runId: string;
      outcome: { type: "success"; pendingToolCallIds?: string[] };
      /** Only where the answer was cut short. */
      metadata?: { finishReason: "length" | "content_filter" };
      usage?: TokenUsage[];
    }
  | {
      type: "RUN_FINISHED";
      threadId: string;
      runId: string;
      outcome: { type: "cancelled" };
      /** The limit that was reached. */
      metadata: { code: string; message: string };
      usage?: TokenUsage[];
    }
  | { type: "RUN_ERROR"; message: string; code: string; usage?: TokenUsage[] };

/** The events of the `ag-ui-0` profile. */
export type AgUi0Event =
  | Exclude<ContractEvent, { type: "RUN_ERROR" }>
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | { type: "THINKING_START" | "THINKING_TEXT_MESSAGE_START" | "THINKING_TEXT_MESSAGE_END" | "THINKING_END" }
  | { type: "THINKING_TEXT_MESSAGE_CONTENT"; delta: string }
  | { type: "RUN_ERROR"; message: string; code: string };

/** When the profile `ag-ui` sends each of its events. The documentation of OpenAPI says the same. */
const sent: Readonly<Record<AgUiEvent["type"], string>> = {
  RUN_STARTED: "first, with the `parentRunId` of the input",
  RUN_FINISHED:
    "last, with the outcome `success` and `pendingToolCallIds`; or `cancelled` at a limit or on request, with `code` and `message` in `metadata`",
  RUN_ERROR: "last, when anything failed",
  TEXT_MESSAGE_START: "at the first text",
  TEXT_MESSAGE_CONTENT: "for each piece of text or refusal",
  TEXT_MESSAGE_END: "before the run ends",
  TOOL_CALL_START: "for each call of the model",
  TOOL_CALL_ARGS: "for each piece of its arguments",
  TOOL_CALL_END: "once the call is complete and another one of the same index follows, or before the run ends",
  REASONING_START: "at the first piece of reasoning, and again when reasoning follows text or calls",
  REASONING_MESSAGE_START: "after `REASONING_START`",
  REASONING_MESSAGE_CONTENT: "for each piece of reasoning",
  REASONING_MESSAGE_END: "when anything else follows, or before the run ends",
  REASONING_END: "after `REASONING_MESSAGE_END`",
  REASONING_ENCRYPTED_VALUE:
    "in each reasoning message before `REASONING_END`, after a call and before the answer ends, for what the model wants back",
  CUSTOM: "`agent-backends.warning`, for what does not reach the model or the client",
};

/** Why the profile `ag-ui` never sends the other events of AG-UI 1.1. */
const neverSent = {
  TEXT_MESSAGE_CHUNK: "the relay sends start, content and end",
  TOOL_CALL_CHUNK: "the relay sends start, arguments and end",
  REASONING_MESSAGE_CHUNK: "the relay sends start, content and end",
  TOOL_CALL_RESULT: "the application runs the tools",
  STATE_SNAPSHOT: "a model has no shared state",
  STATE_DELTA: "a model has no shared state",
  MESSAGES_SNAPSHOT: "the application keeps the conversation",
  ACTIVITY_SNAPSHOT: "a model reports no progress other than its answer",
  ACTIVITY_DELTA: "a model reports no progress other than its answer",
  STEP_STARTED: "a run is one call of the model",
  STEP_FINISHED: "a run is one call of the model",
  SUBAGENT_STARTED: "there are no subagents",
  SUBAGENT_FINISHED: "there are no subagents",
  SUBAGENT_ERROR: "there are no subagents",
  RAW: "the provider's own events stay with the relay",
};

export const agUiEventUses = { sent, neverSent: neverSent as Readonly<Record<string, string>> };
