import type { Table } from "@lancedb/lancedb";
import type { DocumentSource } from "../document.ts";
import type { KnownSources } from "../knowledge-store.ts";
import { commit } from "./commit.ts";
import { headOf, headOfHash } from "./document-head.ts";
import { quote } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import type { Row } from "./rows.ts";
import { headerOf, sourceColumnsOf } from "./rows.ts";

/**
 * Content is stored once, whoever brings it, and is kept as long as one of its sources still has it. All rows of a document show
 * one source; the others are in its first row, and what changes them changes that row alone, and only if it is still as it
 * was read. So of two writers, in whatever process, one comes first and the other one sees what he did:
 *
 * - A source that comes is either remembered before the last one goes, which then is not the last, or finds the document gone.
 * - The last one that goes first marks the document as nobody's, which nothing takes back, and then removes its rows. Where a
 *   process dies in between, whoever meets it next, with the same content or for the same source, removes them.
 */
const nobodys = "none";

/** Sources that are remembered of a document beside the one that it shows. One with more is kept until it is deleted. */
const otherSourcesAtMost = 64;
/** The engine writes a row with its vector again to change a word in it; this bounds the memory that it takes. */
const chunksRewrittenAtOnce = 2_048;
/** Of a change that meets those of other processes. */
const attemptsAtMost = 32;

interface OtherSources {
  others: DocumentSource[];
  hasMore?: true;
}

/** Where contents came from, in the order of their hashes; what is nobody's any more is removed. */
export async function readSources(
  { table, writes }: Pick<NamespaceTable, "table" | "writes">,
  hashes: readonly string[],
): Promise<(KnownSources | undefined)[]> {
  // Asked for each item that comes: each column more would take as long as counting the rows.
  const columns = ["hash", "source", "other_sources"] as const;
  const query = table.query().where(`hash IN (${hashes.map(quote).join(", ")}) AND chunk = 0`);
  const rows = (await query.select([...columns]).toArray()) as Pick<Row, (typeof columns)[number]>[];
  const known = new Map(rows.map((row) => [row.hash, row]));
  const sourcesOf = async (hash: string): Promise<KnownSources | undefined> => {
    const row = known.get(hash);
    if (!row) return undefined;
    if (isNobodys(row)) {
      const head = await headOfHash(table, hash);
      if (head && isNobodys(head)) await writes.add(() => removeRows(table, head));
      return undefined;
    }
    const { others, hasMore = false } = othersOf(row);
    return { sources: [String(row.source), ...others.map(({ source }) => source)], hasMore };
  };
  return Promise.all(hashes.map(sourcesOf));
}

/** @returns false when the content is not there */
export async function addSource({ table }: NamespaceTable, hash: string, added: DocumentSource): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    const head = await headOfHash(table, hash);
    if (!head || isNobodys(head)) return false;
    const { others, hasMore } = othersOf(head);
    if (hasMore || [head, ...others].some(({ source }) => source === added.source)) return true;
    const more: OtherSources =
      others.length < otherSourcesAtMost ? { others: [...others, added] } : { others, hasMore: true };
    if (await changeHead(table, head, { other_sources: textOfOthers(more) })) return true;
  }
  throw new SourcesBusyError();
}

/** What became of a document that a source has no longer. */
interface RemovedSource {
  /** It was the last one. */
  isDeleted: boolean;
  /** Chunks that were written again, with another source. */
  rewritten: number;
}

export async function removeSource({ table }: NamespaceTable, id: string, removed: string): Promise<RemovedSource> {
  let rewritten = 0;
  const rewrite = async (head: Row, values: ReturnType<typeof sourceColumnsOf>) => {
    for (let from = 1; from < Number(head.chunks); from += chunksRewrittenAtOnce) {
      const where = `${isOf(head)} AND chunk >= ${from} AND chunk < ${from + chunksRewrittenAtOnce}`;
      rewritten += (await commit(() => table.update({ where, values }))).rowsUpdated;
    }
  };
  const kept = () => ({ isDeleted: false, rewritten });
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    const head = await headOf(table, id);
    if (!head) return kept();
    if (isNobodys(head)) return { isDeleted: await removeRows(table, head), rewritten };
    // Another process may have given the document another source while this one gave its chunks theirs.
    if (rewritten > 0) await rewrite(head, shownOf(head));
    const { others, ...rest } = othersOf(head);
    if (head.source !== removed) {
      const left = others.filter(({ source }) => source !== removed);
      if (left.length === others.length) return kept();
      if (await changeHead(table, head, { other_sources: textOfOthers({ ...rest, others: left }) })) return kept();
      continue;
    }
    const [next, ...left] = others;
    if (next) {
      const shown = sourceColumnsOf(next);
      // The first row comes last: until then the source that goes is still found, should the process die.
      await rewrite(head, shown);
      const changed = { ...shown, other_sources: textOfOthers({ ...rest, others: left }) };
      if (await changeHead(table, head, changed)) return kept();
    } else if (rest.hasMore) return kept();
    else if (await changeHead(table, head, { other_sources: nobodys })) {
      return { isDeleted: await removeRows(table, head), rewritten };
    }
  }
  throw new SourcesBusyError();
}

/** The condition, in the engine's SQL, that a document's first row holds for the documents of a source. */
export const isFrom = (source: string): string =>
  `source = ${quote(source)} OR contains(other_sources, ${quote(`{"source":${JSON.stringify(source)},"title":`)})`;

class SourcesBusyError extends Error {
  override readonly name = "SourcesBusyError";

  constructor() {
    super("Other processes change the sources of the same document all the time.");
  }
}

const isNobodys = ({ other_sources }: Pick<Row, "other_sources">): boolean => other_sources === nobodys;

const othersOf = ({ other_sources }: Pick<Row, "other_sources">): OtherSources =>
  other_sources === null ? { others: [] } : (JSON.parse(String(other_sources)) as OtherSources);

function textOfOthers({ others, hasMore }: OtherSources): string | null {
  if (others.length === 0 && !hasMore) return null;
  const written = others.map(({ source, title, contentType, url, filename, metadata }) => {
    return { source, title, contentType, url, filename, metadata };
  });
  return JSON.stringify({ others: written, hasMore });
}

const shownOf = (head: Row) => sourceColumnsOf(headerOf(head));

const isOf = (head: Row): string => `document_id = ${quote(String(head.document_id))}`;

/** Changes a document's first row, if it still has the sources that it had when it was read. */
async function changeHead(table: Table, head: Row, values: Record<string, string | number | null>): Promise<boolean> {
  const others = head.other_sources === null ? "IS NULL" : `= ${quote(String(head.other_sources))}`;
  const isSame = `source = ${quote(String(head.source))} AND other_sources ${others}`;
  const where = `${isOf(head)} AND chunk = 0 AND ${isSame}`;
  const { rowsUpdated } = await commit(() => table.update({ where, values }));
  return rowsUpdated === 1;
}

async function removeRows(table: Table, head: Row): Promise<boolean> {
  const { numDeletedRows } = await commit(() => table.delete(isOf(head)));
  return numDeletedRows > 0;
}
