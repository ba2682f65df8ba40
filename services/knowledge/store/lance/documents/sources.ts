import { isDeepStrictEqual } from "node:util";
import type { Table } from "@lancedb/lancedb";
import type { DocumentSource, OtherSources } from "../../document.ts";
import { maxOtherSources } from "../../document.ts";
import type { KnownSources } from "../../knowledge-store.ts";
import { listSpellings } from "../../source-spellings.ts";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import { formatOthers, parseOthers, parseSource, toHeader, toSourceColumns } from "../table/rows.ts";
import type { Row } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { readHead, readHeadOfHash } from "./read-document.ts";

/**
 * Content is stored once, whichever sources bring it, and kept as long as one of them has it. All rows of a document show one
 * source; its first row holds the others. A change of sources updates that row alone, and only if it is still as it was read. Of
 * two writers in any processes, one is therefore first and the other sees its change:
 *
 * - A source that is added is either remembered before the last one is removed, which then is not the last, or finds the document
 *   gone.
 * - Removing the last source first marks the document as orphaned, which nothing undoes, and then deletes its rows. If the process
 *   dies in between, the next one that meets the document deletes them.
 */
const orphanMark = "none";

/** Rows of one update. The engine rewrites a row with its vector to change a word in it, so this bounds the memory. */
const maxRewrittenRows = 2_048;
/** Attempts at a change that meets changes of other processes. */
const maxAttempts = 32;

/** The sources of several contents, in the order of their hashes. Deletes orphans that it meets. */
export async function readSources(
  { table, writes }: TableHandle,
  hashes: readonly string[],
): Promise<(KnownSources | undefined)[]> {
  // Called for each item of an ingest: a further column would take as long as counting all rows.
  const columns = ["hash", "source", "other_sources"] as const;
  const query = table.query().where(`hash IN (${hashes.map(quote).join(", ")}) AND chunk = 0`);
  const rows = (await query.select([...columns]).toArray()) as Pick<Row, (typeof columns)[number]>[];
  const known = new Map(rows.map((row) => [row.hash, row]));
  const getSources = async (hash: string): Promise<KnownSources | undefined> => {
    const row = known.get(hash);
    if (!row) return undefined;
    if (isOrphaned(row)) {
      const head = await readHeadOfHash(table, hash);
      if (head && isOrphaned(head)) await writes.add(() => deleteRows(table, head));
      return undefined;
    }
    const { others, hasMore = false } = parseOthers(row);
    return { sources: [String(row.source), ...others.map(({ source }) => source)], hasMore };
  };
  return Promise.all(hashes.map(getSources));
}

/** @returns false when the content is not stored */
export async function addSource({ table }: TableHandle, hash: string, added: DocumentSource): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const head = await readHeadOfHash(table, hash);
    if (!head || isOrphaned(head)) return false;
    const { others, hasMore } = parseOthers(head);
    if (hasMore || [head, ...others].some(({ source }) => source === added.source)) return true;
    const more: OtherSources =
      others.length < maxOtherSources ? { others: [...others, added] } : { others, hasMore: true };
    if (await changeHead(table, head, { other_sources: formatOthers(more) })) return true;
  }
  throw new SourcesBusyError();
}

interface RemovedSource {
  /** Whether the source was the document's last one. */
  isDeleted: boolean;
  /** Rows that were updated to show another source. */
  rewritten: number;
}

export async function removeSource({ table }: TableHandle, id: string, removed: string): Promise<RemovedSource> {
  let rewritten = 0;
  const showInRows = async (head: Row, values: SourceColumns) => {
    rewritten += await updateLaterRows(table, head, values);
  };
  const kept = () => ({ isDeleted: false, rewritten });
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const head = await readHead(table, id);
    if (!head) return kept();
    if (isOrphaned(head)) return { isDeleted: await deleteRows(table, head), rewritten };
    // Another process may have changed the shown source while this one updated the rows.
    if (rewritten > 0) await showInRows(head, toSourceColumns(toHeader(head)));
    const { others, ...rest } = parseOthers(head);
    if (head.source !== removed) {
      const left = others.filter(({ source }) => source !== removed);
      if (left.length === others.length) return kept();
      if (await changeHead(table, head, { other_sources: formatOthers({ ...rest, others: left }) })) return kept();
      continue;
    }
    const [next, ...left] = others;
    if (next) {
      const shown = toSourceColumns(next);
      // The first row is updated last: if the process dies before, the removed source is still found.
      await showInRows(head, shown);
      const changed = { ...shown, other_sources: formatOthers({ ...rest, others: left }) };
      if (await changeHead(table, head, changed)) return kept();
    } else if (rest.hasMore) return kept();
    else if (await changeHead(table, head, { other_sources: orphanMark })) {
      return { isDeleted: await deleteRows(table, head), rewritten };
    }
  }
  throw new SourcesBusyError();
}

interface ChangedSource {
  /** The document's first row. */
  head: Row;
  isChanged: boolean;
  rewritten: number;
}

/**
 * Changes what a document has from a source, or from the one it shows, in one commit unless the document is very large.
 *
 * @returns undefined when there is no such document, or it does not have the source
 */
export async function changeSource(
  { table }: TableHandle,
  id: string,
  change: (current: DocumentSource) => DocumentSource,
  source?: string,
): Promise<ChangedSource | undefined> {
  let rewritten = 0;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const head = await readHead(table, id);
    if (!head || isOrphaned(head)) return undefined;
    const { others, ...rest } = parseOthers(head);
    const isShown = source === undefined || source === head.source;
    const current = isShown ? parseSource(head) : others.find((other) => other.source === source);
    if (!current) return undefined;
    const wanted = change(current);
    if (isDeepStrictEqual(wanted, current)) return { head, isChanged: rewritten > 0, rewritten };
    const now = await (isShown ? showChanged(head, wanted) : changeOther(head, { ...rest, others }, wanted));
    if (now) return { head: { ...head, ...now }, isChanged: true, rewritten };
  }
  throw new SourcesBusyError();

  async function changeOther(head: Row, { others, hasMore }: OtherSources, wanted: DocumentSource) {
    const changed = others.map((other) => (other.source === wanted.source ? wanted : other));
    const values = { other_sources: formatOthers({ others: changed, ...(hasMore && { hasMore }) }) };
    return (await changeHead(table, head, values)) ? values : undefined;
  }

  async function showChanged(head: Row, wanted: DocumentSource) {
    const values = toSourceColumns(wanted);
    if (Number(head.chunks) > maxRewrittenRows) {
      // The first row is updated last: if the process dies before, the document still reads as unchanged, and the client repeats it.
      rewritten += await updateLaterRows(table, head, values);
      return (await changeHead(table, head, values)) ? values : undefined;
    }
    // All rows say the same, so that of two writers who have read the same only one changes them.
    const where = `${isOfDocument(head)} AND source_json = ${quote(String(head.source_json))}`;
    const { rowsUpdated } = await commit(() => table.update({ where, values }));
    rewritten += rowsUpdated;
    // A process died while it changed some of the rows.
    if (rowsUpdated > 0 && rowsUpdated < Number(head.chunks)) rewritten += await updateLaterRows(table, head, values);
    return rowsUpdated > 0 ? values : undefined;
  }
}

/** The condition that the first rows of a source's documents meet. */
export const hasSource = (sent: string): string =>
  listSpellings(sent)
    .map(
      (source) =>
        `source = ${quote(source)} OR contains(other_sources, ${quote(`{"source":${JSON.stringify(source)},"title":`)})`,
    )
    .join(" OR ");

class SourcesBusyError extends Error {
  override readonly name = "SourcesBusyError";

  constructor() {
    super("Other processes keep changing the sources of the same document.");
  }
}

export const isOrphaned = ({ other_sources }: Pick<Row, "other_sources">): boolean => other_sources === orphanMark;

type SourceColumns = ReturnType<typeof toSourceColumns>;

/** Updates all rows of a document but the first. @returns how many */
async function updateLaterRows(table: Table, head: Row, values: SourceColumns): Promise<number> {
  let updated = 0;
  for (let from = 1; from < Number(head.chunks); from += maxRewrittenRows) {
    const where = `${isOfDocument(head)} AND chunk >= ${from} AND chunk < ${from + maxRewrittenRows}`;
    updated += (await commit(() => table.update({ where, values }))).rowsUpdated;
  }
  return updated;
}

const isOfDocument = (head: Row): string => `document_id = ${quote(String(head.document_id))}`;

/** Updates a document's first row if its sources are still as they were read. */
async function changeHead(table: Table, head: Row, values: Record<string, string | number | null>): Promise<boolean> {
  const others = head.other_sources === null ? "IS NULL" : `= ${quote(String(head.other_sources))}`;
  const isUnchanged = `source_json = ${quote(String(head.source_json))} AND other_sources ${others}`;
  const where = `${isOfDocument(head)} AND chunk = 0 AND ${isUnchanged}`;
  const { rowsUpdated } = await commit(() => table.update({ where, values }));
  return rowsUpdated === 1;
}

async function deleteRows(table: Table, head: Row): Promise<boolean> {
  const { numDeletedRows } = await commit(() => table.delete(isOfDocument(head)));
  return numDeletedRows > 0;
}
