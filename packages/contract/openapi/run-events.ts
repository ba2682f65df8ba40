import { z } from "zod";
import { agentOnlyEventSchema } from "../ag-ui-agents.ts";
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

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, when: string, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape }).describe(when);
const ofMessage = <Type extends string>(type: Type, when: string) => event(type, when, { messageId: z.string() });
const ofThinking = <Type extends string>(type: Type) => event(type, "Reasoning, in the profile `ag-ui-0`.", {});

const [, textStart, textContent, textEnd, callStart, callArgs] = contractEventSchema.options;
const reasoning = "Reasoning, in the profile `ag-ui`.";

/** Events of all profiles. Each has every field that any profile sends. */
const events = [
  event("RUN_STARTED", "First.", {
    ...run,
    parentRunId: z.string().optional().describe(`${agUi}as in the run input.`),
    protocolVersion: z.string().optional().describe(`${agUi}the version of the events.`),
  }),
  textStart.describe("At the first text."),
  textContent.describe("A piece of the answer's text."),
  textEnd.describe("The text is complete."),
  callStart.describe("The model calls a tool."),
  callArgs.describe("A piece of the call's arguments, which together are JSON."),
  event("TOOL_CALL_END", "The arguments are complete. Not in the profile `contract`.", { toolCallId: z.string() }),
  ofMessage("REASONING_START", reasoning),
  event("REASONING_MESSAGE_START", reasoning, { messageId: z.string(), role: z.literal("reasoning") }),
  event("REASONING_MESSAGE_CONTENT", reasoning, { messageId: z.string(), delta: z.string() }),
  ofMessage("REASONING_MESSAGE_END", reasoning),
  ofMessage("REASONING_END", reasoning),
  event("REASONING_ENCRYPTED_VALUE", "What the model wants back with the message or call.", {
    subtype: z.enum(["message", "tool-call"]),
    entityId: z.string().describe("The id of the message or the call."),
    encryptedValue: z.string(),
  }),
  ofThinking("THINKING_START"),
  ofThinking("THINKING_TEXT_MESSAGE_START"),
  event("THINKING_TEXT_MESSAGE_CONTENT", "Reasoning, in the profile `ag-ui-0`.", { delta: z.string() }),
  ofThinking("THINKING_TEXT_MESSAGE_END"),
  ofThinking("THINKING_END"),
  event("RUN_FINISHED", "Last, when the run has succeeded or was cancelled.", {
    ...run,
    outcome: outcome.optional().describe(`${agUi}how the run ended.`),
    metadata: metadata.optional(),
    usage,
  }),
  event("RUN_ERROR", "Last, when anything failed.", {
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
