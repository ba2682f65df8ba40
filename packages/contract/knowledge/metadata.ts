import { z } from "zod";
import { withMaxFields } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";

/** Names of the service's own fields, which clients can't use for theirs. */
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
  "table_header",
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
  .max(knowledgeLimits.metadataNameCharacters, {
    error: `has a name longer than ${knowledgeLimits.metadataNameCharacters} characters`,
    abort: true,
  })
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "has a name with a control character")
  .refine((name) => name !== "__proto__", "can't be named __proto__")
  .refine((name) => !(reservedMetadataNames as readonly string[]).includes(name), "has a name that the service uses");

export const metadataValueSchema = z.union(
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

/** A client's own fields of a document. They are flat, and stored, returned and filtered unchanged. */
export const customMetadataSchema = withMaxFields(
  knowledgeLimits.metadataFields,
  z.record(metadataNameSchema, metadataValueSchema, "must be an object of texts, numbers and booleans"),
);

export type CustomMetadata = z.output<typeof customMetadataSchema>;
