import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import {
  Field,
  FixedSizeList,
  Float32,
  Int32,
  makeData,
  Schema,
  Table,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import type {
  ChunkPosition,
  DocumentHeader,
  DocumentPart,
  DocumentSource,
  Embedding,
  FoundChunk,
  NewChunk,
  NewDocument,
} from "../document.ts";
import { IntegerColumn, TextColumn } from "./arrow-columns.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { recordedNamespace, vectorColumnName, vectorMetadata } from "./vector-columns.ts";

/**
 * One row for each chunk. The header is repeated in each, so that a hit needs no second read. What a hit shows is in few columns,
 * since reading ten rows costs 0.3 ms for each column, however little it holds; those beside them are for conditions. A chunk's own
 * text is the end of `search_text`, as long as its offsets say. The document's text is all in `document_text` of the first row, or, for a document
 * stored in parts (document-parts.ts), in the chunks of the rows of one `document_id` and what `document_text` has between them.
 */
const columns = {
  hash: { type: new Utf8() },
  document_id: { type: new Utf8() },
  chunk: { type: new Int32() },
  chunks: { type: new Int32() },
  title: { type: new Utf8() },
  source: { type: new Utf8() },
  search_text: { type: new Utf8(), isPlain: true },
  end_offset: { type: new Int32() },
  place_json: { type: new Utf8() },
  source_json: { type: new Utf8() },
  content_type: { type: new Utf8(), nullable: true },
  metadata_json: { type: new Utf8(), nullable: true },
  ingested_at: { type: new Utf8() },
  document_text: { type: new Utf8(), nullable: true },
  // Of the first row alone; see document-sources.ts.
  other_sources: { type: new Utf8(), nullable: true },
} satisfies Record<string, ColumnDescription>;

interface ColumnDescription {
  type: Utf8 | Int32;
  nullable?: true;
  /** Stored as it is: packing a chunk's text takes longer than writing all the rest of it. */
  isPlain?: true;
}

/** Digits of a document's hash, and of its id, which is its beginning. */
const hashDigits = 64;
export const idDigits = 32;

/** Rows that are made into columns without a pause. */
const rowsTakenAtOnce = 128;

type Column = keyof typeof columns;
export type Row = Record<Column, string | number | null>;

export const headerColumns = ["hash", "document_id", "ingested_at", "source_json"] as const satisfies Column[];
export const chunkColumns = ["place_json", "source_json", "search_text"] as const satisfies Column[];

type HeaderRow = Pick<Row, "hash" | "ingested_at" | "source_json">;
export type ChunkRow = Pick<Row, (typeof chunkColumns)[number]>;

/** What `place_json` holds. */
export interface Place extends Pick<Row, "hash" | "document_id" | "ingested_at">, ChunkPosition {}

const vectorType = (dimension: number) => new FixedSizeList(dimension, new Field("item", new Float32(), true));

/**
 * A namespace's table. Its key is declared from the start: Lance makes writers with the same key conflict only when
 * the table says what its key is, and a table that got its key later would have had a time without.
 */
export function tableSchema({ namespace, ...embedding }: { namespace: string } & Embedding): Schema {
  const key = new Map([["lance-schema:unenforced-primary-key", "true"]]);
  const plain = new Map([["lance-encoding:compression", "none"]]);
  const fields = Object.entries<ColumnDescription>(columns).map(
    ([name, { type, nullable = false, isPlain }]) =>
      new Field(name, type, nullable, name === "hash" ? key : isPlain ? plain : undefined),
  );
  // May be empty: while a namespace gets vectors of another model, its rows have those of one alone.
  const vectors = new Field(
    vectorColumnName(embedding),
    vectorType(embedding.dimension),
    true,
    vectorMetadata(embedding),
  );
  return new Schema([...fields, vectors], new Map([["namespace", recordedNamespace(namespace)]]));
}

/** Whether a table has all columns that are read and written. */
export function hasAllColumns({ fields }: Schema): boolean {
  const names = new Set(fields.map(({ name }) => name));
  return Object.keys(columns).every((name) => names.has(name));
}

/** A row and its vector. */
export interface NewRow {
  row: Row;
  vector: Float32Array;
}

/**
 * Makes rows into columns, in memory that is used again: building an object for each vector would cost more than writing it. A
 * row is needed only while it is taken. Many take a while, and other requests don't wait for all of them.
 */
export class RowColumns {
  readonly #scalars = Object.entries<ColumnDescription>(columns).map(([name, { type }]) => {
    return { name: name as Column, column: type instanceof Utf8 ? new TextColumn() : new IntegerColumn() };
  });

  /** Holds until the next call. */
  async of(rows: Iterable<NewRow>, vectorColumn: VectorColumn): Promise<Table> {
    for (const { column } of this.#scalars) column.clear();
    const vectors: Float32Array[] = [];
    for (const { row, vector } of rows) {
      for (const { name, column } of this.#scalars) (column as { add(value: Row[Column]): void }).add(row[name]);
      if (vectors.push(vector) % rowsTakenAtOnce === 0) await setImmediate();
    }
    const scalars = this.#scalars.map(({ name, column }): [string, Vector] => [name, column.vector()]);
    const vectorsInOne = columnOf(vectors, vectorColumn.dimension);
    return new Table(Object.fromEntries<Vector>([...scalars, [vectorColumn.name, vectorsInOne]]));
  }
}

/**
 * The rows of a document that is stored at once. Its text is in the first one alone. Their `document_id` is a name that no other
 * rows have, nor those of the same content later, so that nobody removes what he has not seen.
 */
export function rowsOf({ document, part }: { document: NewDocument; part: DocumentPart }): NewRow[] {
  const header = { ...document, id: newRowsId() };
  return part.chunks.map((chunk) => {
    const text = chunk.index === 0 ? part.text : null;
    return { row: rowOf(header, chunk, { chunks: part.chunks.length, text }), vector: chunk.vector };
  });
}

export const newRowsId = (): string => randomUUID().replaceAll("-", "");

/** The row of one chunk. `chunks` is how many its document has, `text` the part of the document's text that lies in this row. */
export function rowOf(
  document: DocumentHeader,
  chunk: NewChunk,
  { chunks, text }: { chunks: number; text: string | null },
): Row {
  const { index, start, end, page, slide, sheet, heading, searchText } = chunk;
  const names = { hash: document.hash, document_id: document.id, ingested_at: document.ingestedAt };
  const place: Place = { ...names, index, start, end, page, slide, sheet, heading };
  return {
    ...names,
    chunk: index,
    chunks,
    ...sourceColumnsOf(document),
    search_text: searchText,
    end_offset: end,
    place_json: JSON.stringify(place),
    document_text: text,
    other_sources: null,
  };
}

/** What a row tells of its document's source. */
export function sourceColumnsOf({ title, source, url, filename, contentType, metadata }: DocumentSource) {
  return {
    title,
    source,
    source_json: JSON.stringify({ source, title, contentType, url, filename, metadata }),
    content_type: contentType ?? null,
    metadata_json: metadata ? JSON.stringify(metadata) : null,
  };
}

/** New vectors of rows that are there already. */
export function vectorUpdates(
  rows: readonly Pick<Row, "hash" | "chunk">[],
  vectors: readonly Float32Array[],
  { name, dimension }: VectorColumn,
): Table {
  const keys = {
    hash: vectorFromArray(
      rows.map(({ hash }) => hash),
      columns.hash.type,
    ),
    chunk: vectorFromArray(
      rows.map(({ chunk }) => chunk),
      columns.chunk.type,
    ),
  };
  return new Table({ ...keys, [name]: columnOf(vectors, dimension) } as Record<string, Vector>);
}

function columnOf(vectors: readonly Float32Array[], dimension: number): Vector {
  for (const { length } of vectors) {
    if (length !== dimension) throw new Error(`A vector has ${length} dimensions instead of ${dimension}.`);
  }
  const values = inOnePiece(vectors);
  const list = makeData({
    type: vectorType(dimension),
    length: vectors.length,
    nullCount: 0,
    child: makeData({ type: new Float32(), data: values }),
  });
  return new Vector([list]);
}

/** Vectors one behind the other. Those that were asked for together lie like this already, and are not copied. */
function inOnePiece(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  const { buffer, byteOffset, byteLength } = first;
  const liesThere = (vector: Float32Array, position: number) =>
    vector.buffer === buffer && vector.byteOffset === byteOffset + position * byteLength;
  if (vectors.every(liesThere)) return new Float32Array(buffer, byteOffset, vectors.length * first.length);
  const values = new Float32Array(vectors.length * first.length);
  for (const [position, vector] of vectors.entries()) values.set(vector, position * first.length);
  return values;
}

/** The hash of a row's document, which in rows of parts has more behind it. */
export const hashOf = (row: Pick<Row, "hash">): string => String(row.hash).slice(0, hashDigits);

export function headerOf(row: HeaderRow): DocumentHeader {
  const hash = hashOf(row);
  const source = JSON.parse(String(row.source_json)) as DocumentSource;
  return { id: hash.slice(0, idDigits), hash, ...source, ingestedAt: String(row.ingested_at) };
}

/** Where a chunk lies, and which rows it belongs to. */
export const placeOf = (row: Pick<Row, "place_json">): Place => JSON.parse(String(row.place_json)) as Place;

export function chunkOf(row: ChunkRow): FoundChunk {
  const { hash, document_id: _, ingested_at, ...position } = placeOf(row);
  const searchText = String(row.search_text);
  const text = searchText.slice(searchText.length - (position.end - position.start));
  return { document: headerOf({ ...row, hash, ingested_at }), ...position, text, searchText };
}
