import type { ChangeRecord } from "../change-log.ts";
import type { StoredDocument } from "../document.ts";
import type { DocumentRow } from "./chunk-rows.ts";
import { documentColumns, toStoredDocument } from "./chunk-rows.ts";
import type { Database, Query } from "./database/database.ts";

/** Number of documents read by one query. */
const documentBatchSize = 512;

/**
 * Every change of a document gives its row a new `xmin`. A time wouldn't work, because transactions don't commit in the order of their
 * times.
 */
export async function getVersion(query: Query, namespaceId: string): Promise<string> {
  const { rows } = await query<{ version: string }>(
    `SELECT count(*) || ' ' || coalesce(sum(hashint8extended(pk, xmin::text::bigint)), 0) AS version
     FROM documents WHERE namespace_id = $1 AND is_whole`,
    [namespaceId],
  );
  return `${namespaceId} ${rows[0]?.version}`;
}

/** Maps all documents of a namespace in one snapshot. */
export function mapDocuments<Result>(
  database: Database,
  namespaceId: string,
  map: (document: StoredDocument) => Result,
): Promise<Result[]> {
  const read = async (query: Query) => {
    const results: Result[] = [];
    for (let after = ""; ; ) {
      const { rows } = await query<DocumentRow>(
        `SELECT ${documentColumns} FROM documents WHERE namespace_id = $1 AND is_whole AND hash > $2
         ORDER BY hash LIMIT ${documentBatchSize}`,
        [namespaceId, after],
      );
      const found = rows.map(toStoredDocument);
      for (const document of found) results.push(map(document));
      const last = found.at(-1);
      if (!last || found.length < documentBatchSize) return results;
      after = last.hash;
    }
  };
  return database.transaction(read, { isSnapshot: true });
}

export async function readRecords(query: Query, namespaceId: string, { from, limit }: { from: number; limit: number }) {
  const { rows } = await query<{ number: number; text: string }>(
    "SELECT number, text FROM change_records WHERE namespace_id = $1 AND number >= $2 ORDER BY number LIMIT $3",
    [namespaceId, from, limit],
  );
  return rows.map(({ number, text }): ChangeRecord => ({ number, text }));
}

export async function appendRecord(
  query: Query,
  namespaceId: string,
  { number, text }: ChangeRecord,
): Promise<boolean> {
  const { count } = await query(
    `INSERT INTO change_records (namespace_id, number, text)
     SELECT id, $2, $3 FROM namespaces WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING`,
    [namespaceId, number, text],
  );
  return count === 1;
}

export async function removeRecords(query: Query, namespaceId: string, before: number): Promise<void> {
  await query("DELETE FROM change_records WHERE namespace_id = $1 AND number < $2", [namespaceId, before]);
}
