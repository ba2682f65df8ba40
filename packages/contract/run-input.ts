import { z } from "zod";
import { limits } from "./limits.ts";
import { buildListSchema, fieldsLike, isObject, optional } from "./shapes.ts";

/** A known field that nothing reads. It is listed so that misspellings of its name are refused. */
const unread = z.unknown().optional();

const partSource = z.object({
  type: z.string(),
  value: optional(z.string()),
  mimeType: optional(z.string()),
  provider: optional(z.string()),
});

/** A field of AG-UI 0.0.x parts of type `binary`. In parts of other types a field with this name may hold anything. */
const binaryPartText = z.string().optional().catch(undefined);

const mediaTypes = ["image", "audio", "video", "document"];
const sourceTypes = ["data", "url", "file"];

/** Parts and sources of unknown types are valid: newer clients send them. Unusable parts are left out of the request. */
export const runContentPartSchema = z
  .object({
    type: z.string(),
    text: optional(z.string()),
    source: partSource.optional().catch(undefined),
    id: binaryPartText,
    mimeType: binaryPartText,
    url: binaryPartText,
    data: binaryPartText,
    filename: binaryPartText,
    metadata: unread,
  })
  .superRefine(({ type, text, source }, context) => {
    if (type === "text" && text === undefined) {
      context.addIssue({ code: "custom", path: ["text"], message: "a text part needs its text" });
    }
    const isIncomplete = source && sourceTypes.includes(source.type) && source.value === undefined;
    if (mediaTypes.includes(type) && (source === undefined || isIncomplete)) {
      const message = `this part needs its source: a type (${sourceTypes.join(", ")}) and a value`;
      context.addIssue({ code: "custom", path: ["source"], message });
    }
  });

const content = optional(
  z
    .union([z.string(), buildListSchema(runContentPartSchema)], { error: "must be text or a list of content parts" })
    .refine((value) => textLength(value) <= limits.messageCharacters, {
      error: `must have at most ${limits.messageCharacters} characters of text`,
    }),
);

function textLength(value: string | z.output<typeof runContentPartSchema>[]): number {
  if (typeof value === "string") return value.length;
  return value.reduce((length, part) => length + (part.text?.length ?? 0), 0);
}

// Conversations have many messages. Transforming `null`, as in other optional fields, would double the cost of these.

/** A value that the relay gave the client to keep with a message or tool call: see `sealArtefact` in the relay. */
const encryptedValue = z.string().max(limits.encryptedValueCharacters).nullish();

const toolCall = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
  encryptedValue,
});

const common = { id: z.string(), content, encryptedValue };
const named = <Role extends string>(role: Role) =>
  z.object({ ...common, role: z.literal(role), name: z.string().nullish() });

export const runMessageSchema = z.discriminatedUnion(
  "role",
  [
    named("user"),
    named("system"),
    named("developer"),
    named("assistant").extend({ toolCalls: optional(buildListSchema(toolCall)) }),
    z.object({ ...common, role: z.literal("tool"), toolCallId: z.string(), error: z.string().nullish() }),
    z.object({
      id: z.string(),
      role: z.literal("reasoning"),
      // Clients of AG-UI 0.0.x send other types here.
      content: z.string().optional().catch(undefined),
      encryptedValue,
    }),
    z.object({ id: z.string(), role: z.literal("activity") }),
  ],
  { error: "must be one of user, assistant, system, tool, developer, reasoning, activity" },
);

export type RunMessage = z.output<typeof runMessageSchema>;

export const runMessageRoles: ReadonlySet<string> = new Set(
  runMessageSchema.options.map(({ shape }) => shape.role.value),
);

/** Whether a model can answer this message on its own. It can't answer reasoning and activity messages. */
function isForProvider(message: RunMessage): boolean {
  return message.role !== "reasoning" && message.role !== "activity";
}

/** AG-UI's schema requires the description. Providers don't, and hand-written clients leave it out, so it is optional here. */
export const runToolSchema = z.object({
  name: z
    .string({
      error: ({ input }) =>
        input === undefined
          ? "is missing; give a tool as {name, description, parameters}, without `function` around it"
          : undefined,
    })
    .min(1)
    .max(limits.toolNameCharacters),
  description: optional(z.string().max(limits.toolDescriptionCharacters)),
  parameters: optional(z.custom<Record<string, unknown>>(isObject, "must be an object")),
});

/**
 * The body of the relay's `POST /agent`, an AG-UI run input. Unknown fields are dropped, and `null` counts as absent in optional
 * fields. With a `protocolVersion` the response speaks the whole AG-UI protocol.
 */
export const runInputSchema = z.object({
  threadId: z.string().max(limits.runIdCharacters).describe("The conversation, as you name it."),
  runId: z
    .string()
    .max(limits.runIdCharacters)
    .describe("Unique to each run. A run that can be resumed is read by it."),
  protocolVersion: optional(z.string()).describe("Of AG-UI, such as `1.0`. With it the response speaks all of AG-UI."),
  parentRunId: optional(z.string().max(limits.runIdCharacters)),
  messages: buildListSchema(runMessageSchema, { max: limits.messagesPerRequest }).refine(
    (messages) => messages.some(isForProvider),
    "must hold at least one message that a model can read",
  ),
  tools: optional(buildListSchema(runToolSchema, { max: limits.toolsPerRequest })).describe(
    "Tools that you run yourself.",
  ),
  context: optional(buildListSchema(z.object({ description: z.string(), value: z.string() }))).describe(
    "What the model should know of your application.",
  ),
  resume: optional(buildListSchema(z.unknown(), { max: limits.resumeEntries })),
});

runInputSchema.register(fieldsLike, {
  schema: runInputSchema.extend({ state: unread, forwardedProps: unread, rootRunId: unread }),
});

export type RunInput = z.output<typeof runInputSchema>;
export type RunContent = z.output<typeof content>;
export type RunContentPart = z.output<typeof runContentPartSchema>;
