import { z } from "zod";
import { limits } from "./limits.ts";
import { fieldsLike, listOf, optional } from "./shapes.ts";

const partSource = z.object({
  type: z.string(),
  value: z.string(),
  mimeType: optional(z.string()),
});

/** A field of AG-UI 0.0.x parts of type `binary`. In parts of other types a field with this name may hold anything. */
const binaryPartText = z.string().optional().catch(undefined);

const contentPart = z
  .object({
    type: z.string(),
    text: optional(z.string()),
    source: optional(partSource),
    mimeType: binaryPartText,
    url: binaryPartText,
    data: binaryPartText,
  })
  .superRefine((part, context) => {
    if (part.type === "text" && part.text === undefined) {
      context.addIssue({ code: "custom", path: ["text"], message: "a text part needs its text" });
    }
    if (part.type === "image" && part.source === undefined) {
      context.addIssue({ code: "custom", path: ["source"], message: "an image part needs its source" });
    }
  });

const content = optional(
  z
    .union([z.string(), listOf(contentPart)], { error: "must be text or a list of content parts" })
    .refine((value) => textLength(value) <= limits.messageCharacters, {
      error: `must have at most ${limits.messageCharacters} characters of text`,
    }),
);

function textLength(value: string | z.output<typeof contentPart>[]): number {
  if (typeof value === "string") return value.length;
  return value.reduce((length, part) => length + (part.text?.length ?? 0), 0);
}

const toolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const plainMessage = <Role extends string>(role: Role) => z.object({ id: z.string(), role: z.literal(role), content });

const message = z.discriminatedUnion(
  "role",
  [
    plainMessage("user"),
    plainMessage("system"),
    plainMessage("developer"),
    z.object({
      id: z.string(),
      role: z.literal("assistant"),
      content,
      toolCalls: optional(listOf(toolCall)),
    }),
    z.object({ id: z.string(), role: z.literal("tool"), content, toolCallId: z.string() }),
    z.object({ id: z.string(), role: z.literal("reasoning") }),
    z.object({ id: z.string(), role: z.literal("activity") }),
  ],
  { error: "must be one of user, assistant, system, tool, developer, reasoning, activity" },
);

export type RunMessage = z.output<typeof message>;

/** Messages that have a counterpart at a model provider. */
export type ProviderBoundMessage = Exclude<RunMessage, { role: "reasoning" | "activity" }>;

/** Whether a message has a counterpart at a model provider: reasoning and activity messages have none. */
export function isForProvider(message: RunMessage): message is ProviderBoundMessage {
  return message.role !== "reasoning" && message.role !== "activity";
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

const tool = z.object({
  name: z.string().min(1).max(limits.toolNameCharacters),
  description: optional(z.string().max(limits.toolDescriptionCharacters)),
  parameters: optional(z.custom<Record<string, unknown>>(isObject, "must be an object")),
});

/**
 * The body of the relay's `POST /agent`, an AG-UI run input. Unknown fields are dropped, and `null` counts as absent in optional
 * fields. With a `protocolVersion` the response speaks the whole AG-UI protocol.
 */
export const runInputSchema = z.object({
  threadId: z.string().max(limits.runIdCharacters),
  runId: z.string().max(limits.runIdCharacters),
  protocolVersion: optional(z.string()),
  messages: listOf(message, { max: limits.messagesPerRequest }).refine(
    (messages) => messages.some(isForProvider),
    "must hold at least one message that a model can read",
  ),
  tools: optional(listOf(tool, { max: limits.toolsPerRequest })),
  context: optional(listOf(z.object({ description: z.string(), value: z.string() }))),
});

const unread = z.unknown();

// AG-UI's other fields are known, so that their misspelt names are refused too, but nothing reads or keeps their values.
runInputSchema.register(fieldsLike, {
  schema: runInputSchema.extend({
    state: unread,
    forwardedProps: unread,
    parentRunId: unread,
    rootRunId: unread,
    resume: unread,
  }),
});

export type RunInput = z.output<typeof runInputSchema>;
export type RunContent = z.output<typeof content>;
export type RunContentPart = z.output<typeof contentPart>;
export type RunTool = z.output<typeof tool>;

/** Which events the relay sends: exactly the contract's, all of AG-UI 1.0, or those that clients of AG-UI 0.0.x accept. */
export const relayProfiles = ["contract", "ag-ui", "ag-ui-0"] as const;
export type RelayProfile = (typeof relayProfiles)[number];

/** The query of the relay's `POST /agent`. */
export const relayQuerySchema = z.object({
  profile: z.enum(relayProfiles, "must be one of contract, ag-ui or ag-ui-0").optional(),
});

/** The version of AG-UI that the `ag-ui` profile declares in `RUN_STARTED`. */
export const agUiProtocolVersion = "1.0";

/** Tokens of one completion as AG-UI counts them: integers, and totals include their parts. */
export interface TokenUsage {
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
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
  | { type: "RUN_STARTED"; threadId: string; runId: string; protocolVersion: string }
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | { type: "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END"; messageId: string }
  | { type: "REASONING_MESSAGE_START"; messageId: string; role: "reasoning" }
  | { type: "REASONING_MESSAGE_CONTENT"; messageId: string; delta: string }
  | {
      type: "RUN_FINISHED";
      threadId: string;
      runId: string;
      outcome: { type: "success"; pendingToolCallIds?: string[] };
      /** Only where the answer was cut short. */
      metadata?: { finishReason: "length" | "content_filter" };
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
