import { z } from "zod";
import { agentOnlyEventSchema } from "../ag-ui-agents.ts";
import type { AgUiEvent } from "../ag-ui-events.ts";
import { agUiEventUses } from "../ag-ui-events.ts";
import type { TokenUsage } from "../relay.ts";
import { contractEventSchema } from "../relay.ts";

const agUi = "Only in the profile `ag-ui`: ";
const run = { threadId: z.string(), runId: z.string() };
const count = z.int().nonnegative().optional();

const usage = z
  .array(
    z.object({
      provider: z.string().optional(),
      model: z.string().optional(),
      inputTokens: count,
      outputTokens: count,
      totalTokens: count,
      reasoningTokens: count,
      cachedInputTokens: count,
      cacheWriteInputTokens: count,
    } satisfies Record<keyof TokenUsage, z.ZodType>),
  )
  .optional()
  .describe(`${agUi}the tokens that the provider counted.`);

const outcome = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("success"),
    pendingToolCallIds: z
      .array(z.string())
      .optional()
      .describe("Calls of your tools. Run them, and send their results."),
  }),
  z.object({ type: z.literal("cancelled").describe("A limit was reached, or the run was stopped.") }),
]);
const metadata = z.union([
  z.object({ finishReason: z.enum(["length", "content_filter"]).describe("Why the answer was cut short.") }),
  z.object({ code: z.string(), message: z.string() }).describe("Why the run was cancelled."),
]);

const contractTypes = new Set<string>(contractEventSchema.options.map(({ shape }) => shape.type.value));

function describe(type: AgUiEvent["type"]): string {
  return `Sent ${agUiEventUses.sent[type]}.${contractTypes.has(type) ? "" : " Not in the profile `contract`."}`;
}

const event = <Type extends AgUiEvent["type"], Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape }).describe(describe(type));
const ofMessage = <Type extends AgUiEvent["type"]>(type: Type) => event(type, { messageId: z.string() });
const ofThinking = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape?: Shape) =>
  z.object({ type: z.literal(type), ...shape }).describe("Reasoning, in the profile `ag-ui-0`.");

const [, textStart, textContent, textEnd, callStart, callArgs] = contractEventSchema.options;

/** Events of all profiles. Each has every field that any profile sends. */
const events = [
  event("RUN_STARTED", {
    ...run,
    parentRunId: z.string().optional().describe(`${agUi}as in the run input.`),
    protocolVersion: z.string().optional().describe(`${agUi}the version of the events.`),
  }),
  event("TEXT_MESSAGE_START", textStart.shape),
  event("TEXT_MESSAGE_CONTENT", textContent.shape),
  event("TEXT_MESSAGE_END", textEnd.shape),
  event("TOOL_CALL_START", callStart.shape),
  event("TOOL_CALL_ARGS", callArgs.shape),
  event("TOOL_CALL_END", { toolCallId: z.string() }),
  ofMessage("REASONING_START"),
  event("REASONING_MESSAGE_START", { messageId: z.string(), role: z.literal("reasoning") }),
  event("REASONING_MESSAGE_CONTENT", { messageId: z.string(), delta: z.string() }),
  ofMessage("REASONING_MESSAGE_END"),
  ofMessage("REASONING_END"),
  event("REASONING_ENCRYPTED_VALUE", {
    subtype: z.enum(["message", "tool-call"]),
    entityId: z.string().describe("The id of the message or the call."),
    encryptedValue: z.string(),
  }),
  ofThinking("THINKING_START"),
  ofThinking("THINKING_TEXT_MESSAGE_START"),
  ofThinking("THINKING_TEXT_MESSAGE_CONTENT", { delta: z.string() }),
  ofThinking("THINKING_TEXT_MESSAGE_END"),
  ofThinking("THINKING_END"),
  event("RUN_FINISHED", {
    ...run,
    outcome: outcome.optional().describe(`${agUi}how the run ended.`),
    metadata: metadata.optional(),
    usage,
  }),
  event("RUN_ERROR", {
    message: z.string(),
    code: z.string().optional().describe("What failed. Not in the profile `contract`."),
    usage,
  }),
] as const;

const warning = z
  .object({
    type: z.literal("CUSTOM"),
    name: z.literal("agent-backends.warning"),
    value: z.object({
      code: z.string(),
      pointer: z.string().describe("The part of the run input, as a JSON pointer."),
      detail: z.string(),
    }),
  })
  .describe("Something of the run input does not reach the model.");

const [toolCallResult, citations] = agentOnlyEventSchema.options;

export const relayRunEventSchema = z.discriminatedUnion("type", [...events, warning]);

/** Events of the agents' runs, which also contain the results of the agents' own calls, and citations. */
export const agentRunEventSchema = z.discriminatedUnion("type", [
  ...events,
  toolCallResult.describe("The result of a tool that the agent runs itself."),
  z.discriminatedUnion("name", [warning, citations.describe("The chunks that the answer refers to.")]),
]);
