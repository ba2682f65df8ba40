import { z } from "zod";
import { buildListSchema, withMaxFields } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";

/** Names of the service's own fields, which custom metadata can't use. */
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

/** The name of a custom metadata field, or of a field that a filter compares. */
export const fieldNameSchema = z
  .string()
  .min(1, "has a name that is empty")
  .max(knowledgeLimits.metadataNameCharacters, {
    error: `has a name longer than ${knowledgeLimits.metadataNameCharacters} characters`,
    abort: true,
  })
  .refine((name) => name !== "__proto__", "can't be named __proto__");

const metadataNameSchema = fieldNameSchema
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "has a name with a control character")
  .refine((name) => !(reservedMetadataNames as readonly string[]).includes(name), "has a name that the service uses");

const { metadataFields, metadataValueCharacters, metadataListValues, metadataCharacters } = knowledgeLimits;
const valueMessage = `must be a text of up to ${metadataValueCharacters} characters, a number, true or false, or a list of up to ${metadataListValues} of them`;

/** A string, a number or a boolean. */
export const singleValue = (maxCharacters: number, message: string) =>
  z.union(
    [
      z
        .string()
        .max(maxCharacters)
        .transform((text) => text.toWellFormed()),
      z.number(),
      z.boolean(),
    ],
    message,
  );
const singleValueSchema = singleValue(metadataValueCharacters, valueMessage);

/** One value, or a list of values such as tags. */
export const metadataValueSchema = z.union(
  [singleValueSchema, buildListSchema(singleValueSchema, { max: metadataListValues, maxMessage: valueMessage })],
  valueMessage,
);

/** Custom metadata of a document, stored and returned unchanged. A filter matches a list if it matches any of its values. */
export const customMetadataSchema = withMaxFields(
  metadataFields,
  z.record(metadataNameSchema, metadataValueSchema, "must be an object of texts, numbers, booleans and lists of them"),
).refine(
  (metadata) => JSON.stringify(metadata).length <= metadataCharacters,
  `takes more than ${metadataCharacters} characters as JSON; each chunk stores it, so keep long texts in the document`,
);

export type CustomMetadata = z.output<typeof customMetadataSchema>;
