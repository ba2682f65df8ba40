import type { Language } from "@agent-backends/language";
import type { Table as Rows } from "apache-arrow";
import type { DocumentPart, Embedding, NewDocument } from "../../document.ts";
import { findMismatch, requireEmbedding, toEmbedding } from "../../embeddings.ts";
import type { EmbeddingMismatchError } from "../../errors.ts";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import { RowColumns } from "../table/row-columns.ts";
import type { NewRow } from "../table/rows.ts";
import { toRows } from "../table/rows.ts";
import type { VectorColumn } from "../table/schema.ts";
import { getTableName, readSchema } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { recordLanguages } from "../table/table-handle.ts";

export interface SmallDocument {
  document: NewDocument;
  part: DocumentPart;
}

/**
 * Stores the documents whose content isn't stored yet, in one commit.
 *
 * @returns for each document whether it was stored, or why it can't be
 */
export async function addDocuments(
  opened: TableHandle,
  documents: SmallDocument[],
): Promise<(boolean | EmbeddingMismatchError)[]> {
  const active = await readActiveColumn(opened);
  const fitting = new Map<string, SmallDocument>();
  const refused = new Map<SmallDocument, EmbeddingMismatchError>();
  for (const one of documents) {
    const error = findMismatch(opened.namespace, active, toEmbedding(one.document, one.part));
    if (error) refused.set(one, error);
    else if (!fitting.has(one.document.hash)) fitting.set(one.document.hash, one);
  }
  const added = await mergeNew(opened, [...fitting.values()], active);
  return documents.map((one) => refused.get(one) ?? added.has(one));
}

async function mergeNew(
  opened: TableHandle,
  documents: SmallDocument[],
  column: VectorColumn,
): Promise<Set<SmallDocument>> {
  if (documents.length === 0) return new Set();
  const columns = new RowColumns();
  const rows = await columns.convert(readAllRows(documents), column);
  const { numInsertedRows, version } = await mergeRows(opened, rows, columns.languages);
  if (numInsertedRows === rows.numRows) return new Set(documents);
  if (numInsertedRows === 0) return new Set();
  // The version before this commit contains the documents that were already stored. Don't use `table.name` here: reading that property
  // throws while the table is in use.
  const before = await opened.connection.openTable(getTableName(opened.namespace));
  await before.checkout(version - 1);
  const hashes = documents.map(({ document }) => quote(document.hash)).join(", ");
  const found = await before.query().where(`chunk = 0 AND hash IN (${hashes})`).select(["hash"]).toArray();
  const known = new Set(found.map(({ hash }: { hash: string }) => hash));
  return new Set(documents.filter(({ document }) => !known.has(document.hash)));
}

/** Yields one row at a time, because analysing thousands of chunks takes long. */
function* readAllRows(documents: readonly SmallDocument[]): Generator<NewRow> {
  for (const document of documents) yield* toRows(document);
}

/** Inserts rows whose key isn't in the table yet, in one commit. */
export async function mergeRows(opened: TableHandle, rows: Rows, languages: ReadonlySet<Language>) {
  await recordLanguages(opened, languages);
  const { table } = opened;
  // Don't use an index: with an index on the key, writers in two processes store the same content twice.
  const merge = table.mergeInsert("hash").useIndex(false).whenNotMatchedInsertAll();
  return commit(() => merge.execute(rows));
}

/** The column of the active vectors. @throws EmbeddingMismatchError if vectors of this embedding don't fit it */
export async function requireFittingColumn(opened: TableHandle, given: Embedding): Promise<VectorColumn> {
  const active = await readActiveColumn(opened);
  requireEmbedding(opened.namespace, active, given);
  return active;
}

const readActiveColumn = async ({ table }: TableHandle): Promise<VectorColumn> =>
  readSchema(await table.schema()).active;
