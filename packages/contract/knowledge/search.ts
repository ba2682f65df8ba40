import { z } from "zod";
import { buildListSchema, hashSchema, optional, warningsSchema, withMaxFields } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";
import { fieldNameSchema, metadataValueSchema, reservedMetadataNames, singleValue } from "./metadata.ts";
import { namesOneKind, namespaceSchema, namespacesSchema } from "./namespaces.ts";

/** The service's own fields that a filter may name. Any other name is custom metadata. */
const filterableNames = ["source", "content_type", "title"] as const;

const filterNameSchema = fieldNameSchema.refine(
  (name) =>
    (filterableNames as readonly string[]).includes(name) ||
    !(reservedMetadataNames as readonly string[]).includes(name),
  `can only name ${filterableNames.join(", ")} or fields given at ingest`,
);
const { filterValues, filterValueCharacters, filterValuesInAll, filterCharactersInAll } = knowledgeLimits;
const filterValueMessage = `must be a text of up to ${filterValueCharacters} characters, a number, true or false, or a list of up to ${filterValues} of them`;
const filterValueSchema = singleValue(filterValueCharacters, filterValueMessage);

/** Limits a search to documents that have every field named here, with this value or one of these. */
export const searchFilterSchema = withMaxFields(
  knowledgeLimits.filterFields,
  z.record(
    filterNameSchema,
    z.union(
      [
        filterValueSchema,
        buildListSchema(filterValueSchema, { max: filterValues, maxMessage: filterValueMessage }).refine(
          (values) => values.length > 0,
          filterValueMessage,
        ),
      ],
      filterValueMessage,
    ),
    "must be an object of fields and values",
  ),
)
  .refine((filter) => listValues(filter).length <= filterValuesInAll, `holds more than ${filterValuesInAll} values`)
  .refine(
    (filter) => listValues(filter).join("").length <= filterCharactersInAll,
    `holds values of more than ${filterCharactersInAll} characters together`,
  );

function listValues(filter: Record<string, unknown>): unknown[] {
  return Object.values(filter).flat();
}

const { searchResults } = knowledgeLimits;
const resultsMessage = `must be a whole number from ${searchResults.min} to ${searchResults.max}`;

export const searchRequestSchema = z
  .object({
    namespace: namespaceSchema,
    namespaces: namespacesSchema,
    query: z
      .string()
      .max(knowledgeLimits.queryCharacters, `is longer than ${knowledgeLimits.queryCharacters} characters`)
      .refine((query) => query.trim() !== "", "is blank; say what to search for")
      .describe("A question or words, in any language."),
    max_results: optional(
      z.int(resultsMessage).min(searchResults.min, resultsMessage).max(searchResults.max, resultsMessage),
    ).describe(`From ${searchResults.min} to ${searchResults.max}. Default: ${searchResults.default}.`),
    filter: optional(searchFilterSchema).describe(
      "Only documents that have each of these fields with this value, or one of these.",
    ),
    min_score: optional(
      z.number("must be a number from 0 to 1").min(0, "must be at least 0").max(1, "must be at most 1"),
    ).describe("Leaves out results with a lower `similarity`, or none."),
  })
  .refine(...namesOneKind);

/** Position of a chunk. Offsets count UTF-16 code units. `chunk` counts from 0, `page` and `slide` from 1. */
export const chunkPlaceSchema = z.object({
  chunk: z.int().nonnegative().describe("Counts from 0."),
  start: z.int().nonnegative().describe("Offset in the document's text, in UTF-16 code units."),
  end: z.int().nonnegative(),
  page: z.int().positive().optional().describe("Counts from 1."),
  slide: z.int().positive().optional(),
  sheet: z.string().optional(),
  heading: z.string().optional(),
  table_header: z.string().optional(),
});

/** Position of a chunk, facts about its document, and custom metadata. */
export const chunkMetadataSchema = z
  .object({
    source: z.string(),
    document_id: z.string(),
    ...chunkPlaceSchema.shape,
    ingested_at: z.iso.datetime(),
    url: z.string().optional(),
    filename: z.string().optional(),
    content_type: z.string().optional(),
  })
  .catchall(metadataValueSchema);

export const searchResponseSchema = z.object({
  namespace: z.string().describe("The first one of a request that names several."),
  namespaces: z.array(z.string()).optional(),
  query: z.string(),
  results: z.array(
    z.object({
      title: z.string(),
      content: z.string(),
      hash: hashSchema,
      score: z
        .number()
        .min(0)
        .max(1)
        .describe("From 0 to 1, higher is better. Orders the results of one query and does not compare queries."),
      similarity: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe(
          "How much nearer in meaning the chunk is than an ordinary one of its namespace; absent when its words alone were found.",
        ),
      also_in: z
        .array(
          z.object({
            title: z.string(),
            ...chunkPlaceSchema.pick({ chunk: true, start: true, end: true }).shape,
            source: z.string(),
            document_id: z.string(),
          }),
        )
        .optional()
        .describe("Other places of the same text."),
      namespace: z.string().optional().describe("Of a request that names several namespaces."),
      metadata: chunkMetadataSchema,
    }),
  ),
  warnings: warningsSchema,
});

export type SearchFilter = z.output<typeof searchFilterSchema>;
export type SearchRequest = z.output<typeof searchRequestSchema>;
export type SearchResponse = z.output<typeof searchResponseSchema>;
export type ChunkPlace = z.output<typeof chunkPlaceSchema>;
