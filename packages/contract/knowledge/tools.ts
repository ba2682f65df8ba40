import { z } from "zod";
import { optional } from "../shapes.ts";
import { documentResponseSchema, documentsQuerySchema } from "./documents.ts";
import { ingestRequestSchema, sourceSchema } from "./ingest.ts";
import { knowledgeLimits } from "./limits.ts";
import { namesOneKind, namespaceSchema, namespacesSchema } from "./namespaces.ts";
import { searchFilterSchema } from "./search.ts";

const { queryCharacters, textCharacters } = knowledgeLimits;

/** Request schemas of the MCP tools whose input differs from a route's. This one is for the tool `ask`. */
export const askRequestSchema = z
  .object({
    question: z
      .string()
      .max(queryCharacters, `is longer than ${queryCharacters} characters`)
      .refine((question) => question.trim() !== "", "is blank; ask something"),
    namespace: namespaceSchema,
    namespaces: namespacesSchema,
    filter: optional(searchFilterSchema),
  })
  .refine(...namesOneKind);

export const listDocumentsRequestSchema = documentsQuerySchema
  .pick({ limit: true, cursor: true, source: true })
  .extend({ namespace: namespaceSchema });

const documentAddress = { namespace: namespaceSchema, document_id: z.string() };
const lengthMessage = `must be a whole number from ${textCharacters.min} to ${textCharacters.max}`;

export const readDocumentRequestSchema = z.object({
  ...documentAddress,
  offset: optional(z.int("must be a whole number").min(0, "must not be negative")),
  limit: optional(z.int(lengthMessage).min(textCharacters.min, lengthMessage).max(textCharacters.max, lengthMessage)),
});

export const addDocumentRequestSchema = sourceSchema.extend({
  type: optional(sourceSchema.shape.type),
  namespace: namespaceSchema,
  on_conflict: ingestRequestSchema.shape.on_conflict,
});

export const readDocumentResponseSchema = documentResponseSchema.extend({
  offset: z.int().nonnegative(),
  next_offset: z.int().positive().nullable().describe("The `offset` of the next part, or null at the end."),
});

export const deleteDocumentRequestSchema = z.object(documentAddress);
export const deleteDocumentResponseSchema = z.object({
  namespace: z.string(),
  document_id: z.string(),
  deleted: z.literal(true),
});

export type AddDocumentRequest = z.output<typeof addDocumentRequestSchema>;
