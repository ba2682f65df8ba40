import type { DocumentCursor, DocumentPart, Embedding, ExportedDocument, NewChunk } from "../../document.ts";
import { requireEmbedding } from "../../embeddings.ts";
import { DocumentGoneError } from "../../errors.ts";
import { quote } from "../search/filter.ts";
import { parseOthers, toChunk, toStoredDocument } from "../table/rows.ts";
import type { Row } from "../table/schema.ts";
import { readSchema } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { listHeads } from "./list-documents.ts";
import type { UseTable } from "./read-document.ts";
import { joinTexts } from "./read-document.ts";
import { isOrphaned } from "./sources.ts";

/** Number of chunks read by one query. With their vectors they take some megabytes. */
const chunkBatchSize = 256;

/** Number of heads listed by one query. Each query looks at all heads of the namespace. */
const headBatchSize = 256;

const rowColumns = [
  ...["hash", "document_id", "ingested_at", "chunk", "chunks", "source_json", "place_json"],
  ...["search_text", "end_offset", "document_text", "other_sources"],
] as const;

interface ReadRow {
  row: Row;
  vector: Float32Array;
}

/** All documents of a table. Small documents are read several at a time, because each query looks at all rows of the table. */
export async function* exportDocuments(
  embedding: Embedding,
  useTable: UseTable,
): AsyncGenerator<ExportedDocument, void, undefined> {
  let after: DocumentCursor | undefined;
  for (;;) {
    const page = { limit: headBatchSize, after };
    const heads = (await useTable(({ table }) => listHeads(table, page))) ?? [];
    for (const group of groupByChunks(heads)) {
      const [first] = group;
      const isLarge = first !== undefined && first.chunks > chunkBatchSize;
      const limit = isLarge ? `chunk < ${chunkBatchSize}` : undefined;
      const rows = await useTable((opened) => readRows(opened, embedding, { heads: group, where: limit }));
      const byUpload = Map.groupBy(rows ?? [], ({ row }) => row.document_id);
      for (const { document_id } of group) {
        const ofDocument = byUpload.get(document_id) ?? [];
        const head = ofDocument[0]?.row;
        const wanted = Math.min(head?.chunks ?? 0, chunkBatchSize);
        // A query sees one state of the table. If some rows are missing, the document is being deleted or already gone.
        if (head?.chunk !== 0 || isOrphaned(head) || ofDocument.length !== wanted) continue;
        const parts = readParts(head, ofDocument, (where) =>
          useTable((opened) => readRows(opened, embedding, { heads: [head], where })),
        );
        yield { ...toStoredDocument(head), others: parseOthers(head), parts };
      }
    }
    const last = heads.at(-1);
    if (last === undefined || heads.length < headBatchSize) return;
    const { ingestedAt, id } = toStoredDocument(last);
    after = { ingestedAt, id };
  }
}

/** Groups of documents to read together, in order. A large document is read alone. */
function* groupByChunks(heads: readonly Row[]): Generator<Row[], void, undefined> {
  let group: Row[] = [];
  let chunks = 0;
  for (const head of heads) {
    if (group.length > 0 && chunks + head.chunks > chunkBatchSize) {
      yield group;
      group = [];
      chunks = 0;
    }
    group.push(head);
    chunks += head.chunks;
  }
  if (group.length > 0) yield group;
}

/** The rows of documents with their vectors, in chunk order. */
async function readRows(
  { table, namespace }: TableHandle,
  embedding: Embedding,
  { heads, where }: { heads: readonly Row[]; where: string | undefined },
): Promise<ReadRow[]> {
  const { active } = readSchema(await table.schema());
  requireEmbedding(namespace, active, embedding);
  const isOfDocuments = `document_id IN (${heads.map(({ document_id }) => quote(document_id)).join(", ")})`;
  const query = table.query().where(where === undefined ? isOfDocuments : `${isOfDocuments} AND ${where}`);
  const found = await query.select([...rowColumns, active.name]).toArrow();
  const columns = rowColumns.map((name) => [name, found.getChild(name)] as const);
  const vectors = found.getChild(active.name);
  const rows = Array.from({ length: found.numRows }, (_, position): ReadRow => {
    const row = Object.fromEntries(columns.map(([name, column]) => [name, column?.get(position)])) as Row;
    const vector: { toArray(): Float32Array } | undefined = vectors?.get(position);
    return { row, vector: vector?.toArray() ?? new Float32Array() };
  });
  return rows.sort((one, other) => one.row.chunk - other.row.chunk);
}

async function* readParts(
  head: Row,
  first: readonly ReadRow[],
  readMore: (where: string) => Promise<ReadRow[] | undefined>,
): AsyncGenerator<DocumentPart, void, undefined> {
  const chunks = head.chunks;
  let part = toPart(first, 0);
  let length = part.text.length;
  yield part;
  for (let from = first.length; from < chunks; from += chunkBatchSize) {
    const rows = (await readMore(`chunk >= ${from} AND chunk < ${from + chunkBatchSize}`)) ?? [];
    if (rows.length !== Math.min(chunkBatchSize, chunks - from)) throw new DocumentGoneError();
    part = toPart(rows, length);
    length += part.text.length;
    yield part;
  }
}

/** @param textStart length of the text before these rows */
function toPart(rows: readonly ReadRow[], textStart: number): DocumentPart {
  const withText = rows.map(({ row }) => row).filter(({ document_text }) => document_text !== null);
  return {
    text: joinTexts(withText, textStart),
    chunks: rows.map(({ row, vector }): NewChunk => {
      const { document: _, text: __, ...chunk } = toChunk(row);
      return { ...chunk, vector };
    }),
  };
}
