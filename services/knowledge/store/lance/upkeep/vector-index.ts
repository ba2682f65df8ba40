import type { IndexConfig, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import { commit } from "../table/commit.ts";
import type { VectorColumn } from "../table/schema.ts";

/** With fewer rows, comparing all of them is as fast as using an index, and exact. */
export const minIndexedRows = 5_000;
/**
 * Rows per partition. This is the engine's own target: when it indexes new rows, it joins partitions with less than a quarter of this
 * and splits those with more than four times this. Smaller partitions would only last until then.
 */
const rowsPerPartition = 4_096;
/** An index is rebuilt once its table has grown by this factor since its partitions were made. */
const rebuildGrowthFactor = 4;

/** Share of the partitions that a search reads. */
const probedShare = 1 / 12;
const minProbes = 8;
/** Number of candidates whose full vectors are compared, since the index only approximates them. */
const refinedCandidates = 100;
const maxRefineFactor = 10;

/** How a search uses the index. Has no effect without an index. */
export function vectorSearchOptions(rows: number, limit: number): { nprobes: number; refineFactor: number } {
  return {
    nprobes: Math.max(minProbes, Math.ceil((rows / rowsPerPartition) * probedShare)),
    refineFactor: Math.min(maxRefineFactor, Math.max(2, Math.ceil(refinedCandidates / limit))),
  };
}

/**
 * Number of delta indices after which an index is rebuilt while the table is idle. New rows go to a delta index, which costs every
 * search 0.3 ms. Rebuilding takes 0.1 s per 1,000 rows, so a large table, whose searches take longer anyway, may have more.
 */
const maxDeltaIndices = 4;
const rowsPerDeltaIndex = 50_000;
/** An index with this many times as many delta indices is rebuilt without waiting until the table is idle. */
const deltaIndicesFactor = 6;

export const getMaxDeltaIndices = (rows: number): number =>
  Math.min(maxDeltaIndices, Math.max(1, Math.round(rows / rowsPerDeltaIndex)));

/** "fragmented": the index has too many delta indices. "outdated": it has too few partitions, or is missing. */
export type VectorIndexState = "current" | "fragmented" | "outdated";

/** The index's name contains its number of partitions. */
const getPartitions = ({ name }: IndexConfig): number => Number(/_(\d+)$/.exec(name)?.[1] ?? 0);

const countPartitions = (rows: number): number => Math.round(rows / rowsPerPartition);

export function getVectorIndexState(
  indices: readonly IndexConfig[],
  column: VectorColumn,
  rows: number,
): VectorIndexState {
  if (rows < minIndexedRows) return "current";
  const existing = indices.filter(({ columns }) => columns.includes(column.name));
  const partitions = Math.max(0, ...existing.map(getPartitions));
  if (existing.length === 0 || countPartitions(rows) >= rebuildGrowthFactor * partitions) return "outdated";
  const deltas = Math.max(...existing.map(({ numSegments = 1 }) => numSegments - 1));
  if (deltas <= getMaxDeltaIndices(rows)) return "current";
  return deltas > deltaIndicesFactor * getMaxDeltaIndices(rows) ? "outdated" : "fragmented";
}

/** Builds the index for the table's size: none for a small table, otherwise IVF with RaBitQ codes (Gao and Long, SIGMOD 2024). */
export async function ensureVectorIndex(table: Table, column: VectorColumn): Promise<void> {
  const [rows, indices] = await Promise.all([table.countRows(), table.listIndices()]);
  if (getVectorIndexState(indices, column, rows) === "current") return;
  const numPartitions = countPartitions(rows);
  const name = `${column.name}_${numPartitions}`;
  const config = Index.ivfRq({ distanceType: "cosine", numPartitions });
  await commit(() => table.createIndex(column.name, { config, name, replace: true }));
  for (const index of indices) {
    if (index.columns.includes(column.name) && index.name !== name) await commit(() => table.dropIndex(index.name));
  }
}
