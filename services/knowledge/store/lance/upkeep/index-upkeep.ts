import type { Table } from "@lancedb/lancedb";
import type { VectorColumn } from "../table/schema.ts";
import { readSchema } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import type { VectorIndexState } from "./vector-index.ts";
import { getVectorIndexState, minIndexedRows } from "./vector-index.ts";

/** With fewer new rows and commits than this, a small table is left unchanged: its searches are just as fast, and merging costs more. */
export const minUnindexedRows = 32;
export const minCommits = 10;
/** Maximum number of attempts at a commit that conflicts with deletions. The last attempt blocks the writers of this process. */
const maxAttempts = 3;
/** Searches load larger indices themselves, as far as they need them. */
const maxPreloadedIndexBytes = 64 * 1024 * 1024;

/** How far a table's indices lag behind its rows. */
export interface IndexStatus {
  unindexedRows: number;
  /** Whether the table is small and has so few new rows that merging isn't worth it. */
  isNegligible: boolean;
  /** False for a table of an earlier version. */
  termsAreComplete: boolean;
  vectorIndex: VectorIndexState;
  column: VectorColumn;
}

export async function readIndexStatus(table: Table, commits: number): Promise<IndexStatus> {
  const [schema, rows, indices] = await Promise.all([table.schema(), table.countRows(), table.listIndices()]);
  const { active: column, termsAreComplete } = readSchema(schema);
  const unindexedRows = Math.max(0, ...indices.map(({ numUnindexedRows = 0 }) => numUnindexedRows));
  return {
    unindexedRows,
    isNegligible: rows < minIndexedRows && unindexedRows < minUnindexedRows && commits < minCommits,
    termsAreComplete,
    vectorIndex: getVectorIndexState(indices, column, rows),
    column,
  };
}

/** Merges small files and indexes new rows: vectors in a delta index, words in the whole index. */
export async function indexNewRows(handle: TableHandle): Promise<void> {
  const optimize = () => handle.table.optimize({ cleanupOlderThan: new Date(0) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (attempt < maxAttempts ? optimize() : handle.writeQueue.add(optimize));
      break;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
  await handle.files?.flush();
}

/** Removes versions of a table that were replaced before the given time. Flushes first, because only durable versions may replace them. */
export async function removeOldVersions({ table, files }: TableHandle, cleanupOlderThan: Date): Promise<void> {
  await files?.flush();
  await table.optimize({ cleanupOlderThan });
  await files?.flush();
}

/** Loads rewritten indices, so that the next searches don't have to wait for them. */
export async function preloadIndices(table: Table): Promise<void> {
  for (const { name, sizeBytes = 0 } of await table.listIndices()) {
    if (sizeBytes <= maxPreloadedIndexBytes) await table.prewarmIndex(name);
  }
}
