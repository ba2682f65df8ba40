import type { Table } from "@lancedb/lancedb";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import type { RowPlace } from "../table/rows.ts";
import type { Row } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";

/**
 * A document of several parts is stored in a commit per part, because one commit takes several times the memory of its rows. Until
 * it is whole nobody sees it:
 *
 * - All its rows have the name of the upload, which is unique, as their `document_id`.
 * - All but the first have `<hash>/<upload>` as their key, which no other content has, and are committed first.
 * - The first has the hash as its key and is committed last, like a document of one part: of two uploads of the same content only
 *   one gets it in. The rows of that upload are the document. Rows of other uploads mean nothing, and searches leave them out.
 */
export const uploadSeparator = "/";

/** Rows of an upload that never became whole are removed after this time, the longest that an upload may take. */
const maxUploadMs = 6 * 60 * 60_000;
/** Uploads that are remembered as whole. Beyond this the table is asked again. */
const maxWholeUploads = 10_000;

/** Uploads of a table that are known to be whole. */
const wholeUploads = new WeakMap<Table, Set<string>>();

/**
 * Searches only whole documents.
 *
 * @param search returns rows that meet the condition, if there is one
 */
export async function searchWhole<Found extends Pick<Row, "hash" | "document_id">>(
  table: Table,
  search: (condition: string | undefined) => Promise<Found[]>,
): Promise<Found[]> {
  const known = wholeUploads.get(table) ?? new Set();
  wholeUploads.set(table, known);
  const incomplete = new Set<string>();
  for (;;) {
    const rows = await search(
      incomplete.size === 0 ? undefined : `document_id NOT IN (${[...incomplete].map(quote).join(", ")})`,
    );
    const uploads = rows.filter(isPart).map(({ document_id }) => String(document_id));
    const unknown = [...new Set(uploads)].filter((upload) => !known.has(upload));
    const whole = await findWhole(table, unknown);
    if (known.size > maxWholeUploads) known.clear();
    for (const upload of whole) known.add(upload);
    const hidden = unknown.filter((upload) => !whole.has(upload));
    if (hidden.length === 0) return rows;
    for (const upload of hidden) incomplete.add(upload);
  }
}

const isPart = ({ hash }: Pick<Row, "hash">): boolean => String(hash).includes(uploadSeparator);

async function findWhole(table: Table, uploads: string[]): Promise<Set<string>> {
  if (uploads.length === 0) return new Set();
  const condition = `chunk = 0 AND document_id IN (${uploads.map(quote).join(", ")})`;
  const rows = (await table.query().where(condition).select(["document_id"]).toArray()) as Pick<Row, "document_id">[];
  return new Set(rows.map(({ document_id }) => String(document_id)));
}

/** Whether some rows belong to an upload that is not whole. */
export function hasIncompleteParts(rows: readonly Pick<RowPlace, "hash" | "document_id" | "index">[]): boolean {
  const parts = rows.filter(isPart);
  if (parts.length === 0) return false;
  const heads = new Set(rows.filter(({ index }) => index === 0).map(({ document_id }) => document_id));
  return parts.some(({ document_id }) => !heads.has(document_id));
}

/** Removes the rows of uploads whose process died before they were whole. */
export async function removeAbandonedParts(opened: TableHandle, now: Date): Promise<void> {
  const before = new Date(now.getTime() - maxUploadMs).toISOString();
  // The second chunk is in the first part, so each upload is found once.
  const condition = `chunk = 1 AND contains(hash, ${quote(uploadSeparator)}) AND ingested_at < ${quote(before)}`;
  const rows = (await opened.table.query().where(condition).select(["document_id"]).toArray()) as Pick<
    Row,
    "document_id"
  >[];
  const uploads = rows.map(({ document_id }) => String(document_id));
  const whole = await findWhole(opened.table, uploads);
  const abandoned = uploads.filter((upload) => !whole.has(upload));
  if (abandoned.length === 0) return;
  const isAbandoned = `document_id IN (${abandoned.map(quote).join(", ")})`;
  await opened.writes.add(() => commit(() => opened.table.delete(isAbandoned)));
}
