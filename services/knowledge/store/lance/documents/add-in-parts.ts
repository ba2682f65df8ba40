import { detectLanguage } from "@agent-backends/language";
import type { DocumentPart, NewDocument } from "../../document.ts";
import { toEmbedding } from "../../embeddings.ts";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import { PackedRows } from "../table/packed-rows.ts";
import { RowColumns } from "../table/row-columns.ts";
import type { NewRow } from "../table/rows.ts";
import { newRowsId, toRow } from "../table/rows.ts";
import type { VectorColumn } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { recordLanguages } from "../table/table-handle.ts";
import { mergeRows, requireFittingColumn } from "./add-documents.ts";
import { runningUploads, uploadSeparator } from "./uploads.ts";

/** Stores a document of several parts. @throws EmbeddingMismatchError, and what making the parts throws; its rows are then removed again */
export async function addInParts(
  opened: TableHandle,
  document: NewDocument,
  parts: AsyncIterable<DocumentPart>,
): Promise<boolean> {
  const { table, writeQueue, files } = opened;
  const upload = newRowsId();
  const isOfUpload = `document_id = ${quote(upload)}`;
  const discard = () => writeQueue.add(() => commit(() => table.delete(isOfUpload)));
  runningUploads.add(upload);
  try {
    const toPartRows = makeRowsOfParts(document, upload);
    let [filling, storing] = [new PackedRows(table), new PackedRows(table)];
    let stored = Promise.resolve();
    let column: VectorColumn | undefined;
    let head: NewRow | undefined;
    for await (const part of parts) {
      // Check only once, and again before the last commit: reading the schema for each part took 3% of an ingest.
      column ??= await requireFittingColumn(opened, toEmbedding(document, part));
      const rows = toPartRows(part);
      head ??= withOwnVector(rows.next().value);
      await filling.pack(rows, column);
      await stored;
      [filling, storing] = [storing, filling];
      stored = awaitedLater(append(opened, storing));
    }
    await stored;
    await files?.flush();
    if ((await table.countRows(isOfUpload)) !== document.chunkCount - 1) throw new PartsMissingError();
    if (!head) throw new Error("A document has no chunks.");
    const active = await requireFittingColumn(opened, {
      model: document.embeddingModel,
      dimension: head.vector.length,
    });
    const columns = new RowColumns();
    const rows = await columns.convert([head], active);
    const { numInsertedRows } = await writeQueue.add(() => mergeRows(opened, rows, columns.languages));
    if (numInsertedRows === 0) await discard();
    // The namespace may have been deleted and recreated in between, and then contains only this row.
    else if ((await table.countRows(isOfUpload)) !== document.chunkCount) throw new PartsMissingError();
    return numInsertedRows > 0;
  } catch (error) {
    // Ignore the error: the first error matters more, and maintenance removes rows that can't be removed now.
    await discard().catch(() => undefined);
    throw error;
  } finally {
    runningUploads.delete(upload);
  }
}

/** Marks a promise that is awaited later as handled, in case something else fails before. */
function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

async function append(opened: TableHandle, rows: PackedRows): Promise<void> {
  const { writeQueue, files } = opened;
  await writeQueue.add(async () => {
    await recordLanguages(opened, rows.languages);
    await commit(() => rows.append());
  });
  // Flush early, so that little is left to flush at the end, where failures are reported.
  files?.flush().catch(() => undefined);
}

/** A copy of a row. Its vector stays valid after the row's part. */
const withOwnVector = (given: NewRow | undefined): NewRow | undefined =>
  given && { ...given, vector: given.vector.slice() };

class PartsMissingError extends Error {
  override readonly name = "PartsMissingError";

  constructor() {
    super("Parts of the document are gone: its namespace was deleted meanwhile, or storing it took too long.");
  }
}

/**
 * Returns a function that makes the rows of each part lazily. A row stores the text between the previous chunk and its own; its own
 * text is already in `search_text`. If any text follows the last chunk, the last row stores all text from the previous chunk to the
 * end.
 */
export function makeRowsOfParts(
  document: NewDocument,
  upload: string,
): (part: DocumentPart) => Generator<NewRow, undefined, undefined> {
  const header = { ...document, id: upload };
  const laterHeader = { ...header, hash: `${document.hash}${uploadSeparator}${upload}` };
  const chunks = document.chunkCount;
  let position = 0;
  let textBefore = "";
  return function* ({ text: partText, chunks: partChunks }) {
    const text = textBefore + partText;
    const textStart = position;
    const documentLanguage = detectLanguage(partText);
    for (const chunk of partChunks) {
      const isLast = chunk.index === chunks - 1;
      const end = isLast && chunk.end - textStart < text.length ? undefined : chunk.start - textStart;
      const kept = text.slice(position - textStart, end);
      yield toRow(chunk.index === 0 ? header : laterHeader, chunk, { chunks, text: kept, documentLanguage });
      position = Math.max(position, chunk.end);
    }
    textBefore = text.slice(position - textStart);
    return undefined;
  };
}
