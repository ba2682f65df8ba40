import type { Table } from "@lancedb/lancedb";
import { quote } from "../search/filter.ts";
import { commit } from "../table/commit.ts";
import type { Row } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";

/**
 * A document of several parts is stored in one commit per part, because a commit takes several times the memory of its rows. It stays
 * invisible until it is complete:
 *
 * - All its rows have the unique name of the upload as their `document_id`.
 * - All rows except the first have the key `<hash>/<upload>`, which no other content has, and are committed first.
 * - The first row has the hash as its key and is committed last, like a document of one part. If the same content is uploaded twice,
 *   only one upload can insert it, and the rows of that upload are the document. Searches leave out the rows of other uploads.
 */
export const uploadSeparator = "/";

/** Maximum number of cached uploads known to be complete. For others, the table is queried again. */
const maxWholeUploads = 10_000;

/** The uploads that this process is storing. */
export const runningUploads = new Set<string>();

/** The uploads of a table that are known to be complete. */
const wholeUploads = new WeakMap<Table, Set<string>>();

/** Searches only complete documents. @param search returns the rows that meet the condition, if there is one */
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
    const uploads = rows.filter(isPart).map(({ document_id }) => document_id);
    const unknown = [...new Set(uploads)].filter((upload) => !known.has(upload));
    const whole = await findWhole(table, unknown);
    if (known.size > maxWholeUploads) known.clear();
    for (const upload of whole) known.add(upload);
    const hidden = unknown.filter((upload) => !whole.has(upload));
    if (hidden.length === 0) return rows;
    for (const upload of hidden) incomplete.add(upload);
  }
}

const isPart = ({ hash }: Pick<Row, "hash">): boolean => hash.includes(uploadSeparator);

async function findWhole(table: Table, uploads: string[]): Promise<Set<string>> {
  if (uploads.length === 0) return new Set();
  const condition = `chunk = 0 AND document_id IN (${uploads.map(quote).join(", ")})`;
  const rows = (await table.query().where(condition).select(["document_id"]).toArray()) as Pick<Row, "document_id">[];
  return new Set(rows.map(({ document_id }) => document_id));
}

/** Removes the rows of uploads whose process died before they were complete. */
export class AbandonedUploads {
  readonly #maxIdleMs: number;
  /** Incomplete uploads, with their number of rows and since when they have had it. Upload ids are unique in the store. */
  readonly #seen = new Map<string, { rows: number; since: number }>();

  /** @param maxIdleMs an upload that stores no further part for this long is abandoned */
  constructor(maxIdleMs: number) {
    this.#maxIdleMs = maxIdleMs;
  }

  /**
   * Removes the uploads that haven't grown for too long. It isn't known which process makes an upload, so only repeated calls can tell.
   *
   * @param now in milliseconds, from any monotonic clock
   * @returns whether incomplete uploads are left
   */
  async remove({ table, writeQueue }: TableHandle, now: number): Promise<boolean> {
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
      await writeQueue.add(() => commit(() => table.delete(isAbandoned)));
      for (const upload of abandoned) this.#seen.delete(upload);
    }
    return incomplete.length > abandoned.length;
  }
}

async function findIncomplete(table: Table): Promise<string[]> {
  // The second chunk is always in the first part, so each upload is found once.
  const condition = `chunk = 1 AND contains(hash, ${quote(uploadSeparator)})`;
  const rows = (await table.query().where(condition).select(["document_id"]).toArray()) as Pick<Row, "document_id">[];
  const uploads = rows.map(({ document_id }) => document_id);
  const whole = await findWhole(table, uploads);
  return uploads.filter((upload) => !whole.has(upload));
}
