import { z } from "zod";
import { buildListSchema, hashSchema, warningsSchema } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";
import { customMetadataSchema, metadataValueSchema } from "./metadata.ts";
import { chunkPlaceSchema } from "./search.ts";

/** The file format version that this service writes and reads. */
export const exportFormat = { format: "agent-backends/namespace", version: 1 } as const;

const { exportedSources, chunksPerExportLine, chunksPerDocument } = knowledgeLimits;

const text = (maxCharacters: number) => z.string().max(maxCharacters, `is longer than ${maxCharacters} characters`);
const address = text(10_000);
const offset = z.int().nonnegative();
const { page, slide } = chunkPlaceSchema.shape;
const place = { page, slide, sheet: text(10_000).optional(), heading: text(10_000).optional() };

/** Custom metadata, and metadata found in the document itself. */
const storedMetadataSchema = z
  .record(z.string(), metadataValueSchema)
  .refine(
    ({ language, main_content, ...own }) =>
      ["string", "undefined"].includes(typeof language) &&
      ["boolean", "undefined"].includes(typeof main_content) &&
      customMetadataSchema.safeParse(own).success,
    "are no fields that a document can have",
  );

const headerLine = z.object({
  type: z.literal("header"),
  format: z.literal(exportFormat.format, "is not agent-backends/namespace"),
  version: z.literal(exportFormat.version, "is unknown; import the file into the version of the service that made it"),
  namespace: z.string(),
  /** The embedding model of all vectors. */
  embedding: z.object({ model: z.string().min(1), dimension: z.int().min(1).max(knowledgeLimits.dimensions) }),
  exported_at: z.iso.datetime(),
});

/** Starts a document. Its parts follow, and then either its end or a note that it was deleted meanwhile. */
const documentLine = z.object({
  type: z.literal("document"),
  hash: hashSchema,
  ingested_at: z.iso.datetime(),
  chunks: z.int().min(1).max(chunksPerDocument),
  /** The first source is the displayed one. */
  sources: buildListSchema(
    z.object({
      source: address.min(1),
      title: text(1_000),
      content_type: text(1_000).optional(),
      url: address.optional(),
      filename: address.optional(),
      metadata: storedMetadataSchema.optional(),
    }),
    { max: exportedSources },
  ).refine((sources) => sources.length > 0, "is empty"),
  /** The document had more sources than the store keeps. */
  more_sources: z.literal(true).optional(),
});

/** A section of a document's text with its chunks. Offsets count UTF-16 code units of the document's text. */
const partLine = z.object({
  type: z.literal("part"),
  text: z.string(),
  chunks: buildListSchema(
    z.object({
      start: offset,
      end: offset,
      ...place,
      table_header: text(knowledgeLimits.importedChunkCharacters).optional(),
      /** Further sections that start within the chunk, by their offset in it. */
      sections: z.array(z.object({ offset, ...place })).optional(),
      /** Text that was embedded before the chunk's own text. */
      prefix: z.string().optional(),
    }),
    { max: chunksPerExportLine },
  ).refine((chunks) => chunks.length > 0, "is empty"),
  /** The vectors of the chunks, concatenated: little-endian float32 in base64. */
  vectors: z.string(),
});

/** SHA-256, in hex, of all preceding lines, each with its line end. Empty lines don't count. */
const sha256 = hashSchema;

/** The lines of a namespace's export. An `error` line ends an incomplete file. */
export const exportLineSchema = z.discriminatedUnion("type", [
  headerLine,
  documentLine,
  partLine,
  z.object({ type: z.literal("end"), sha256 }),
  z.object({ type: z.literal("deleted") }),
  z.object({ type: z.literal("trailer"), documents: offset, chunks: offset, sha256 }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

export const importQuerySchema = z.object({
  /** Whether chunks are embedded again if the namespace has another model than the file. */
  reembed: z.stringbool("must be true or false").default(false),
});

export const importResponseSchema = z.object({
  namespace: z.string(),
  /** Number of documents. */
  saved: offset,
  /** Documents whose content the namespace already had. */
  skipped: offset,
  /** Number of chunks of saved documents, and how many of them were embedded again. */
  chunks: offset,
  embedded: offset,
  warnings: warningsSchema,
});

export type ExportLine = z.output<typeof exportLineSchema>;
export type ImportResponse = z.output<typeof importResponseSchema>;
