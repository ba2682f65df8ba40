import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Language } from "@agent-backends/language";
import type { Embedding } from "../../document.ts";
import { UnknownStoreError } from "../../errors.ts";
import { Field, FixedSizeList, Float32, Int32, Schema, Utf8 } from "./arrow.ts";

/**
 * One row per chunk. Each row repeats its document's header, so that a hit needs no second read. The data shown for a hit is in few
 * columns, because reading ten rows costs 0.3 ms per column, however small; the other columns are for conditions. A chunk's own text is
 * the end of `search_text`, and its offsets give the length. The document's text is in `document_text` of the first row. For a document
 * of several parts (documents/add-in-parts.ts), it is in the chunks of its rows, and in what `document_text` has between them.
 */
export const columns = {
  hash: { type: new Utf8() },
  document_id: { type: new Utf8() },
  chunk: { type: new Int32() },
  chunks: { type: new Int32() },
  title: { type: new Utf8() },
  source: { type: new Utf8() },
  search_text: { type: new Utf8(), isPlain: true },
  // The indexed terms of `search_text`. Empty in rows of earlier versions until upkeep/fill-terms.ts has filled them.
  terms: { type: new Utf8(), nullable: true, isPlain: true },
  end_offset: { type: new Int32() },
  place_json: { type: new Utf8() },
  source_json: { type: new Utf8() },
  content_type: { type: new Utf8(), nullable: true },
  metadata_json: { type: new Utf8(), nullable: true },
  ingested_at: { type: new Utf8() },
  document_text: { type: new Utf8(), nullable: true },
  // Only in the first row; see documents/sources.ts.
  other_sources: { type: new Utf8(), nullable: true },
} satisfies Record<string, ColumnDescription>;

interface ColumnDescription {
  type: Utf8 | Int32;
  nullable?: true;
  /** Stored uncompressed, because compressing a chunk's text takes longer than writing the whole rest of the row. */
  isPlain?: true;
}

export type Column = keyof typeof columns;
/** The values of a row's columns. */
export type Row = {
  [Name in Column]: (typeof columns)[Name] extends { nullable: true }
    ? string | null
    : (typeof columns)[Name]["type"] extends Int32
      ? number
      : string;
};

export const headerColumns = ["hash", "document_id", "ingested_at", "source_json"] as const satisfies Column[];
export const chunkColumns = ["place_json", "source_json", "search_text"] as const satisfies Column[];

/** A column of vectors. A table has two while its chunks get vectors of another model, and otherwise one. */
export interface VectorColumn extends Embedding {
  name: string;
}

const modelKey = "embedding_model";
/** Prefix of the schema's metadata about `terms`, which has a key for each language in which rows were analysed. */
const languageKey = "language_";

/** Returns the same name for the same model and dimension, so that interrupted work finds its column again. */
export function toVectorColumnName({ model, dimension }: Embedding): string {
  const digest = createHash("sha256").update(`${model}\0${dimension}`, "utf8").digest("hex");
  return `vector_${digest.slice(0, 16)}`;
}

export const toVectorType = (dimension: number) => new FixedSizeList(dimension, new Field("item", new Float32(), true));

/** Marks the field that is a table's key. If two writers use the same key, the engine makes the later one start again. */
export const primaryKey = new Map([["lance-schema:unenforced-primary-key", "true"]]);

/** The schema's metadata about a column of vectors. */
export const toVectorMetadata = ({ model }: Embedding): Record<string, string> => ({ [modelKey]: model });

/**
 * The schema of a namespace's table. It declares the key from the start: Lance detects conflicts between writers with the same key only
 * if the table declares it, and a table that got its key later would have had a time without.
 */
export function buildTableSchema({ namespace, ...embedding }: { namespace: string } & Embedding): Schema {
  const plain = { "lance-encoding:compression": "none" };
  const fields = Object.entries<ColumnDescription>(columns).map(([name, { type, nullable = false, isPlain }]) => {
    const recorded = {
      ...(name === "hash" && Object.fromEntries(primaryKey)),
      ...(isPlain && plain),
      ...(name === "terms" && completeTermsMetadata),
    };
    return new Field(name, type, nullable, new Map(Object.entries(recorded)));
  });
  const metadata = new Map(Object.entries(toVectorMetadata(embedding)));
  // Nullable, because each row has only one of two vectors while a namespace gets vectors of another model.
  const vectors = new Field(toVectorColumnName(embedding), toVectorType(embedding.dimension), true, metadata);
  // Readers of a schema strip a leading byte order mark, so record one more.
  const recorded = namespace.startsWith("\ufeff") ? `\ufeff${namespace}` : namespace;
  return new Schema([...fields, vectors], new Map([["namespace", recorded]]));
}

export interface TableDescription {
  namespace: string;
  /** The vectors that are searched, which are in the oldest column. Dropping it activates the next one. */
  active: VectorColumn;
  /** Columns that are being filled. */
  building: VectorColumn[];
  languages: Language[];
  /** False while the column of a table of an earlier version is being filled. Until then, `search_text` is searched. */
  termsAreComplete: boolean;
}

/** Recorded once all rows of a table have their terms. */
export const completeTermsMetadata = { terms: "complete" };

export const toLanguageMetadata = (languages: Iterable<Language>): Record<string, string> =>
  Object.fromEntries(Array.from(languages, (language) => [`${languageKey}${language}`, "true"]));

/** The metadata in a table's schema. @throws UnknownStoreError if the table isn't of this version of the store */
export function readSchema({ metadata, fields }: Schema): TableDescription {
  const namespace = metadata.get("namespace");
  const [active, ...building] = fields
    .filter(({ name }) => name.startsWith("vector_"))
    .map(({ name, type, metadata }): VectorColumn => {
      const { listSize = 0 } = type as { listSize?: number };
      return { name, model: metadata.get(modelKey) ?? "", dimension: listSize };
    });
  if (namespace === undefined || !active) throw new UnknownStoreError();
  const recorded: Map<string, string> = fields.find(({ name }) => name === "terms")?.metadata ?? new Map();
  const languages = Array.from(recorded.keys())
    .filter((key) => key.startsWith(languageKey))
    .map((key) => key.slice(languageKey.length) as Language);
  return { namespace, active, building, languages, termsAreComplete: recorded.has("terms") };
}

/** The columns that are read and written but missing in a table. */
export function getMissingColumns({ fields }: Schema): string[] {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(columns).filter((name) => !names.has(name));
}

/**
 * The name of a namespace's table, which is a hash: a namespace is any text of up to 128 characters. A folder name can't contain all
 * characters or be that long, and many file systems treat `A` and `a`, or two spellings of `é`, as the same.
 */
export const getTableName = (namespace: string): string => createHash("sha256").update(namespace, "utf8").digest("hex");

/** @param store the folder of all tables */
export const getTableFolder = (store: string, namespace: string): string =>
  join(store, `${getTableName(namespace)}.lance`);

/** Prefix of the names of tables that are being created or deleted. */
export const draftPrefix = "draft-";
