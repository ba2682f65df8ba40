import { z } from "zod";
import { limits } from "./limits.ts";

/** The named bounds of the knowledge service's requests. */
export const knowledgeLimits = {
  namespaceCharacters: 128,
  queryCharacters: 10_000,
  searchResults: { min: 1, max: 50, default: 6 },
  documentsPerPage: { min: 1, max: 100, default: 50 },
  namespacesPerPage: { min: 1, max: 1_000, default: 100 },
  metadataFields: 32,
  metadataNameCharacters: 64,
  metadataValueCharacters: 1_000,
  filterFields: 16,
  filterValues: 64,
} as const;

export const defaultNamespace = "default";

/** `null` counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** A namespace's name, kept exactly as given. */
export const namespaceNameSchema = z
  .string("must be text")
  .refine((name) => name.isWellFormed(), "holds half of a character (a lone surrogate)")
  .refine((name) => [...name].length <= knowledgeLimits.namespaceCharacters, "is longer than 128 characters")
  .refine((name) => !/\p{Cc}/u.test(name), "holds a control character")
  .refine((name) => name !== "." && name !== "..", "can't be . or .., which can't stand in a path")
  .refine((name) => name.trim() !== "", "is blank");

const isBlank = (value: unknown) => value === null || (typeof value === "string" && value.trim() === "");

/** A namespace in a request: blank counts as absent. */
export const namespaceSchema = z.preprocess(
  (value) => (isBlank(value) ? undefined : value),
  namespaceNameSchema.optional(),
);

/** What the service itself says of a passage; a client's own fields have other names. */
export const reservedMetadataNames = [
  "source",
  "document_id",
  "chunk",
  "start",
  "end",
  "ingested_at",
  "page",
  "slide",
  "sheet",
  "heading",
  "url",
  "filename",
  "content_type",
  "title",
  "hash",
  "namespace",
  "language",
  "main_content",
] as const;

const metadataNameSchema = z
  .string()
  .min(1, "has a name that is empty")
  .max(
    knowledgeLimits.metadataNameCharacters,
    `has a name longer than ${knowledgeLimits.metadataNameCharacters} characters`,
  )
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "has a name with a control character")
  .refine((name) => name !== "__proto__", "can't be named __proto__")
  .refine((name) => !(reservedMetadataNames as readonly string[]).includes(name), "has a name that the service uses");

const metadataValueSchema = z.union(
  [
    z
      .string()
      .max(knowledgeLimits.metadataValueCharacters)
      .transform((text) => text.toWellFormed()),
    z.number(),
    z.boolean(),
  ],
  `must be a text of up to ${knowledgeLimits.metadataValueCharacters} characters, a number, or true or false`,
);

/** A client's own fields of a document: flat, and stored, returned and filtered as they are. */
export const customMetadataSchema = z
  .record(metadataNameSchema, metadataValueSchema, "must be an object of texts, numbers and booleans")
  .refine(
    (fields) => Object.keys(fields).length <= knowledgeLimits.metadataFields,
    `holds more than ${knowledgeLimits.metadataFields} fields`,
  );

/** The fields of an ingest. What an item of `sources` must be is judged item by item, and is never a 422. */
export const ingestRequestSchema = z.object({
  namespace: namespaceSchema,
  sources: optional(z.array(z.unknown(), "must be a list of sources")),
  /** What becomes of documents of the same source with other content: they stay, or give way to the new one. */
  on_conflict: optional(z.enum(["keep", "replace"], "must be keep or replace")),
  /** Fields of every item of the request; those of an item itself win. */
  metadata: optional(customMetadataSchema),
});

/** What the service itself says of a document and a search may ask for; any other name is a client's own field. */
const filterableNames = ["source", "content_type", "title"] as const;

const filterNameSchema = z
  .string()
  .min(1, "has a name that is empty")
  .max(
    knowledgeLimits.metadataNameCharacters,
    `has a name longer than ${knowledgeLimits.metadataNameCharacters} characters`,
  )
  .refine((name) => name !== "__proto__", "can't be named __proto__")
  .refine(
    (name) =>
      (filterableNames as readonly string[]).includes(name) ||
      !(reservedMetadataNames as readonly string[]).includes(name),
    `can only name ${filterableNames.join(", ")} or fields given at ingest`,
  );
const filterValueMessage = `must be a text, a number, true or false, or a list of up to ${knowledgeLimits.filterValues} of them`;
const filterValueSchema = z.union(
  [z.string().transform((text) => text.toWellFormed()), z.number(), z.boolean()],
  filterValueMessage,
);

/** Which documents a search looks at: those that have every field named here, with this value or one of these. */
export const searchFilterSchema = z
  .record(
    filterNameSchema,
    z.union(
      [filterValueSchema, z.array(filterValueSchema).min(1).max(knowledgeLimits.filterValues)],
      filterValueMessage,
    ),
    "must be an object of fields and values",
  )
  .refine(
    (fields) => Object.keys(fields).length <= knowledgeLimits.filterFields,
    `holds more than ${knowledgeLimits.filterFields} fields`,
  );

export const searchRequestSchema = z.object({
  namespace: namespaceSchema,
  query: z
    .string("must be text")
    .max(knowledgeLimits.queryCharacters, `is longer than ${knowledgeLimits.queryCharacters} characters`)
    .refine((query) => query.trim() !== "", "is blank; say what to search for"),
  max_results: optional(
    z
      .int("must be a whole number from 1 to 50")
      .min(knowledgeLimits.searchResults.min, "must be a whole number from 1 to 50")
      .max(knowledgeLimits.searchResults.max, "must be a whole number from 1 to 50"),
  ),
  filter: optional(searchFilterSchema),
});

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });

/** Text, or an array of parts of which the text is joined. */
const contentSchema = z
  .union([z.string(), z.array(z.union([z.string(), textPart, z.looseObject({ type: z.string() })]))], "must be text")
  .nullish()
  .transform((content) => {
    if (!Array.isArray(content)) return content ?? "";
    return content
      .map((part) =>
        typeof part === "string" ? part : "text" in part && typeof part.text === "string" ? part.text : "",
      )
      .join("");
  });

export const conversationMessageSchema = z.object({
  role: z.enum(["user", "assistant", "system"], "must be user, assistant or system"),
  content: contentSchema,
});

const messagesSchema = z
  .array(conversationMessageSchema, "must be a list of messages")
  .max(limits.messagesPerRequest, `holds more than ${limits.messagesPerRequest} messages`)
  .refine(
    (messages) => messages.length === 0 || messages.at(-1)?.role === "user",
    "must end with a message of the user",
  );

export const generateRequestSchema = z.object({ messages: messagesSchema, namespace: namespaceSchema });

const idSchema = z.preprocess(
  (value) => (isBlank(value) ? undefined : value),
  z.string("must be text").max(500).optional(),
);
const toolParamsSchema = optional(z.object({ namespace: namespaceSchema }));

export const streamRequestSchema = generateRequestSchema.extend({
  thread_id: idSchema,
  run_id: idSchema,
  tool_params: toolParamsSchema,
  toolParams: toolParamsSchema,
  include_tool_events: optional(z.boolean("must be true or false")),
});

const pageLimit = (range: { min: number; max: number; default: number }) => {
  const message = `must be a whole number from ${range.min} to ${range.max}`;
  return z.coerce.number(message).int(message).min(range.min, message).max(range.max, message).default(range.default);
};

export const namespacesQuerySchema = z.object({
  limit: pageLimit(knowledgeLimits.namespacesPerPage),
  cursor: z.string().optional(),
});
export const documentsQuerySchema = z.object({
  limit: pageLimit(knowledgeLimits.documentsPerPage),
  cursor: z.string().optional(),
});
export const namespaceParametersSchema = z.object({ namespace: namespaceNameSchema });
export const documentParametersSchema = namespaceParametersSchema.extend({ id: z.string() });

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

export const ingestResponseSchema = z.object({
  namespace: z.string(),
  saved: z.array(
    z.object({
      title: z.string(),
      hash: hashSchema,
      source: z.string(),
      namespace: z.string(),
      document_id: z.string(),
      chunks: z.int().positive(),
      /** With `on_conflict: "replace"`: how many documents of the same source gave way. */
      replaced: z.int().nonnegative().optional(),
    }),
  ),
  skipped: z.array(
    z.object({ title: z.string(), hash: hashSchema, source: z.string(), reason: z.literal("duplicate-content") }),
  ),
  errors: z.array(z.object({ source: z.string(), title: z.string().optional(), error: z.string(), code: z.string() })),
});

const itemOfJob = { source: z.string(), title: z.string().optional() };
const storedItemOfJob = { ...itemOfJob, title: z.string(), hash: hashSchema };

/** An item of a job: where it is on its way, and what became of it. */
export const jobItemSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.enum(["queued", "reading", "chunking", "embedding", "storing"]), source: z.string() }),
  z.object({
    stage: z.literal("saved"),
    ...storedItemOfJob,
    namespace: z.string(),
    document_id: z.string(),
    chunks: z.int().positive(),
    replaced: z.int().nonnegative().optional(),
  }),
  z.object({ stage: z.literal("skipped"), ...storedItemOfJob, reason: z.literal("duplicate-content") }),
  z.object({ stage: z.literal("error"), ...itemOfJob, error: z.string(), code: z.string() }),
]);

/** An ingest that goes on after its request was answered. It has failed when no item was saved or skipped. */
export const jobSchema = z.object({
  job_id: z.string(),
  namespace: z.string(),
  status: z.enum(["queued", "running", "done", "failed"]),
  items: z.array(jobItemSchema),
  /** How many items were. */
  saved: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  errors: z.int().nonnegative(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().optional(),
});

/** What an ingest with `async=true` answers. */
export const jobAcceptedSchema = z.object({
  job_id: z.string(),
  namespace: z.string(),
  status: z.literal("queued"),
  items: z.int().positive(),
});

/** The events of a job: one for each change of an item, `item` its 0-based position, and the whole job at the end. */
export const jobEventSchema = z.union([
  jobItemSchema.and(z.object({ type: z.literal("item"), job_id: z.string(), item: z.int().nonnegative() })),
  jobSchema.extend({ type: z.literal("job") }),
]);

export const jobParametersSchema = z.object({ id: z.uuid("is no id of a job") });
export const ingestQuerySchema = z.object({
  async: z
    .stringbool("must be true or false")
    .optional()
    .transform((value) => value ?? false),
});

/** What locates a passage, and the client's own fields: offsets are UTF-16 code units in the document's text, `chunk` and `page` count from 0 and 1. */
export const passageMetadataSchema = z
  .object({
    source: z.string(),
    document_id: z.string(),
    chunk: z.int().nonnegative(),
    start: z.int().nonnegative(),
    end: z.int().nonnegative(),
    ingested_at: z.iso.datetime(),
    page: z.int().positive().optional(),
    slide: z.int().positive().optional(),
    sheet: z.string().optional(),
    heading: z.string().optional(),
    url: z.string().optional(),
    filename: z.string().optional(),
    content_type: z.string().optional(),
  })
  .catchall(metadataValueSchema);

export const searchResponseSchema = z.object({
  namespace: z.string(),
  query: z.string(),
  results: z.array(
    z.object({
      title: z.string(),
      content: z.string(),
      hash: hashSchema,
      score: z.number().min(0).max(1),
      metadata: passageMetadataSchema,
    }),
  ),
});

export const citationSchema = z.object({
  title: z.string(),
  source: z.string(),
  hash: hashSchema,
  document_id: z.string(),
  page: z.int().positive().optional(),
  heading: z.string().optional(),
  url: z.string().optional(),
  quote: z.string(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
});

export const generateResponseSchema = z.object({
  content: z.string(),
  namespace: z.string(),
  citations: z.array(citationSchema),
});

const run = { thread_id: z.string(), run_id: z.string() };
const reply = { message_id: z.string(), ...run };
const toolCall = { tool_call_id: z.string(), ...reply };

/** The five events that every stream is made of. */
export const replyEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_start"), ...reply }),
  z.object({ type: z.literal("text_delta"), content: z.string(), ...reply }),
  z.object({ type: z.literal("text_end"), ...reply }),
  z.object({ type: z.literal("done"), ...run }),
  z.object({ type: z.literal("error"), message: z.string(), ...reply }),
]);

/** What a stream carries besides when `include_tool_events` is true. */
export const toolEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tool_call_start"), tool_name: z.string(), ...toolCall }),
  z.object({ type: z.literal("tool_call_args"), args: z.unknown(), ...toolCall }),
  z.object({ type: z.literal("tool_call_end"), ...toolCall }),
  z.object({ type: z.literal("tool_result"), tool_name: z.string(), result: z.unknown(), ...toolCall }),
  z.object({ type: z.literal("citations"), citations: z.array(citationSchema), ...reply }),
]);

export const documentSummarySchema = z.object({
  document_id: z.string(),
  title: z.string(),
  source: z.string(),
  hash: hashSchema,
  chunks: z.int().positive(),
  ingested_at: z.iso.datetime(),
});

export const documentsResponseSchema = z.object({
  documents: z.array(documentSummarySchema),
  next_cursor: z.string().nullable(),
});

export const documentResponseSchema = documentSummarySchema.extend({
  namespace: z.string(),
  text: z.string(),
  metadata: z
    .object({
      url: z.string().optional(),
      filename: z.string().optional(),
      content_type: z.string().optional(),
    })
    .catchall(metadataValueSchema),
});

export const namespacesResponseSchema = z.object({
  namespaces: z.array(
    z.object({
      namespace: z.string(),
      documents: z.int().nonnegative(),
      chunks: z.int().nonnegative(),
      embedding_model: z.string(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export type CustomMetadata = z.output<typeof customMetadataSchema>;
export type IngestRequest = z.output<typeof ingestRequestSchema>;
export type IngestResponse = z.output<typeof ingestResponseSchema>;
export type Job = z.output<typeof jobSchema>;
export type JobItem = z.output<typeof jobItemSchema>;
export type JobEvent = z.output<typeof jobEventSchema>;
export type JobAccepted = z.output<typeof jobAcceptedSchema>;
export type SearchFilter = z.output<typeof searchFilterSchema>;
export type SearchRequest = z.output<typeof searchRequestSchema>;
export type SearchResponse = z.output<typeof searchResponseSchema>;
export type PassageMetadata = z.output<typeof passageMetadataSchema>;
export type ConversationMessage = z.output<typeof conversationMessageSchema>;
export type GenerateRequest = z.output<typeof generateRequestSchema>;
export type GenerateResponse = z.output<typeof generateResponseSchema>;
export type StreamRequest = z.output<typeof streamRequestSchema>;
export type Citation = z.output<typeof citationSchema>;
export type ReplyEvent = z.output<typeof replyEventSchema>;
export type ToolEvent = z.output<typeof toolEventSchema>;
export type DocumentsResponse = z.output<typeof documentsResponseSchema>;
export type DocumentResponse = z.output<typeof documentResponseSchema>;
export type NamespacesResponse = z.output<typeof namespacesResponseSchema>;
