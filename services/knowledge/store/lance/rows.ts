import type { CustomMetadata } from "@agent-backends/contract";
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
import type { DocumentHeader, NewDocument, Passage } from "../knowledge-store.ts";

/**
 * One row for each chunk. The header is repeated in each, so that a hit needs no second read; the text is in the
 * first alone. A chunk's own text is the end of `search_text`, as long as its offsets say.
 */
const columns = {
  hash: { type: new Utf8() },
  document_id: { type: new Utf8() },
  chunk: { type: new Int32() },
  chunks: { type: new Int32() },
  title: { type: new Utf8() },
  source: { type: new Utf8() },
  search_text: { type: new Utf8() },
  start_offset: { type: new Int32() },
  end_offset: { type: new Int32() },
  page: { type: new Int32(), nullable: true },
  slide: { type: new Int32(), nullable: true },
  sheet: { type: new Utf8(), nullable: true },
  heading: { type: new Utf8(), nullable: true },
  url: { type: new Utf8(), nullable: true },
  filename: { type: new Utf8(), nullable: true },
  content_type: { type: new Utf8(), nullable: true },
  metadata_json: { type: new Utf8(), nullable: true },
  ingested_at: { type: new Utf8() },
  document_text: { type: new Utf8(), nullable: true },
} satisfies Record<string, { type: Utf8 | Int32; nullable?: true }>;

type Column = keyof typeof columns;
export type Row = Record<Column, string | number | null>;

export const headerColumns = [
  "hash",
  "document_id",
  "title",
  "source",
  "url",
  "filename",
  "content_type",
  "metadata_json",
  "ingested_at",
] as const satisfies Column[];

export const passageColumns = [
  ...headerColumns,
  "chunk",
  "search_text",
  "start_offset",
  "end_offset",
  "page",
  "slide",
  "sheet",
  "heading",
] as const satisfies Column[];

const vectorField = (dimension: number) =>
  new Field("vector", new FixedSizeList(dimension, new Field("item", new Float32(), true)), false);

/**
 * A namespace's table. Its key is declared from the start: Lance makes writers with the same key conflict only when
 * the table says what its key is, and a table that got its key later would have had a time without.
 */
export function tableSchema(about: { namespace: string; model: string; dimension: number }): Schema {
  const key = new Map([["lance-schema:unenforced-primary-key", "true"]]);
  const fields = Object.entries<{ type: Utf8 | Int32; nullable?: true }>(columns).map(
    ([name, { type, nullable = false }]) => new Field(name, type, nullable, name === "hash" ? key : undefined),
  );
  return new Schema(
    [...fields, vectorField(about.dimension)],
    new Map([
      ["namespace", about.namespace],
      ["embedding_model", about.model],
    ]),
  );
}

/** What a table's schema records of its namespace. */
export function readSchema(schema: Schema): { namespace: string; model: string; dimension: number } {
  const vector = schema.fields.find((field) => field.name === "vector");
  return {
    namespace: schema.metadata.get("namespace") ?? "",
    model: schema.metadata.get("embedding_model") ?? "",
    dimension: (vector?.type as FixedSizeList | undefined)?.listSize ?? 0,
  };
}

/** The rows of a document, as columns: building an object for each vector would cost more than writing it. */
export function rowsOf(document: NewDocument, dimension: number): Table {
  const rows = document.chunks.map(
    (chunk): Row => ({
      hash: document.hash,
      document_id: document.id,
      chunk: chunk.index,
      chunks: document.chunks.length,
      title: document.title,
      source: document.source,
      search_text: chunk.searchText,
      start_offset: chunk.start,
      end_offset: chunk.end,
      page: chunk.page ?? null,
      slide: chunk.slide ?? null,
      sheet: chunk.sheet ?? null,
      heading: chunk.heading ?? null,
      url: document.url ?? null,
      filename: document.filename ?? null,
      content_type: document.contentType ?? null,
      metadata_json: document.metadata ? JSON.stringify(document.metadata) : null,
      ingested_at: document.ingestedAt,
      document_text: chunk.index === 0 ? document.text : null,
    }),
  );
  if (document.chunks.some((chunk) => chunk.vector.length !== dimension)) {
    throw new Error("The vectors of one document have different dimensions.");
  }
  const values = new Float32Array(document.chunks.length * dimension);
  for (const [position, chunk] of document.chunks.entries()) values.set(chunk.vector, position * dimension);
  const vectors = makeData({
    type: vectorField(dimension).type as FixedSizeList<Float32>,
    length: document.chunks.length,
    nullCount: 0,
    child: makeData({ type: new Float32(), data: values }),
  });
  const scalars = Object.entries<{ type: Utf8 | Int32 }>(columns).map(([name, { type }]): [string, Vector] => [
    name,
    vectorFromArray(
      rows.map((row) => row[name as Column]),
      type,
    ),
  ]);
  return new Table(Object.fromEntries<Vector>([...scalars, ["vector", new Vector([vectors])]]));
}

export function headerOf(row: Row): DocumentHeader {
  return {
    id: String(row.document_id),
    hash: String(row.hash),
    title: String(row.title),
    source: String(row.source),
    ingestedAt: String(row.ingested_at),
    ...(row.content_type !== null && { contentType: String(row.content_type) }),
    ...(row.url !== null && { url: String(row.url) }),
    ...(row.filename !== null && { filename: String(row.filename) }),
    ...(row.metadata_json !== null && { metadata: JSON.parse(String(row.metadata_json)) as CustomMetadata }),
  };
}

export function passageOf(row: Row): Passage {
  const [start, end, searchText] = [Number(row.start_offset), Number(row.end_offset), String(row.search_text)];
  return {
    document: headerOf(row),
    index: Number(row.chunk),
    start,
    end,
    text: searchText.slice(searchText.length - (end - start)),
    searchText,
    ...(row.page !== null && { page: Number(row.page) }),
    ...(row.slide !== null && { slide: Number(row.slide) }),
    ...(row.sheet !== null && { sheet: String(row.sheet) }),
    ...(row.heading !== null && { heading: String(row.heading) }),
  };
}
