import type { Table } from "@lancedb/lancedb";
import PQueue from "p-queue";
import type { FoundChunk } from "../../document.ts";
import { isDocumentId, toHashUpperBound } from "../../document.ts";
import { DocumentGoneError } from "../../errors.ts";
import { quote } from "../search/filter.ts";
import type { ChunkRow } from "../table/rows.ts";
import { toChunk } from "../table/rows.ts";
import type { Row } from "../table/schema.ts";
import { chunkColumns, headerColumns } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";

/** Number of chunks of one document whose texts are read together: half a megabyte, which takes a few milliseconds. */
const chunkBatchSize = 256;

/** Limits how many pieces are read concurrently. The engine takes ten megabytes or more for each. */
const pieceReadQueue = new PQueue({ concurrency: 2 });

/**
 * The first row of a document, which contains the data of the whole document. Documents are found by their hash: `document_id` names
 * the rows of one upload, and changes when the same content is stored again.
 */
export async function readHead(table: Table, id: string): Promise<Row | undefined> {
  return isDocumentId(id) ? readFirst(table, toIdCondition(id)) : undefined;
}

/** The condition for the first row of the document with this id. */
export const toIdCondition = (id: string): string => `hash >= ${quote(id)} AND hash < ${quote(toHashUpperBound(id))}`;

export const readHeadOfHash = (table: Table, hash: string): Promise<Row | undefined> =>
  readFirst(table, `hash = ${quote(hash)}`);

async function readFirst(table: Table, condition: string): Promise<Row | undefined> {
  const query = table.query().where(`chunk = 0 AND ${condition}`);
  const [row] = await query
    .select([...headerColumns, "chunks", "source", "other_sources"])
    .limit(1)
    .toArray();
  return row as Row | undefined;
}

/** The chunks of a document starting at `from`, or undefined for an unknown document. */
export async function readChunks(
  table: Table,
  id: string,
  { from, limit }: { from: number; limit: number },
): Promise<FoundChunk[] | undefined> {
  const head = await readHead(table, id);
  if (!head) return undefined;
  const isWanted = `document_id = ${quote(head.document_id)} AND chunk >= ${from} AND chunk < ${from + limit}`;
  const query = table.query().where(isWanted);
  const rows = (await query.select([...chunkColumns]).toArray()) as ChunkRow[];
  return rows.map(toChunk).sort((one, other) => one.index - other.index);
}

/** Uses the table of a namespace. Resolves with undefined if it no longer exists. */
export type UseTable = <Result>(work: (opened: TableHandle) => Promise<Result>) => Promise<Result | undefined>;

/** The text of a document, read piece by piece. @throws DocumentGoneError if it was deleted in the meantime */
export async function* readPieces(id: string, head: Row, useTable: UseTable): AsyncGenerator<string, void, undefined> {
  const isOfDocument = `document_id = ${quote(head.document_id)} AND document_text IS NOT NULL`;
  let length = 0;
  for (let from = 0; from < head.chunks; from += chunkBatchSize) {
    const condition = `${isOfDocument} AND chunk >= ${from} AND chunk < ${from + chunkBatchSize}`;
    const readPiece = async ({ table }: TableHandle) => {
      const rows = table.query().where(condition).select(["chunk", "document_text", "search_text", "end_offset"]);
      const text = joinTexts((await rows.toArray()) as Row[], length);
      // If the document was deleted in between, some of these rows are missing.
      const now = await readHead(table, id);
      return now?.document_id === head.document_id && now?.ingested_at === head.ingested_at ? text : undefined;
    };
    const piece = await pieceReadQueue.add(() => useTable(readPiece));
    if (piece === undefined) throw new DocumentGoneError();
    length += piece.length;
    if (piece !== "") yield piece;
  }
}

/**
 * The text of consecutive rows, passed in any order. Each row's chunk follows the text that the row stores.
 *
 * @param lengthBefore length of the text in the rows before these
 */
export function joinTexts(
  rows: readonly Pick<Row, "chunk" | "document_text" | "search_text" | "end_offset">[],
  lengthBefore = 0,
): string {
  const texts: string[] = [];
  let length = lengthBefore;
  for (const row of rows.toSorted((one, other) => one.chunk - other.chunk)) {
    const kept = row.document_text ?? "";
    const chunkLength = row.end_offset - length - kept.length;
    const chunk = chunkLength > 0 ? row.search_text.slice(-chunkLength) : "";
    texts.push(kept, chunk);
    length += kept.length + chunk.length;
  }
  return texts.join("");
}
