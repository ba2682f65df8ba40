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
  /** Only for `/agent`, whose path doesn't name the run. */
  runId: z.string().max(limits.runIdCharacters).optional(),
  /** The id of the last event that the client has, or -1 for none. The header `Last-Event-ID` takes precedence. */
  offset: z.string().optional(),
});

/** The same query for routes whose path names the run. */
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

/** Why a run failed or was cancelled, as reported in its last event. The librarian and the analyst also send codes of `problemTypes`. */
export const runErrorCodes = {
  provider_refused: "the model provider rejects the service's credentials (status 401 or 403)",
  provider_unreachable: "there is no connection to the model provider",
  provider_timed_out: "the model provider is silent for too long, before its answer or in the middle of it",
  provider_http_status: "the model provider answers with another error status",
  provider_cut: "the model provider's answer breaks off before its end",
  provider_invalid: "what the model provider sends is not an answer",
  provider_error:
    "the model provider sends an error without a code in its stream; one with a code has the provider's own",
  run_timed_out: "the run takes longer than `RELAY_RUN_TIMEOUT_MS`",
  too_many_tokens: "the answer has more than `RELAY_MAX_TOKENS`",
  stopped: "a client has stopped the run with `DELETE`",
  client_gone: "the client has left, and nobody has read the run for `RUN_ORPHAN_MS`",
  shutting_down: "the service stops, and its grace period is over",
  replica_gone: "the server that ran the run has died",
  run_lost: "for those who resume a run: its events could not all be stored",
  run_log_unavailable: "for those who resume a run: Redis is down",
  internal: "the service failed; its log has the error",
} as const;

export type RunErrorCode = keyof typeof runErrorCodes;
