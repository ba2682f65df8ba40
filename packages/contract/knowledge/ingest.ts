import { z } from "zod";
import { customMetadataSchema } from "./metadata.ts";
import { namespaceSchema } from "./namespaces.ts";
import { hashSchema, optional } from "./shapes.ts";

/** The fields of an ingest. What an item of `sources` must be is judged item by item, and is never a 422. */
export const ingestRequestSchema = z.object({
  namespace: namespaceSchema,
  sources: optional(z.array(z.unknown(), "must be a list of sources")),
  /** What becomes of documents of the same source with other content: they stay, or give way to the new one. */
  on_conflict: optional(z.enum(["keep", "replace"], "must be keep or replace")),
  /** Fields of every item of the request; those of an item itself win. */
  metadata: optional(customMetadataSchema),
});

export const ingestQuerySchema = z.object({
  async: z
    .stringbool("must be true or false")
    .optional()
    .transform((value) => value ?? false),
});

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
      /** With `on_conflict: "replace"`: how many documents of the same source, and of no other, gave way. */
      replaced: z.int().nonnegative().optional(),
    }),
  ),
  skipped: z.array(
    z.object({ title: z.string(), hash: hashSchema, source: z.string(), reason: z.literal("duplicate-content") }),
  ),
  errors: z.array(z.object({ source: z.string(), title: z.string().optional(), error: z.string(), code: z.string() })),
});

export type IngestRequest = z.output<typeof ingestRequestSchema>;
export type IngestResponse = z.output<typeof ingestResponseSchema>;
