import { isDeepStrictEqual } from "node:util";
import type { Table } from "@lancedb/lancedb";
import type { ChangedDocument, KnownSources, SourcesChange } from "../../knowledge-store.ts";
import { listSpellings } from "../../source-spellings.ts";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import { formatOthers, parseOthers, parseSource, toSourceColumns, toStoredDocument } from "../table/rows.ts";
import type { Row } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { readHead, readHeadOfHash } from "./read-document.ts";

/**
 * Content is stored once, whichever sources bring it, and kept as long as one of them has it. All rows of a document show one source,
 * and its first row contains the others. A change of these updates only the first row. Every change applies only if the sources are
 * still as they were read. So of two writers in any processes, one is first and the other sees its change:
 *
 * - A source is either added before the last one is removed, which then isn't the last, or the writer finds that the document is gone.
 * - Removing the last source first marks the document as orphaned, which can't be undone, and then deletes its rows. If the process
 *   dies in between, the next process that finds the document deletes them.
 */
const orphanMark = "none";

/** Number of rows of one update. To change a word in a row, the engine rewrites it with its vector, so this bounds the memory. */
const maxRewrittenRows = 2_048;
/** Maximum number of attempts at a change that conflicts with changes of other processes. */
const maxAttempts = 32;

/** The sources of several contents, in the order of their hashes. Deletes the orphans it finds. */
export async function readSources(
  { table, writeQueue }: TableHandle,
  hashes: readonly string[],
): Promise<(KnownSources | undefined)[]> {
  // Read few columns, because this runs for each item of an ingest. One more column would take as long as counting all rows.
  const columns = ["hash", "source", "other_sources"] as const;
  const query = table.query().where(`hash IN (${hashes.map(quote).join(", ")}) AND chunk = 0`);
  const rows = (await query.select([...columns]).toArray()) as Pick<Row, (typeof columns)[number]>[];
  const known = new Map(rows.map((row) => [row.hash, row]));
  const getSources = async (hash: string): Promise<KnownSources | undefined> => {
    const row = known.get(hash);
    if (!row) return undefined;
    if (isOrphaned(row)) {
      const head = await readHeadOfHash(table, hash);
      if (head && isOrphaned(head)) await writeQueue.add(() => deleteRows(table, head));
      return undefined;
    }
    const { others, hasMore = false } = parseOthers(row);
    return { sources: [row.source, ...others.map(({ source }) => source)], hasMore };
  };
  return Promise.all(hashes.map(getSources));
}

interface SourcesResult {
  result: ChangedDocument | "deleted" | undefined;
  /** Number of rows updated to show another source. */
  rewritten: number;
}

/** Changes the sources of a document. A change of the shown source takes one commit, unless the document is very large. */
export async function changeSources(
  { table }: TableHandle,
  document: { hash: string } | { id: string },
  change: SourcesChange,
): Promise<SourcesResult> {
  let rewritten = 0;
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const head = await ("hash" in document ? readHeadOfHash(table, document.hash) : readHead(table, document.id));
    if (!head) return { result: undefined, rewritten };
    const sources = { shown: parseSource(head), ...(isOrphaned(head) ? { others: [] } : parseOthers(head)) };
    const wanted = change(sources);
    if (wanted === "none") {
      const mark = { other_sources: orphanMark };
      if (!isOrphaned(head) && (await updateUnchanged(table, head, mark, "chunk = 0")) === 0) continue;
      return { result: (await deleteRows(table, head)) ? "deleted" : undefined, rewritten };
    }
    if (isOrphaned(head)) return { result: undefined, rewritten };
    if (wanted === undefined) {
      // This process updated only some rows before another one changed the sources. Make all rows show the source in the first row.
      if (rewritten > 0) rewritten += await updateLaterRows(table, head, toSourceColumns(sources.shown));
      return { result: { document: toStoredDocument(head), isChanged: rewritten > 0 }, rewritten };
    }
    const { shown, ...others } = wanted;
    const { shown: shownBefore, ...othersBefore } = sources;
    const columns = toSourceColumns(shown);
    const isShownChanged = !isDeepStrictEqual(shown, shownBefore);
    const inOneCommit = head.chunks <= maxRewrittenRows && isDeepStrictEqual(others, othersBefore);
    const inAllRows = isShownChanged && inOneCommit;
    // Update the first row last: if the process dies before, the document still reads as unchanged, and the client repeats the request.
    if (isShownChanged && !inOneCommit) rewritten += await updateLaterRows(table, head, columns);
    const values = { ...(isShownChanged && columns), ...(!inAllRows && { other_sources: formatOthers(others) }) };
    const updated = await updateUnchanged(table, head, values, inAllRows ? "chunk >= 0" : "chunk = 0");
    if (inAllRows) rewritten += updated;
    if (updated === (inAllRows ? head.chunks : 1))
      return { result: { document: toStoredDocument({ ...head, ...columns }), isChanged: true }, rewritten };
  }
  throw new SourcesBusyError();
}

/** The condition for the first rows of a source's documents. */
export const toSourceCondition = (sent: string): string =>
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

/** Updates all rows of a document except the first. @returns how many */
async function updateLaterRows(table: Table, head: Row, values: ReturnType<typeof toSourceColumns>): Promise<number> {
  let updated = 0;
  for (let from = 1; from < head.chunks; from += maxRewrittenRows) {
    const where = `${toDocumentCondition(head)} AND chunk >= ${from} AND chunk < ${from + maxRewrittenRows}`;
    updated += (await commit(() => table.update({ where, values }))).rowsUpdated;
  }
  return updated;
}

const toDocumentCondition = (head: Row): string => `document_id = ${quote(head.document_id)}`;

/** Updates the rows of a document whose sources haven't changed since they were read. @returns how many */
async function updateUnchanged(table: Table, head: Row, values: Record<string, string | null>, rows: string) {
  const others = head.other_sources === null ? "IS NULL" : `= ${quote(head.other_sources)}`;
  const isUnchanged = `source_json = ${quote(head.source_json)} AND (chunk > 0 OR other_sources ${others})`;
  const where = `${toDocumentCondition(head)} AND ${isUnchanged} AND ${rows}`;
  return (await commit(() => table.update({ where, values }))).rowsUpdated;
}

async function deleteRows(table: Table, head: Row): Promise<boolean> {
  const { numDeletedRows } = await commit(() => table.delete(toDocumentCondition(head)));
  return numDeletedRows > 0;
}
