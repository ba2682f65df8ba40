import { z } from "zod";

/** Which events the relay sends: exactly the contract's, all of AG-UI 1.0, or those that clients of AG-UI 0.0.x accept. */
export const relayProfiles = ["contract", "ag-ui", "ag-ui-0"] as const;
export type RelayProfile = (typeof relayProfiles)[number];

/** The query of the relay's `POST /agent`. */
export const relayQuerySchema = z.object({
  profile: z.enum(relayProfiles, "must be one of contract, ag-ui or ag-ui-0").optional(),
});

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

const runEvent = <Type extends string>(type: Type) =>
  z.object({ type: z.literal(type), threadId: z.string(), runId: z.string() });
const messageEvent = <Type extends string>(type: Type) => z.object({ type: z.literal(type), messageId: z.string() });
const toolCallEvent = <Type extends string>(type: Type) => z.object({ type: z.literal(type), toolCallId: z.string() });

/** The events of the default profile. */
export const contractEventSchema = z.discriminatedUnion("type", [
  runEvent("RUN_STARTED"),
  messageEvent("TEXT_MESSAGE_START").extend({ role: z.literal("assistant") }),
  messageEvent("TEXT_MESSAGE_CONTENT").extend({ delta: z.string() }),
  messageEvent("TEXT_MESSAGE_END"),
  toolCallEvent("TOOL_CALL_START").extend({ toolCallName: z.string(), parentMessageId: z.string() }),
  toolCallEvent("TOOL_CALL_ARGS").extend({ delta: z.string() }),
  runEvent("RUN_FINISHED"),
  z.object({ type: z.literal("RUN_ERROR"), message: z.string() }),
]);

export type ContractEvent = z.output<typeof contractEventSchema>;

/** The events of the `ag-ui` profile. */
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
