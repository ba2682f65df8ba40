import { z } from "zod";
import { limits } from "./limits.ts";

/** Which events the relay sends: exactly the contract's, all of AG-UI 1.0, or those that clients of AG-UI 0.0.x accept. */
export const relayProfiles = ["contract", "ag-ui", "ag-ui-0"] as const;
export type RelayProfile = (typeof relayProfiles)[number];

/** The query of the relay's `POST /agent`. */
export const relayQuerySchema = z.object({
  profile: z.enum(relayProfiles, "must be one of contract, ag-ui or ag-ui-0").optional(),
});

/** The query of a GET that reads a run. */
export const storedRunQuerySchema = z.object({
  /** For `/agent`, whose path doesn't name the run. */
  runId: z.string().max(limits.runIdCharacters).optional(),
  /** The id of the last event that the client has, or -1 for none. The header `Last-Event-ID` wins. */
  offset: z.string().optional(),
});

/** The same for routes whose path names the run. */
export const storedRunOffsetSchema = storedRunQuerySchema.pick({ offset: true });
export const storedRunParametersSchema = z.object({ runId: z.string().max(limits.runIdCharacters) });

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
