import type { Table } from "@lancedb/lancedb";
import type { DocumentSource, KnownSources } from "../knowledge-store.ts";
import { headOf, headOfHash } from "./document-head.ts";
import { quote } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import type { Row } from "./rows.ts";
import { sourceColumnsOf } from "./rows.ts";

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
/** Of a change that meets those of other processes. */
const attemptsAtMost = 32;

interface OtherSources {
  others: DocumentSource[];
  hasMore?: true;
}

/** Where content came from; what is nobody's any more is removed. */
export async function readSources({ table, writes }: NamespaceTable, hash: string): Promise<KnownSources | undefined> {
  const head = await headOfHash(table, hash);
  if (!head) return undefined;
  if (isNobodys(head)) {
    await writes.add(() => removeRows(table, head));
    return undefined;
  }
  const { others, hasMore = false } = othersOf(head);
  return { sources: [String(head.source), ...others.map(({ source }) => source)], hasMore };
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

/** @returns whether it was the last one, and the document is removed */
export async function removeSource({ table }: NamespaceTable, id: string, removed: string): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    const head = await headOf(table, id);
    if (!head) return false;
    if (isNobodys(head)) return removeRows(table, head);
    // Another process may have given the document another source while this one gave its passages theirs.
    if (attempt > 1) await table.update({ where: rowsBehind(head), values: shownOf(head) });
    const { others, ...rest } = othersOf(head);
    if (head.source !== removed) {
      const left = others.filter(({ source }) => source !== removed);
      if (left.length === others.length) return false;
      if (await changeHead(table, head, { other_sources: textOfOthers({ ...rest, others: left }) })) return false;
      continue;
    }
    const [next, ...left] = others;
    if (next) {
      const shown = sourceColumnsOf(next);
      // The first row comes last: until then the source that goes is still found, should the process die.
      if (Number(head.chunks) > 1) await table.update({ where: rowsBehind(head), values: shown });
      const changed = { ...shown, other_sources: textOfOthers({ ...rest, others: left }) };
      if (await changeHead(table, head, changed)) return false;
    } else if (rest.hasMore) return false;
    else if (await changeHead(table, head, { other_sources: nobodys })) return removeRows(table, head);
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

const isNobodys = ({ other_sources }: Row): boolean => other_sources === nobodys;

const othersOf = ({ other_sources }: Row): OtherSources =>
  other_sources === null ? { others: [] } : (JSON.parse(String(other_sources)) as OtherSources);

function textOfOthers({ others, hasMore }: OtherSources): string | null {
  if (others.length === 0 && !hasMore) return null;
  const written = others.map(({ source, title, contentType, url, filename, metadata }) => {
    return { source, title, contentType, url, filename, metadata };
  });
  return JSON.stringify({ others: written, hasMore });
}

const shownOf = ({ title, source, url, filename, content_type, metadata_json }: Row) => {
  return { title, source, url, filename, content_type, metadata_json };
};

const isOf = (head: Row): string => `document_id = ${quote(String(head.document_id))}`;
const rowsBehind = (head: Row): string => `${isOf(head)} AND chunk > 0`;

/** Changes a document's first row, if it still has the sources that it had when it was read. */
async function changeHead(table: Table, head: Row, values: Record<string, string | number | null>): Promise<boolean> {
  const others = head.other_sources === null ? "IS NULL" : `= ${quote(String(head.other_sources))}`;
  const isSame = `source = ${quote(String(head.source))} AND other_sources ${others}`;
  const { rowsUpdated } = await table.update({ where: `${isOf(head)} AND chunk = 0 AND ${isSame}`, values });
  return rowsUpdated === 1;
}

async function removeRows(table: Table, head: Row): Promise<boolean> {
  const { numDeletedRows } = await table.delete(isOf(head));
  return numDeletedRows > 0;
}
