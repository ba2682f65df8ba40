import type { AgUiEvent } from "./relay.ts";

/** Every event type of AG-UI 1.1: when the profile `ag-ui` sends it, or why it never does. */
const sent: Readonly<Record<AgUiEvent["type"], string>> = {
  RUN_STARTED: "first, with the `parentRunId` of the input",
  RUN_FINISHED:
    "last, with the outcome `success` and `pendingToolCallIds`; or `cancelled` at a limit of the relay, with its `code` and `message` in `metadata`",
  RUN_ERROR: "last, when anything failed",
  TEXT_MESSAGE_START: "at the first text",
  TEXT_MESSAGE_CONTENT: "for each piece of text or refusal",
  TEXT_MESSAGE_END: "before the run ends",
  TOOL_CALL_START: "for each call of the model",
  TOOL_CALL_ARGS: "for each piece of its arguments",
  TOOL_CALL_END: "when the next call of the same index starts, or before the run ends",
  REASONING_START: "at the first piece of reasoning, and again when reasoning follows text or calls",
  REASONING_MESSAGE_START: "after it",
  REASONING_MESSAGE_CONTENT: "for each piece of reasoning",
  REASONING_MESSAGE_END: "when anything else follows, or before the run ends",
  REASONING_END: "after it",
  REASONING_ENCRYPTED_VALUE:
    "in each reasoning message before `REASONING_END`, after a call and before the answer ends, for what the model wants back",
  CUSTOM: "`agent-backends.warning`, for what does not reach the model",
};

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

export const agUiEventUses: { sent: Readonly<Record<string, string>>; neverSent: Readonly<Record<string, string>> } = {
  sent,
  neverSent,
};
