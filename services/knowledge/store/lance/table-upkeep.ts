import type { Table } from "@lancedb/lancedb";
import { removeAbandonedParts } from "./document-parts.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { readSchema } from "./vector-columns.ts";
import type { VectorIndexState } from "./vector-index.ts";
import { indexedFromRows, vectorIndexState } from "./vector-index.ts";

/** Below these a small table is left as it is: its searches take no longer for them, and merging costs more. */
export const minUnindexedRows = 32;
export const minCommits = 10;
/** Attempts at a commit that loses against deletions. The last one keeps this process's writers waiting. */
const maxAttempts = 3;
/** Larger indices are loaded by searches, as far as they need them. */
const maxPreloadedIndexBytes = 64 * 1024 * 1024;

/** How far a table's indices are behind its rows. */
export interface IndexStatus {
  unindexedRows: number;
  /** Whether so little is new that a small table isn't worth merging. */
  isNegligible: boolean;
  vectorIndex: VectorIndexState;
  column: VectorColumn;
}

export async function readIndexStatus(table: Table, commits: number): Promise<IndexStatus> {
  const [schema, rows, indices] = await Promise.all([table.schema(), table.countRows(), table.listIndices()]);
  const { active: column } = readSchema(schema);
  const unindexedRows = Math.max(0, ...indices.map(({ numUnindexedRows = 0 }) => numUnindexedRows));
  return {
    unindexedRows,
    isNegligible: rows < indexedFromRows && unindexedRows < minUnindexedRows && commits < minCommits,
    vectorIndex: vectorIndexState(indices, column, rows),
    column,
  };
}

/** Merges small files and brings new rows into the indices: a delta index of the vectors, the whole index of the words. */
export async function indexNewRows(opened: NamespaceTable): Promise<void> {
  await removeAbandonedParts(opened, new Date());
  const optimize = () => opened.table.optimize({ cleanupOlderThan: new Date(0) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (attempt < maxAttempts ? optimize() : opened.writes.add(optimize));
      break;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
    }
  }
  await opened.files?.flush();
}

/** Removes the states of a table that are older than this. Only what is durable may replace them. */
export async function removeOldStates({ table, files }: NamespaceTable, keptMs: number): Promise<void> {
  await files?.flush();
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - keptMs) });
  await files?.flush();
}

/** Loads the indices that a round has written anew, for which the next searches would have to wait. */
export async function preloadIndices(table: Table): Promise<void> {
  for (const { name, sizeBytes = 0 } of await table.listIndices()) {
    if (sizeBytes <= maxPreloadedIndexBytes) await table.prewarmIndex(name);
  }
}
