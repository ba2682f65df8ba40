import type { FoundChunk, ReadDocument, StoredDocument } from "../document.ts";
import { isDocumentId, toHashUpperBound } from "../document.ts";
import { DocumentGoneError } from "../errors.ts";
import type { DocumentConditions, DocumentPage } from "../knowledge-store.ts";
import type { ChunkRow, DocumentRow } from "./chunk-rows.ts";
import { documentColumns, toFoundChunk, toHeader, toStoredDocument } from "./chunk-rows.ts";
import type { Database, Query } from "./database/database.ts";
import { listFilterKeys, toSourceKeys } from "./keys.ts";

export class Conditions {
  readonly values: unknown[];
  readonly #conditions: string[] = [];

  constructor(...values: unknown[]) {
    this.values = values;
  }

  /** @param condition has `?` in place of the value */
  add(condition: string, value: unknown): void {
    this.values.push(value);
    this.#conditions.push(condition.replaceAll("?", `$${this.values.length}`));
  }

  /** Requires that documents have at least one key of each list. */
  addKeys(keys: readonly string[][]): void {
    for (const some of keys) this.add("keys && ?::uuid[]", some);
  }

  toString(): string {
    return this.#conditions.map((condition) => ` AND ${condition}`).join("");
  }
}

/** A namespace's documents that meet the conditions, in order. */
export async function listDocuments(
  query: Query,
  namespaceId: string,
  { limit, after, where = {} }: DocumentPage,
): Promise<DocumentRow[]> {
  const conditions = new Conditions(namespaceId, limit);
  addConditions(conditions, namespaceId, where);
  if (after) {
    conditions.values.push(after.ingestedAt);
    conditions.add(`(ingested_at, hash) > ($${conditions.values.length}, ?)`, toHashUpperBound(after.id));
  }
  const { rows } = await query<DocumentRow>(
    `SELECT ${documentColumns} FROM documents WHERE namespace_id = $1 AND is_whole${conditions}
     ORDER BY ingested_at, hash LIMIT $2`,
    conditions.values,
  );
  return rows;
}

function addConditions(conditions: Conditions, namespaceId: string, where: DocumentConditions): void {
  const { hashes, source, filter, ingestedAfter, ingestedBefore } = where;
  if (hashes) conditions.add("hash = ANY (?::text[])", hashes);
  if (source !== undefined) conditions.addKeys([toSourceKeys(namespaceId, source)]);
  conditions.addKeys(listFilterKeys(namespaceId, filter));
  if (ingestedAfter !== undefined) conditions.add("ingested_at > ?", ingestedAfter);
  if (ingestedBefore !== undefined) conditions.add("ingested_at < ?", ingestedBefore);
}

export async function findBySource(query: Query, namespaceId: string, source: string): Promise<StoredDocument[]> {
  const { rows } = await query<DocumentRow>(
    `SELECT ${documentColumns} FROM documents WHERE namespace_id = $1 AND is_whole AND keys && $2::uuid[]
     ORDER BY ingested_at, hash`,
    [namespaceId, toSourceKeys(namespaceId, source)],
  );
  return rows.map(toStoredDocument);
}

/** The condition for the document with an id. It takes three parameters: namespace, id, and `toHashUpperBound(id)`. */
const idCondition = "namespace_id = $1 AND is_whole AND hash >= $2 AND hash < $3";

async function findDocument(query: Query, namespaceId: string, id: string): Promise<DocumentRow | undefined> {
  if (!isDocumentId(id)) return undefined;
  const { rows } = await query<DocumentRow>(`SELECT ${documentColumns} FROM documents WHERE ${idCondition}`, [
    namespaceId,
    id,
    toHashUpperBound(id),
  ]);
  return rows[0];
}

export async function readDocument(
  database: Database,
  namespaceId: string,
  id: string,
): Promise<ReadDocument | undefined> {
  const found = await findDocument(database.query, namespaceId, id);
  return found && { ...toStoredDocument(found), pieces: readPieces(database, found) };
}

async function* readPieces(database: Database, { pk, chunks }: DocumentRow): AsyncGenerator<string, void, undefined> {
  let read = 0;
  for (let part = 0; read < chunks; part += 1) {
    const { rows } = await database.query<{ content: string; chunks: number }>(
      "SELECT content, chunks FROM texts WHERE document_pk = $1 AND part = $2",
      [pk, part],
    );
    const [piece] = rows;
    if (!piece) throw new DocumentGoneError();
    read += piece.chunks;
    yield piece.content;
  }
}

export async function readChunks(
  database: Database,
  namespaceId: string,
  id: string,
  { from, limit }: { from: number; limit: number },
): Promise<FoundChunk[] | undefined> {
  const found = await findDocument(database.query, namespaceId, id);
  if (!found) return undefined;
  const { rows } = await database.query<ChunkRow>(
    `SELECT place_json, search_text FROM chunks WHERE document_pk = $1 AND chunk >= $2 AND chunk < $2 + $3
     ORDER BY chunk`,
    [found.pk, from, limit],
  );
  return rows.map((row) => toFoundChunk(row, toHeader(found)));
}

/** @returns whether the document existed */
export async function deleteDocument(query: Query, namespaceId: string, id: string): Promise<boolean> {
  if (!isDocumentId(id)) return false;
  const { count } = await query(`DELETE FROM documents WHERE ${idCondition}`, [namespaceId, id, toHashUpperBound(id)]);
  return count > 0;
}

/** @returns how many of the documents existed */
export async function deleteDocuments(query: Query, namespaceId: string, hashes: readonly string[]): Promise<number> {
  const { count } = await query(
    "DELETE FROM documents WHERE namespace_id = $1 AND is_whole AND hash = ANY ($2::text[])",
    [namespaceId, hashes],
  );
  return count;
}
