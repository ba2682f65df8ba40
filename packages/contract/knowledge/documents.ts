import { z } from "zod";
import { hashSchema } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";
import { metadataValueSchema } from "./metadata.ts";
import { namespaceNameSchema } from "./namespaces.ts";

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

export type DocumentsResponse = z.output<typeof documentsResponseSchema>;
export type DocumentResponse = z.output<typeof documentResponseSchema>;
export type NamespacesResponse = z.output<typeof namespacesResponseSchema>;
