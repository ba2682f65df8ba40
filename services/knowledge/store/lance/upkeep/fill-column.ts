import type { Table } from "@lancedb/lancedb";
import type { Vector } from "apache-arrow";
import { quote } from "../search/filter.ts";
import { Table as ArrowTable } from "../table/arrow.ts";
import { commit } from "../table/commit.ts";
import { toKeyColumns } from "../table/row-columns.ts";
import type { Row } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";

interface Filling {
  name: string;
  rowBatchSize: number;
  /** Computes the column's values from the rows' search texts. */
  makeColumn(texts: string[]): Promise<Vector>;
  onProgress?: ((done: number, total: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Fills a column of a table where it is null, including rows that are added in the meantime. It can be interrupted at any time and run
 * by several processes: filled rows stay filled, and two writers write the same values.
 */
export async function fillColumn(
  handle: TableHandle,
  { name, rowBatchSize, makeColumn, onProgress, signal }: Filling,
): Promise<void> {
  const { table } = handle;
  const isEmpty = `${name} IS NULL`;
  for (;;) {
    const total = await table.countRows();
    const empty = (await table.query().where(isEmpty).select(["hash", "chunk"]).toArray()) as RowKey[];
    onProgress?.(total - empty.length, total);
    if (empty.length === 0) return;
    for (let start = 0; start < empty.length; start += rowBatchSize) {
      signal?.throwIfAborted();
      const rows = await readRows(table, empty.slice(start, start + rowBatchSize), isEmpty);
      if (rows.length > 0) {
        const made = await makeColumn(rows.map((row) => row.search_text));
        const updates = new ArrowTable({ ...toKeyColumns(rows), [name]: made });
        // Rows that were deleted in the meantime match nothing.
        const merge = table.mergeInsert(["hash", "chunk"]).useIndex(false).whenMatchedUpdateAll();
        await writeDurably(handle, () => commit(() => merge.execute(updates)));
      }
      onProgress?.(total - empty.length + Math.min(start + rowBatchSize, empty.length), total);
    }
  }
}

/** Runs a write as the only one of this process, and makes it durable. */
export async function writeDurably<Result>(
  { writeQueue, files }: TableHandle,
  write: () => Promise<Result>,
): Promise<Result> {
  const result = await writeQueue.add(write);
  await files?.flush();
  return result;
}

type RowKey = Pick<Row, "hash" | "chunk">;

async function readRows(table: Table, keys: readonly RowKey[], isEmpty: string) {
  const hashes = [...new Set(keys.map(({ hash }) => hash))];
  const wanted = new Set(keys.map(({ hash, chunk }) => `${hash} ${chunk}`));
  // All chunks of a large document share a hash. The range prevents each call from reading all of them.
  const chunks = keys.map(({ chunk }) => chunk);
  const isInRange = `chunk >= ${Math.min(...chunks)} AND chunk <= ${Math.max(...chunks)}`;
  const query = table.query().where(`hash IN (${hashes.map(quote).join(", ")}) AND ${isInRange} AND ${isEmpty}`);
  const rows = (await query.select(["hash", "chunk", "search_text"]).toArray()) as Pick<
    Row,
    "hash" | "chunk" | "search_text"
  >[];
  return rows.filter(({ hash, chunk }) => wanted.has(`${hash} ${chunk}`));
}
