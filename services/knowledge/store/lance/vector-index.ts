import type { IndexConfig, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import { commit } from "./commit.ts";
import type { VectorColumn } from "./vector-columns.ts";

/** Below this many chunks looking at each of them is as fast as an index, and exact. */
export const indexedFromRows = 5_000;
/**
 * The size that the engine holds an index's partitions to: as it takes new rows in, it joins those of less than a quarter of this
 * and splits those of more than four times this. Smaller ones would last until then, and then become a few large ones.
 */
const rowsOfPartition = 4_096;
/** An index is made anew when its table has grown to so many times the size for which its partitions were made. */
const growthBeforeRetraining = 4;

/** A search looks into this share of the partitions. */
const shareOfPartitionsProbed = 1 / 12;
const probesAtLeast = 8;
/** So many candidates are compared by their whole vectors, since the index knows them roughly. */
const candidatesRefined = 100;
const refineFactorAtMost = 10;

/** How a search of so many neighbours uses the index; without one this has no effect. */
export function probing(rows: number, limit: number): { nprobes: number; refineFactor: number } {
  return {
    nprobes: Math.max(probesAtLeast, Math.ceil((rows / rowsOfPartition) * shareOfPartitionsProbed)),
    refineFactor: Math.min(refineFactorAtMost, Math.max(2, Math.ceil(candidatesRefined / limit))),
  };
}

/**
 * Each time new rows are indexed they get a delta index of their own, which every search looks into for 0.3 ms. An index with more
 * of them is made anew in a quiet moment. That takes 0.1 s for 1,000 rows, so a large table, whose searches take longer anyway,
 * may have more.
 */
const maxDeltaIndices = 4;
const rowsPerDeltaIndex = 50_000;
/** An index with this many times as many doesn't wait for a quiet moment. */
const deltaIndicesFactor = 6;

export const maxDeltaIndicesOf = (rows: number): number =>
  Math.min(maxDeltaIndices, Math.max(1, Math.round(rows / rowsPerDeltaIndex)));

/** Whether an index fits its table's size; or has too many deltas; or doesn't fit, or is missing. */
export type VectorIndexState = "current" | "fragmented" | "outdated";

/** The number of partitions is in the index's name, so that it is known when they are too few. */
const partitionsOf = ({ name }: IndexConfig): number => Number(/_(\d+)$/.exec(name)?.[1] ?? 0);

const partitionsFor = (rows: number): number => Math.round(rows / rowsOfPartition);

export function vectorIndexState(
  indices: readonly IndexConfig[],
  column: VectorColumn,
  rows: number,
): VectorIndexState {
  if (rows < indexedFromRows) return "current";
  const existing = indices.filter(({ columns }) => columns.includes(column.name));
  const partitions = Math.max(0, ...existing.map(partitionsOf));
  if (existing.length === 0 || partitionsFor(rows) >= growthBeforeRetraining * partitions) return "outdated";
  const deltas = Math.max(...existing.map(({ numSegments = 1 }) => numSegments - 1));
  if (deltas <= maxDeltaIndicesOf(rows)) return "current";
  return deltas > deltaIndicesFactor * maxDeltaIndicesOf(rows) ? "outdated" : "fragmented";
}

/**
 * Gives a column the index that fits the table's size: none for a small table; IVF with RaBitQ codes (Gao and Long,
 * SIGMOD 2024) for a large one.
 */
export async function ensureVectorIndex(table: Table, column: VectorColumn): Promise<void> {
  const [rows, indices] = await Promise.all([table.countRows(), table.listIndices()]);
  if (vectorIndexState(indices, column, rows) === "current") return;
  const numPartitions = partitionsFor(rows);
  const name = `${column.name}_${numPartitions}`;
  const config = Index.ivfRq({ distanceType: "cosine", numPartitions });
  await commit(() => table.createIndex(column.name, { config, name, replace: true }));
  for (const index of indices) {
    if (index.columns.includes(column.name) && index.name !== name) await commit(() => table.dropIndex(index.name));
  }
}
