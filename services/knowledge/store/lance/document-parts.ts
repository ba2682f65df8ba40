import type { DocumentPart, NewDocument } from "../document.ts";
import { activeColumnFor, embeddingOf, mergeRows } from "./add-documents.ts";
import { commit } from "./commit.ts";
import { quote } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { PackedRows } from "./packed-rows.ts";
import type { NewRow, Place, Row } from "./rows.ts";
import { newRowsId, RowColumns, rowOf } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";

/**
 * A large document is stored in parts, a commit each, because one commit takes several times its rows' memory. Until it is
 * whole nobody sees it:
 *
 * - All its rows have the upload, a name that no other has, as their `document_id`.
 * - All but the first have `<hash>/<upload>` as their key, which stands in nobody's way, and come first.
 * - The first one has the hash as its key and comes last, like a small document: of two uploads of the same content one
 *   gets it in. The rows of that upload are the document; without it they are nothing, and a search leaves them out.
 */
const separator = "/";

/** Rows of an upload that never became whole are removed after this time: the longest that an upload may take. */
const uploadAtMostMs = 6 * 60 * 60_000;
/** Known uploads that are kept in mind; beyond this it is asked again. */
const wholeUploadsKept = 10_000;

/**
 * Stores a document of several parts.
 *
 * @throws EmbeddingMismatchError, and what making the parts throws; then its rows are removed again
 */
export async function addInParts(
  opened: NamespaceTable,
  document: NewDocument,
  parts: AsyncIterable<DocumentPart>,
): Promise<boolean> {
  const { table, writes, files } = opened;
  const upload = newRowsId();
  const isOfUpload = `document_id = ${quote(upload)}`;
  const discard = () => writes.add(() => commit(() => table.delete(isOfUpload)));
  try {
    const toRows = rowsOfParts(document, upload);
    let [filling, storing] = [new PackedRows(table), new PackedRows(table)];
    let stored = Promise.resolve();
    let column: VectorColumn | undefined;
    let head: NewRow | undefined;
    for await (const part of parts) {
      const current = awaitedLater(activeColumnFor(opened, embeddingOf(document, part)));
      column ??= await current;
      const rows = toRows(part);
      head ??= withOwnVector(rows.next().value);
      await filling.pack(rows, column);
      await Promise.all([current, stored]);
      [filling, storing] = [storing, filling];
      stored = awaitedLater(append(opened, storing));
    }
    await stored;
    await files?.flush();
    if ((await table.countRows(isOfUpload)) !== document.chunkCount - 1) throw new PartsMissingError();
    if (!head) throw new Error("A document has no chunks.");
    const active = await activeColumnFor(opened, { model: document.embeddingModel, dimension: head.vector.length });
    const rows = await new RowColumns().of([head], active);
    const { numInsertedRows } = await writes.add(() => mergeRows(opened, rows));
    if (numInsertedRows === 0) await discard();
    // The namespace may have been deleted and made anew in between, with this row alone.
    else if ((await table.countRows(isOfUpload)) !== document.chunkCount) throw new PartsMissingError();
    return numInsertedRows > 0;
  } catch (error) {
    // Rows that can't be removed now are removed by maintenance; the first error matters more.
    await discard().catch(() => undefined);
    throw error;
  }
}

/** Marks a promise as handled that is awaited later, in case something else fails before. */
function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

async function append({ writes, files }: NamespaceTable, rows: PackedRows): Promise<void> {
  await writes.add(() => commit(() => rows.append()));
  // Leaves little to flush at the end, where failures are reported.
  files?.flush().catch(() => undefined);
}

/** A copy of a row whose vector stays valid after its part. */
const withOwnVector = (given: NewRow | undefined): NewRow | undefined =>
  given && { row: given.row, vector: given.vector.slice() };

class PartsMissingError extends Error {
  override readonly name = "PartsMissingError";

  constructor() {
    super("Parts of the document are gone: its namespace was deleted meanwhile, or storing it took too long.");
  }
}

/** The parts of a document. The first one can be looked at before they are iterated. */
export class PartReader implements AsyncIterable<DocumentPart> {
  readonly #parts: AsyncGenerator<DocumentPart, void, undefined>;
  #first: Promise<IteratorResult<DocumentPart, void>> | undefined;

  constructor(document: NewDocument) {
    this.#parts = readParts(document);
  }

  async first(): Promise<DocumentPart> {
    this.#first ??= this.#parts.next();
    const { value } = await this.#first;
    if (!value) throw new Error("A document has no parts.");
    return value;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<DocumentPart, void, undefined> {
    yield await this.first();
    yield* this.#parts;
  }

  /** Ends the making of parts. */
  async close(): Promise<void> {
    await this.#parts.return();
  }
}

async function* readParts(document: NewDocument): AsyncGenerator<DocumentPart, void, undefined> {
  yield* document.parts();
}

/**
 * Makes the rows of each part as they are taken. A row keeps the document's text between the chunk before and its own, which is in
 * `search_text` already; the last one keeps all text from the chunk before to the end, if any follows it.
 */
export function rowsOfParts(
  document: NewDocument,
  upload: string,
): (part: DocumentPart) => Generator<NewRow, undefined, undefined> {
  const header = { ...document, id: upload };
  const laterHeader = { ...header, hash: `${document.hash}${separator}${upload}` };
  const chunks = document.chunkCount;
  let position = 0;
  let textBefore = "";
  return function* ({ text: partText, chunks: partChunks }) {
    const text = textBefore + partText;
    const textStart = position;
    for (const chunk of partChunks) {
      const isLast = chunk.index === chunks - 1;
      const end = isLast && chunk.end - textStart < text.length ? undefined : chunk.start - textStart;
      const kept = text.slice(position - textStart, end);
      yield {
        row: rowOf(chunk.index === 0 ? header : laterHeader, chunk, { chunks, text: kept }),
        vector: chunk.vector,
      };
      position = Math.max(position, chunk.end);
    }
    textBefore = text.slice(position - textStart);
    return undefined;
  };
}

/**
 * Searches chunks of whole documents.
 *
 * @param search gives rows, with `hash` and `document_id`, without those for which the condition, if there is one, holds not
 */
export async function searchWhole<Found extends Pick<Row, "hash" | "document_id">>(
  opened: NamespaceTable,
  search: (condition: string | undefined) => Promise<Found[]>,
): Promise<Found[]> {
  const incomplete = new Set<string>();
  for (;;) {
    const rows = await search(
      incomplete.size === 0 ? undefined : `document_id NOT IN (${[...incomplete].map(quote).join(", ")})`,
    );
    const asked = rows.filter(isPart).map(({ document_id }) => String(document_id));
    const unknown = [...new Set(asked)].filter((upload) => !opened.wholeUploads.has(upload));
    const whole = await wholeOf(opened, unknown);
    if (opened.wholeUploads.size > wholeUploadsKept) opened.wholeUploads.clear();
    for (const upload of whole) opened.wholeUploads.add(upload);
    const hidden = unknown.filter((upload) => !whole.has(upload));
    if (hidden.length === 0) return rows;
    for (const upload of hidden) incomplete.add(upload);
  }
}

const isPart = ({ hash }: Pick<Row, "hash">): boolean => String(hash).includes(separator);

async function wholeOf({ table }: NamespaceTable, uploads: string[]): Promise<Set<string>> {
  if (uploads.length === 0) return new Set();
  const condition = `chunk = 0 AND document_id IN (${uploads.map(quote).join(", ")})`;
  const rows = (await table.query().where(condition).select(["document_id"]).toArray()) as Pick<Row, "document_id">[];
  return new Set(rows.map(({ document_id }) => String(document_id)));
}

/** Whether some of a table's rows are of an upload that is not whole, or is not any more. */
export function hasIncompleteParts(rows: readonly Pick<Place, "hash" | "document_id" | "index">[]): boolean {
  const parts = rows.filter(isPart);
  if (parts.length === 0) return false;
  const heads = new Set(rows.filter(({ index }) => index === 0).map(({ document_id }) => document_id));
  return parts.some(({ document_id }) => !heads.has(document_id));
}

/** Removes what uploads have left that never became whole, because their process died. */
export async function removeAbandonedParts(opened: NamespaceTable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - uploadAtMostMs).toISOString();
  // The second chunk of a document is in its first part, so that each upload is met once.
  const condition = `chunk = 1 AND contains(hash, ${quote(separator)}) AND ingested_at < ${quote(before)}`;
  const rows = (await opened.table.query().where(condition).select(["document_id"]).toArray()) as Pick<
    Row,
    "document_id"
  >[];
  const uploads = rows.map(({ document_id }) => String(document_id));
  const whole = await wholeOf(opened, uploads);
  const abandoned = uploads.filter((upload) => !whole.has(upload));
  if (abandoned.length === 0) return;
  const isAbandoned = `document_id IN (${abandoned.map(quote).join(", ")})`;
  await opened.writes.add(() => commit(() => opened.table.delete(isAbandoned)));
}
