import { z } from "zod";
import { fieldsLike, hashSchema, optional, warningsSchema } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";
import { customMetadataSchema } from "./metadata.ts";
import { namespaceSchema } from "./namespaces.ts";

const text = z.string();
const { itemIdCharacters } = knowledgeLimits;
const idSchema = text
  .max(itemIdCharacters, { error: `is longer than ${itemIdCharacters} characters`, abort: true })
  .refine((id) => id.trim() !== "", "is blank")
  .refine((id) => id.isWellFormed() && !/\p{Cc}/u.test(id), "holds a control character")
  .refine((id) => !/^\d+$/.test(id), "can't be a number alone, such as the position in text:0; add a prefix: note-7");

/** An item of `sources` that isn't a bare string. */
export const sourceSchema = z.object(
  {
    type: text.describe("`text`, `markdown` or `url`."),
    value: text.describe("The text, or the address."),
    id: idSchema.nullish().describe("Names a text, so that a later one with the same `id` can replace it."),
    title: text.nullish().describe("Default: the document's own title."),
    metadata: customMetadataSchema.nullish().describe("Your own fields. Searches can filter by them."),
  },
  "it is neither an object nor a text",
);

/**
 * The fields of an ingest request. Items of `sources` are validated one by one: an invalid value is that item's error and never a 422. A
 * misspelt field in an item is a 422 like any other, and so is a field of the request in an item.
 */
export const ingestRequestSchema = z.object({
  namespace: namespaceSchema,
  sources: optional(
    z.array(
      z.unknown().register(fieldsLike, {
        schema: z.union([sourceSchema, z.string()]),
        // Otherwise the item would be stored in a namespace that its sender didn't intend.
        requestFields: ["namespace", "on_conflict"],
      }),
      "must be a list of sources",
    ),
  ).describe("What to store. A bare string is an address if it starts with http:// or https://, else a text."),
  /** Named only to refuse files sent as text instead of dropping them. */
  files: optional(
    z.undefined("is only taken as files of a multipart/form-data body, such as curl -F files=@notes.pdf"),
  ),
  on_conflict: optional(z.enum(["keep", "replace"], "must be keep or replace")).describe(
    "Whether documents of the same source with other content stay, the default, or are replaced.",
  ),
  metadata: optional(customMetadataSchema).describe("Fields of every item of the request. An item's own fields win."),
});

/** The same fields in a `multipart/form-data` body. */
export const ingestFormSchema = z.object({
  ...ingestRequestSchema.shape,
  sources: z.string().optional().describe("A JSON array, as in a JSON body."),
  metadata: z.string().optional().describe("A JSON object, as in a JSON body."),
  files: z.array(z.file()).optional().describe("Repeated, one for each file."),
});

export const ingestQuerySchema = z.object({
  async: z
    .stringbool("must be true or false")
    .optional()
    .transform((value) => value ?? false)
    .describe("Whether to answer at once with a job that stores the items."),
});

/** Error codes for one item of an ingest. An item's error never fails the request. */
export const ingestErrorCodes = {
  invalid_item: "the item is neither a text nor an object with a known `type` and a `value`",
  duplicate_id: "an earlier item of the request has the same type and `id`",
  invalid_url: "the address isn't http(s), or can't be parsed",
  forbidden_address: "the address leads to a network that isn't public",
  unreachable: "nothing answers at the address, it redirects too often, or the connection breaks",
  http_status: "the address answers with an error status",
  timed_out: "the address, or the reading of the document, took too long",
  too_large: "the file or page is over its limit",
  unsupported: "no reader for this kind of file, or a text that is the content of a binary file, also in base64",
  no_text: "the document has no text; a scanned PDF, for example",
  recognition_failed: "the server that recognises the text of scanned pages failed",
  empty: "the document has no content at all",
  encrypted: "the file needs a password, or the e-mail is encrypted",
  damaged: "the file can't be opened",
  provider_failed: "the embedding provider failed for this item",
  embedding_model_changed: "the namespace was embedded with another model",
  not_stored: "the store failed; the log has the error",
  cancelled: "the job was cancelled before the item was stored",
} as const;

export type IngestErrorCode = keyof typeof ingestErrorCodes;

/** `not-modified`: with `on_conflict: "replace"`, the web server says that the stored page is still current. */
export const skippedReasonSchema = z.enum(["duplicate-content", "not-modified"]);

/** Warning of a saved item. */
export const unreadPartSchema = z
  .string()
  .optional()
  .describe("What of the file was not read: scanned pages of a PDF.");

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
      replaced: z
        .int()
        .nonnegative()
        .optional()
        .describe('With `on_conflict: "replace"`: how many documents that had this source alone were replaced.'),
      warning: unreadPartSchema,
    }),
  ),
  skipped: z.array(
    z.object({
      title: z.string(),
      hash: hashSchema,
      source: z.string(),
      reason: skippedReasonSchema,
      /** The title or metadata that was sent replaced what the stored document had from this source. */
      updated: z.literal(true).optional(),
      replaced: z
        .int()
        .positive()
        .optional()
        .describe(
          'With `on_conflict: "replace"`: how many documents that had this source alone were deleted, since the namespace has its new content already. Absent: none.',
        ),
    }),
  ),
  errors: z.array(z.object({ source: z.string(), title: z.string().optional(), error: z.string(), code: z.string() })),
  warnings: warningsSchema,
});

export type IngestRequest = z.output<typeof ingestRequestSchema>;
export type IngestResponse = z.output<typeof ingestResponseSchema>;

export const sitemapRequestSchema = z.object({
  url: z.string().transform((url) => url.trim()),
});

export const sitemapResponseSchema = z.object({
  url: z.string(),
  /** Each page once, in the sitemap's order. */
  pages: z.array(z.object({ url: z.string(), lastmod: z.iso.datetime().optional() })),
  /** Number of entries that are on other hosts or aren't http(s) URLs. */
  skipped: z.int().nonnegative(),
  /** Whether there are more pages than a limit allows. */
  truncated: z.boolean(),
  /** Sitemaps of an index that couldn't be read. */
  errors: z.array(z.object({ url: z.string(), error: z.string(), code: z.string() })),
  warnings: warningsSchema,
});

export type SitemapResponse = z.output<typeof sitemapResponseSchema>;
