import type { NewChunk, NewLargeDocument, NewPartChunk } from "../knowledge-store.ts";
import { EmbeddingMismatchError } from "../knowledge-store.ts";
import { commit } from "./commit.ts";
import { keptText } from "./document-text.ts";
import { quote } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { PackedRows } from "./packed-rows.ts";
import type { NewRow, Place, Row } from "./rows.ts";
import { newRowsId, RowColumns, rowOf } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { readSchema } from "./vector-columns.ts";

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

/** @throws EmbeddingMismatchError, and what making the parts throws; then its rows are removed again */
export async function addInParts(
  opened: NamespaceTable,
  document: NewLargeDocument,
  parts: AsyncIterable<readonly NewPartChunk[]>,
): Promise<boolean> {
  const { table, writes, files } = opened;
  const upload = newRowsId();
  const isOfUpload = `document_id = ${quote(upload)}`;
  const discard = () => writes.add(() => commit(() => table.delete(isOfUpload)));
  try {
    const rowsOfPart = rowsOfParts(document, upload);
    let [filling, storing] = [new PackedRows(table), new PackedRows(table)];
    let stored = Promise.resolve();
    let column: VectorColumn | undefined;
    let first: NewRow | undefined;
    for await (const part of parts) {
      const current = heeded(columnFor(opened, document, part));
      column ??= await current;
      const rows = rowsOfPart(part);
      first ??= copyOf(rows.next().value);
      await filling.pack(rows, column);
      await Promise.all([current, stored]);
      [filling, storing] = [storing, filling];
      stored = heeded(append(opened, storing));
    }
    await stored;
    if (first === undefined) throw new Error("A document stored in parts has none.");
    await files?.flush();
    if ((await table.countRows(isOfUpload)) !== document.chunkCount - 1) throw new PartsMissingError();
    const head = await new RowColumns().of([first], await columnFor(opened, document, [{ vector: first.vector }]));
    // No index: see where small documents are added.
    const merge = table.mergeInsert("hash").useIndex(false).whenNotMatchedInsertAll();
    const { numInsertedRows } = await writes.add(() => commit(() => merge.execute(head)));
    if (numInsertedRows === 0) await discard();
    // The namespace may have been deleted and made anew in between, with this row alone.
    else if ((await table.countRows(isOfUpload)) !== document.chunkCount) throw new PartsMissingError();
    return numInsertedRows > 0;
  } catch (error) {
    // What can't be removed now is removed when it is old enough; that it failed matters more.
    await discard().catch(() => undefined);
    throw error;
  }
}

/** A promise that is awaited later, unless something fails before that, which then is what is told. */
function heeded<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}

async function append({ writes, files }: NamespaceTable, rows: PackedRows): Promise<void> {
  await writes.add(() => commit(() => rows.append()));
  // So that little is left to be flushed at the end, where failures are seen.
  files?.flush().catch(() => undefined);
}

/** A row whose vector outlives its part. */
const copyOf = (given: NewRow | undefined): NewRow | undefined =>
  given && { row: given.row, vector: given.vector.slice() };

class PartsMissingError extends Error {
  override readonly name = "PartsMissingError";

  constructor() {
    super("Parts of the document are gone: its namespace was deleted meanwhile, or storing it took too long.");
  }
}

/** The parts of a document, of which the first one may be looked at before. */
export class PeekedParts implements AsyncIterable<readonly NewPartChunk[]> {
  readonly #parts: AsyncIterator<readonly NewPartChunk[]>;
  #first: Promise<IteratorResult<readonly NewPartChunk[]>> | undefined;

  constructor(document: NewLargeDocument) {
    this.#parts = document.parts()[Symbol.asyncIterator]();
  }

  async first(): Promise<readonly NewPartChunk[]> {
    this.#first ??= this.#parts.next();
    const { value = [] } = await this.#first;
    return value;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly NewPartChunk[], void, undefined> {
    try {
      let next = await (this.#first ?? this.#parts.next());
      for (this.#first = undefined; next.done !== true; next = await this.#parts.next()) yield next.value;
    } finally {
      await this.#parts.return?.();
    }
  }
}

/** Gives the rows of a part as they are taken. Those of all parts together hold the document's text. */
function rowsOfParts(
  document: NewLargeDocument,
  upload: string,
): (part: readonly NewPartChunk[]) => Generator<NewRow, undefined, undefined> {
  const header = { ...document, id: upload };
  const laterHeader = { ...header, hash: `${document.hash}${separator}${upload}` };
  return function* (part) {
    for (const chunk of part) {
      const about = { chunks: document.chunkCount, text: keptText(chunk) };
      yield { row: rowOf(chunk.index === 0 ? header : laterHeader, chunk, about), vector: chunk.vector };
    }
    return undefined;
  };
}

async function columnFor(
  { table, namespace }: NamespaceTable,
  { embeddingModel: model }: NewLargeDocument,
  part: readonly Pick<NewChunk, "vector">[],
) {
  const { active } = readSchema(await table.schema());
  const given = { model, dimension: part[0]?.vector.length ?? 0 };
  if (given.model !== active.model || given.dimension !== active.dimension) {
    throw new EmbeddingMismatchError(namespace, active, given);
  }
  return active;
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
