import type { DocumentSource, OtherSources, Sources } from "../document.ts";
import { isDocumentId, toHashUpperBound } from "../document.ts";
import type { ChangedDocument, KnownSources, SourcesChange } from "../knowledge-store.ts";
import type { DocumentRow } from "./chunk-rows.ts";
import { documentColumns, toStoredDocument } from "./chunk-rows.ts";
import type { Database, Query } from "./database/database.ts";
import { listKeys } from "./keys.ts";

interface SourcesRow extends DocumentRow {
  others_json: string;
}

const parseSources = ({ source_json, others_json }: Pick<SourcesRow, "source_json" | "others_json">): Sources => ({
  shown: JSON.parse(source_json) as DocumentSource,
  ...(JSON.parse(others_json) as OtherSources),
});

export async function getSources(query: Query, namespaceId: string, hash: string): Promise<KnownSources | undefined> {
  const { rows } = await query<SourcesRow>(
    "SELECT source_json, others_json FROM documents WHERE namespace_id = $1 AND is_whole AND hash = $2",
    [namespaceId, hash],
  );
  if (!rows[0]) return undefined;
  const { shown, others, hasMore = false } = parseSources(rows[0]);
  return { sources: [shown, ...others].map(({ source }) => source), hasMore };
}

/**
 * Changes the sources of a document under a lock. All data of a source is in the document's row, so readers see the whole change.
 *
 * @returns as `SourceStore.changeSources`
 */
export async function changeSources(
  database: Database,
  namespaceId: string,
  document: { hash: string } | { id: string },
  change: SourcesChange,
): Promise<ChangedDocument | "deleted" | undefined> {
  const [first, last] =
    "hash" in document ? [document.hash, document.hash] : [document.id, toHashUpperBound(document.id)];
  if ("id" in document && !isDocumentId(document.id)) return undefined;
  return database.transaction(async (query) => {
    const { rows } = await query<SourcesRow>(
      `SELECT ${documentColumns}, others_json FROM documents
       WHERE namespace_id = $1 AND is_whole AND hash >= $2 AND hash <= $3 FOR UPDATE`,
      [namespaceId, first, last],
    );
    const [row] = rows;
    if (!row) return undefined;
    const wanted = change(parseSources(row));
    if (wanted === undefined) return { document: toStoredDocument(row), isChanged: false };
    if (wanted === "none") {
      await query("DELETE FROM documents WHERE pk = $1", [row.pk]);
      return "deleted";
    }
    const { shown, ...others } = wanted;
    const source_json = JSON.stringify(shown);
    await query("UPDATE documents SET source_json = $2, others_json = $3, keys = $4::uuid[] WHERE pk = $1", [
      row.pk,
      source_json,
      JSON.stringify(others),
      listKeys(namespaceId, shown, others.others),
    ]);
    return { document: toStoredDocument({ ...row, source_json }), isChanged: true };
  });
}
