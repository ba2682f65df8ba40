import { isDeepStrictEqual } from "node:util";
import type { DocumentSource, OtherSources } from "../document.ts";
import { maxOtherSources } from "../document.ts";
import type { ChangedDocument, KnownSources } from "../knowledge-store.ts";
import type { DocumentRow } from "./chunk-rows.ts";
import { documentColumns, toSource, toStoredDocument } from "./chunk-rows.ts";
import type { Database, Query } from "./database/database.ts";
import { listKeys } from "./keys.ts";

interface Sources extends OtherSources {
  shown: DocumentSource;
}

interface SourcesRow extends DocumentRow {
  others_json: string;
}

/** What becomes of a document's sources: nothing, others, or none, with which the document is deleted. */
type Change = (sources: Sources) => Sources | "none" | undefined;

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

/** @returns false when the content is not stored */
export async function addSource(
  database: Database,
  namespaceId: string,
  hash: string,
  added: DocumentSource,
): Promise<boolean> {
  const result = await changeSources(database, { namespaceId, hash }, (sources) => {
    const { shown, others, hasMore } = sources;
    if (hasMore || [shown, ...others].some(({ source }) => source === added.source)) return undefined;
    const isFull = others.length >= maxOtherSources;
    return isFull ? { ...sources, hasMore: true } : { ...sources, others: [...others, toSource(added)] };
  });
  return result !== undefined;
}

/** @returns whether the document was deleted */
export async function removeSource(
  database: Database,
  namespaceId: string,
  id: string,
  removed: string,
): Promise<boolean> {
  const result = await changeSources(database, { namespaceId, id }, ({ shown, others, hasMore }) => {
    const more = hasMore && { hasMore };
    if (shown.source !== removed) {
      const left = others.filter(({ source }) => source !== removed);
      return left.length === others.length ? undefined : { shown, others: left, ...more };
    }
    const [next, ...left] = others;
    if (next) return { shown: next, others: left, ...more };
    return hasMore ? undefined : "none";
  });
  return result?.isDeleted ?? false;
}

/** @returns undefined when there is no such document, or it does not have the source */
export async function changeSource(
  database: Database,
  { namespaceId, id }: { namespaceId: string; id: string },
  change: (current: DocumentSource) => DocumentSource,
  source?: string,
): Promise<ChangedDocument | undefined> {
  let isKnown = false;
  let isChanged = false;
  const result = await changeSources(database, { namespaceId, id }, (sources) => {
    const apply = (one: DocumentSource): DocumentSource => {
      if (one.source !== (source ?? sources.shown.source)) return one;
      isKnown = true;
      const wanted = toSource(change(one));
      isChanged = !isDeepStrictEqual(wanted, one);
      return wanted;
    };
    isKnown = isChanged = false;
    const changed = { ...sources, shown: apply(sources.shown), others: sources.others.map(apply) };
    return isChanged ? changed : undefined;
  });
  return result && isKnown ? { document: toStoredDocument(result.row), isChanged } : undefined;
}

/**
 * Changes the sources of a document while nobody else can. All that is known of a source lies in the document's row, so that readers
 * see all of a change.
 *
 * @returns undefined when there is no such document
 */
async function changeSources(
  database: Database,
  { namespaceId, hash, id }: { namespaceId: string; hash?: string; id?: string },
  change: Change,
): Promise<{ row: DocumentRow; isDeleted: boolean } | undefined> {
  return database.transaction(async (query) => {
    const { rows } = await query<SourcesRow>(
      `SELECT ${documentColumns}, others_json FROM documents
       WHERE namespace_id = $1 AND is_whole AND hash >= $2 AND hash <= $3 FOR UPDATE`,
      [namespaceId, hash ?? id, hash ?? `${id}~`],
    );
    const [row] = rows;
    if (!row) return undefined;
    const wanted = change(parseSources(row));
    if (wanted === undefined) return { row, isDeleted: false };
    if (wanted === "none") {
      await query("DELETE FROM documents WHERE pk = $1", [row.pk]);
      return { row, isDeleted: true };
    }
    const { shown, ...others } = wanted;
    const source_json = JSON.stringify(shown);
    await query("UPDATE documents SET source_json = $2, others_json = $3, keys = $4::uuid[] WHERE pk = $1", [
      row.pk,
      source_json,
      JSON.stringify(others),
      listKeys(namespaceId, shown, others.others),
    ]);
    return { row: { ...row, source_json }, isDeleted: false };
  });
}
