import { z } from "zod";
import { hashSchema, optional, pageLimit, warningsSchema } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";
import { customMetadataSchema, metadataValueSchema } from "./metadata.ts";
import { namespaceNameSchema } from "./namespaces.ts";
import { chunkPlaceSchema, searchFilterSchema } from "./search.ts";

export const namespacesQuerySchema = z.object({
  limit: pageLimit(knowledgeLimits.namespacesPerPage),
  cursor: z.string().optional(),
});

const timeSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be a time such as 2026-11-22T09:40:00Z, or a day")
  .transform((time) => new Date(time).toISOString());
const filterTextSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('is not JSON; give it as in a search, such as {"team":"legal"}, percent-encoded');
      return z.NEVER;
    }
  })
  .pipe(searchFilterSchema);

/** Conditions that documents have to match, all of them. */
const documentConditions = {
  source: optional(z.string()),
  filter: filterTextSchema.optional(),
  ingested_after: timeSchema.optional(),
  ingested_before: timeSchema.optional(),
};

export const documentsQuerySchema = z.object({
  limit: pageLimit(knowledgeLimits.documentsPerPage),
  cursor: z.string().optional(),
  ...documentConditions,
});
export const deletionQuerySchema = z.object({
  /** Whether the response waits until the deleted text is off the disk. */
  purge: z.stringbool("must be true or false").default(false),
});
export const deleteDocumentsQuerySchema = documentsQuerySchema.extend({
  limit: pageLimit(knowledgeLimits.documentsPerDelete),
  ...deletionQuerySchema.shape,
});
export const chunksQuerySchema = z.object({
  limit: pageLimit(knowledgeLimits.chunksPerPage),
  cursor: z.string().optional(),
});
export const namespaceParametersSchema = z.object({ namespace: namespaceNameSchema });
export const documentParametersSchema = namespaceParametersSchema.extend({ id: z.string() });

const { titleCharacters } = knowledgeLimits;

const onlyChangeable = "can't be changed; only title and metadata can";

/** Named only to refuse a change of these fields instead of ignoring it. */
const unchangeable = optional(z.undefined(onlyChangeable));
const unchangeableText = optional(
  z.undefined(`${onlyChangeable}. Ingest the new text under the same source with on_conflict: replace`),
);

/** The changeable fields of a document. Omitted fields keep their value. */
export const documentChangeSchema = z
  .object({
    title: optional(
      z
        .string()
        .max(titleCharacters, `is longer than ${titleCharacters} characters`)
        .refine((title) => /[^\s\p{Cc}\p{Cf}]/u.test(title), "is blank"),
    ),
    /** Replaces all custom metadata. */
    metadata: optional(customMetadataSchema),
    text: unchangeableText,
    content: unchangeableText,
    source: unchangeable,
    url: unchangeable,
    filename: unchangeable,
    content_type: unchangeable,
    namespace: unchangeable,
    document_id: unchangeable,
    hash: unchangeable,
  })
  .refine(({ title, metadata }) => title !== undefined || metadata !== undefined, {
    path: ["title"],
    error: "is missing, and so is metadata; give at least one of them",
  });

export const documentSummarySchema = z.object({
  document_id: z.string().describe("The first 32 digits of the hash."),
  title: z.string(),
  source: z.string().describe("Where it came from, such as `file:guide.pdf` or `url:https://example.com/`."),
  hash: hashSchema.describe("SHA-256 of the document's text, in hex."),
  chunks: z.int().positive().describe("The number of its chunks."),
  ingested_at: z.iso.datetime(),
});

export const documentsResponseSchema = z.object({
  documents: z.array(documentSummarySchema),
  next_cursor: z.string().nullable().describe("The `cursor` of the next page, or null at the end."),
  warnings: warningsSchema,
});

export const deleteDocumentsResponseSchema = z.object({
  deleted: z.int().nonnegative(),
  kept: z.int().nonnegative().describe("Documents that lost the source but stay, because another source has them."),
  next_cursor: z.string().nullable(),
  warnings: warningsSchema,
});

export const chunksResponseSchema = z.object({
  chunks: z.array(chunkPlaceSchema.extend({ content: z.string() })),
  next_cursor: z.string().nullable(),
  warnings: warningsSchema,
});

export const changedDocumentResponseSchema = documentSummarySchema.extend({
  namespace: z.string(),
  metadata: z
    .object({
      url: z.string().optional(),
      filename: z.string().optional(),
      content_type: z.string().optional(),
    })
    .catchall(metadataValueSchema),
});

export const documentResponseSchema = changedDocumentResponseSchema.extend({ text: z.string() });

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
  warnings: warningsSchema,
});

export type DocumentsResponse = z.output<typeof documentsResponseSchema>;
export type DeleteDocumentsResponse = z.output<typeof deleteDocumentsResponseSchema>;
export type ChunksResponse = z.output<typeof chunksResponseSchema>;
export type ChangedDocumentResponse = z.output<typeof changedDocumentResponseSchema>;
export type DocumentResponse = z.output<typeof documentResponseSchema>;
export type NamespacesResponse = z.output<typeof namespacesResponseSchema>;

export const changesQuerySchema = z.object({
  since: z
    .string()
    .optional()
    .describe("The cursor at the end of the last response. Without it all documents are `added`."),
  wait: pageLimit(knowledgeLimits.changeWaitSeconds).describe(
    "Seconds for which the response stays open and sends further changes as they happen.",
  ),
});

const documentFields = changedDocumentResponseSchema.omit({ namespace: true }).shape;

/** The lines of a change feed. A `cursor` line follows all changes known so far. The last line is a `cursor` or an `error`. */
export const changeEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("added"), ...documentFields }),
  z.object({ type: z.literal("changed"), ...documentFields }),
  z.object({ type: z.literal("deleted"), document_id: z.string() }),
  z.object({ type: z.literal("cursor"), cursor: z.string() }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

export type ChangeEvent = z.output<typeof changeEventSchema>;
