import type { Table } from "@lancedb/lancedb";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
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

/** Uploads that are remembered as whole. Beyond this the table is asked again. */
const maxWholeUploads = 10_000;

/** Uploads that this process is storing. */
export const runningUploads = new Set<string>();

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

/** Removes the rows of uploads whose process died before they were whole. */
export class AbandonedUploads {
  readonly #maxIdleMs: number;
  /** Incomplete uploads with the rows that they had, and since when. Ids of uploads are unique in the store. */
  readonly #seen = new Map<string, { rows: number; since: number }>();

  /** @param maxIdleMs an upload that stores no further part for this long is abandoned */
  constructor(maxIdleMs: number) {
    this.#maxIdleMs = maxIdleMs;
  }

  /**
   * Removes the uploads that have not grown for too long. Which other process makes an upload isn't known, so only repeated calls tell.
   *
   * @param now in milliseconds, from any clock that never goes back
   * @returns whether incomplete uploads are left
   */
  async remove({ table, writes }: TableHandle, now: number): Promise<boolean> {
    const incomplete = await findIncomplete(table);
    const uploads = incomplete.filter((upload) => !runningUploads.has(upload));
    const abandoned: string[] = [];
    for (const upload of uploads) {
      const rows = await table.countRows(`document_id = ${quote(upload)}`);
      const seen = this.#seen.get(upload);
      if (seen?.rows !== rows) this.#seen.set(upload, { rows, since: now });
      else if (now - seen.since >= this.#maxIdleMs) abandoned.push(upload);
    }
    if (abandoned.length > 0) {
      const isAbandoned = `document_id IN (${abandoned.map(quote).join(", ")})`;
      await writes.add(() => commit(() => table.delete(isAbandoned)));
      for (const upload of abandoned) this.#seen.delete(upload);
    }
    return incomplete.length > abandoned.length;
  }
}

async function findIncomplete(table: Table): Promise<string[]> {
  // The second chunk is in the first part, so each upload is found once.
  const condition = `chunk = 1 AND contains(hash, ${quote(uploadSeparator)})`;
  const rows = (await table.query().where(condition).select(["document_id"]).toArray()) as Pick<Row, "document_id">[];
  const uploads = rows.map(({ document_id }) => String(document_id));
  const whole = await findWhole(table, uploads);
  return uploads.filter((upload) => !whole.has(upload));
}
