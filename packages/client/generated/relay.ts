// Generated from packages/contract by `npm run docs:tables`. Change it there.

export type RelayProfile =
  | "contract"
  | "ag-ui"
  | "ag-ui-0";

/** Tokens of one completion as AG-UI counts them: integers, and totals include their parts. */
export interface TokenUsage {
  /** The vendor, as AG-UI names it: `openai`, `google`. */
  provider?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
  cacheWriteInputTokens?: number;
}

export type ContractEvent =
  | { type: "RUN_STARTED"; threadId: string; runId: string }
  | { type: "TEXT_MESSAGE_START"; messageId: string; role: "assistant" }
  | { type: "TEXT_MESSAGE_CONTENT"; messageId: string; delta: string }
  | { type: "TEXT_MESSAGE_END"; messageId: string }
  | { type: "TOOL_CALL_START"; toolCallId: string; toolCallName: string; parentMessageId: string }
  | { type: "TOOL_CALL_ARGS"; toolCallId: string; delta: string }
  | { type: "RUN_FINISHED"; threadId: string; runId: string }
  | { type: "RUN_ERROR"; message: string };

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

export interface RunContentPart {
  type: string;
  text?: string | undefined;
  source?: {
    type: string;
    value?: string | undefined;
    mimeType?: string | undefined;
    provider?: string | undefined;
  } | undefined;
  id?: string | undefined;
  mimeType?: string | undefined;
  url?: string | undefined;
  data?: string | undefined;
  filename?: string | undefined;
  metadata?: unknown | undefined;
}

export type RunMessage =
  | {
      id: string;
      content?: string | RunContentPart[] | undefined;
      encryptedValue?: string | undefined;
      role: "user";
      name?: string | undefined;
    }
  | {
      id: string;
      content?: string | RunContentPart[] | undefined;
      encryptedValue?: string | undefined;
      role: "system";
      name?: string | undefined;
    }
  | {
      id: string;
      content?: string | RunContentPart[] | undefined;
      encryptedValue?: string | undefined;
      role: "developer";
      name?: string | undefined;
    }
  | {
      id: string;
      content?: string | RunContentPart[] | undefined;
      encryptedValue?: string | undefined;
      role: "assistant";
      name?: string | undefined;
      toolCalls?: Array<{ id: string; function: { name: string; arguments: string }; encryptedValue?: string | undefined }> | undefined;
    }
  | {
      id: string;
      content?: string | RunContentPart[] | undefined;
      encryptedValue?: string | undefined;
      role: "tool";
      toolCallId: string;
      error?: string | undefined;
    }
  | { id: string; role: "reasoning"; content?: string | undefined; encryptedValue?: string | undefined }
  | { id: string; role: "activity" };

export interface RunTool {
  name: string;
  description?: string | undefined;
  parameters?: unknown | undefined;
}

export interface RunInputFields {
  /** Of AG-UI, such as `1.0`. With it the response speaks all of AG-UI. */
  protocolVersion?: string | undefined;
  parentRunId?: string | undefined;
  messages: RunMessage[];
  /** Tools that you run yourself. */
  tools?: RunTool[] | undefined;
  /** What the model should know of your application. */
  context?: Array<{ description: string; value: string }> | undefined;
  resume?: unknown[] | undefined;
  state?: unknown | undefined;
  forwardedProps?: unknown | undefined;
  rootRunId?: unknown | undefined;
}
