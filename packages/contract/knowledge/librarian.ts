import { z } from "zod";
import { limits } from "../limits.ts";
import { userMessageLast } from "../problems.ts";
import { buildListSchema, fieldsLike, hashSchema, isBlank, optional, warningsSchema } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";
import { namesOneKind, namespaceSchema, namespacesSchema } from "./namespaces.ts";
import { searchFilterSchema } from "./search.ts";

type Part = string | { type: string; text?: unknown };

function isPart(part: unknown): part is Part {
  return typeof part === "string" || typeof (part as { type?: unknown } | null)?.type === "string";
}

/** Stops at the first invalid part. A zod array would report an issue for each of many thousands. */
function isContent(content: unknown): content is string | Part[] | null | undefined {
  return content == null || typeof content === "string" || (Array.isArray(content) && content.every(isPart));
}

/** Text, or an array of parts whose texts are joined. */
const contentSchema = z
  .custom<string | Part[] | null | undefined>(
    isContent,
    "must be text or a list of parts such as {type: text, text: …}",
  )
  .register(fieldsLike, {
    schema: z.union([
      z.string(),
      z.array(z.union([z.string(), z.object({ type: z.string(), text: z.string().optional() })])),
    ]),
  })
  .transform((content) => {
    if (!Array.isArray(content)) return content ?? "";
    return content
      .map((part) => (typeof part === "string" ? part : typeof part.text === "string" ? part.text : ""))
      .join("");
  })
  .transform((content) => content.toWellFormed())
  .refine(
    (content) => content.length <= limits.messageCharacters,
    `is longer than ${limits.messageCharacters} characters`,
  );

const roles = ["user", "assistant", "system", "tool"] as const;

export const conversationMessageSchema = z.object({
  role: z
    .enum([...roles, "developer", "function"], "must be user, assistant, system or tool")
    // `developer` is OpenAI's newer name for `system`, `function` its older name for `tool`.
    .transform((role) => (role === "developer" ? "system" : role === "function" ? "tool" : role)),
  content: contentSchema,
});

const messagesSchema = buildListSchema(conversationMessageSchema, {
  max: limits.messagesPerRequest,
  message: "must be a list of messages",
  maxMessage: `holds more than ${limits.messagesPerRequest} messages`,
})
  .refine((messages) => messages.length === 0 || messages.at(-1)?.role === "user", userMessageLast)
  .transform((messages) =>
    // Results of earlier tool calls make no sense without the calls, so both are dropped.
    messages.flatMap(({ role, content }, position) => {
      const isLast = position === messages.length - 1;
      return role === "tool" || (content.trim() === "" && !isLast) ? [] : [{ role, content }];
    }),
  );

export const questionSchema = z.object({
  messages: messagesSchema.describe("The conversation. The last message is the question."),
  namespace: namespaceSchema,
  namespaces: namespacesSchema,
  filter: optional(searchFilterSchema).describe("As in a search."),
});

export const generateRequestSchema = questionSchema.refine(...namesOneKind);

const idSchema = z.preprocess(
  (value) => (isBlank(value) ? undefined : value),
  z.string().max(knowledgeLimits.idCharacters, `is longer than ${knowledgeLimits.idCharacters} characters`),
);
const toolParamsSchema = optional(z.object({ namespace: namespaceSchema }));

export const streamRequestSchema = questionSchema
  .extend({
    thread_id: idSchema,
    run_id: idSchema,
    tool_params: toolParamsSchema,
    toolParams: toolParamsSchema,
    include_tool_events: optional(z.boolean()).describe(
      "Whether the stream also has the librarian's searches and its citations.",
    ),
  })
  .refine(...namesOneKind);

export const citationSchema = z.object({
  n: z.int().positive().describe("The number of its marks in the answer: `[n]`."),
  title: z.string(),
  source: z.string(),
  hash: hashSchema,
  document_id: z.string(),
  namespace: z.string().optional().describe("Of a request that names several namespaces."),
  page: z.int().positive().optional(),
  heading: z.string().optional(),
  sheet: z.string().optional(),
  slide: z.int().positive().optional(),
  url: z.string().optional(),
  quote: z.string().describe("Exactly `text.slice(start, end)` of the document."),
  start: z.int().nonnegative().describe("Offset in the document's text, in UTF-16 code units."),
  end: z.int().nonnegative(),
  supporting: z
    .object({ start: z.int().nonnegative(), end: z.int().nonnegative() })
    .optional()
    .describe("The sentence or table row that shares the most words with the statement before the mark."),
});

export const cutReasonSchema = z.enum(["length", "content_filter"]);

const finish_reason = cutReasonSchema.optional().describe("Why the provider cut the answer short, if it did.");

export const generateResponseSchema = z.object({
  content: z.string(),
  namespace: z.string().describe("The first one of a request that names several."),
  namespaces: z.array(z.string()).optional(),
  citations: z.array(citationSchema),
  finish_reason,
  warnings: warningsSchema,
});

const run = { thread_id: z.string(), run_id: z.string() };
const reply = { message_id: z.string(), ...run };
const toolCall = { tool_call_id: z.string(), ...reply };

/** The five event types that every stream has. */
export const replyEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_start"), ...reply }),
  z.object({ type: z.literal("text_delta"), content: z.string(), ...reply }),
  z.object({ type: z.literal("text_end"), ...reply }),
  z.object({ type: z.literal("done"), ...run }),
  z.object({ type: z.literal("error"), message: z.string(), ...reply }),
]);

/** Additional events of a stream with `include_tool_events: true`. */
export const toolEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tool_call_start"), tool_name: z.string(), ...toolCall }),
  z.object({ type: z.literal("tool_call_args"), args: z.unknown(), ...toolCall }),
  z.object({ type: z.literal("tool_call_end"), ...toolCall }),
  z.object({ type: z.literal("tool_result"), tool_name: z.string(), result: z.unknown(), ...toolCall }),
  z.object({ type: z.literal("citations"), citations: z.array(citationSchema), finish_reason, ...reply }),
]);

export type ConversationMessage = z.output<typeof messagesSchema>[number];
export type GenerateRequest = z.output<typeof generateRequestSchema>;
export type GenerateResponse = z.output<typeof generateResponseSchema>;
export type CutReason = z.output<typeof cutReasonSchema>;
export type Citation = z.output<typeof citationSchema>;
export type ReplyEvent = z.output<typeof replyEventSchema>;
export type ToolEvent = z.output<typeof toolEventSchema>;
