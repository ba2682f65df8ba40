import type { IndexConfig, Table } from "@lancedb/lancedb";
import { Index } from "@lancedb/lancedb";
import type { VectorColumn } from "./vector-columns.ts";

/** Below this many passages looking at each of them is as fast as an index, and exact. */
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
 * Each time new rows are indexed they get a delta index of their own, which every search looks into for 0.3 ms. Above this number
 * the index is made anew, which takes 0.07 s for 1,000 rows: a large table, whose searches take longer anyway, may have more.
 */
const maxDeltaIndices = 4;
const rowsPerDeltaIndex = 25_000;

export const maxDeltaIndicesOf = (rows: number): number =>
  Math.min(maxDeltaIndices, Math.max(1, Math.round(rows / rowsPerDeltaIndex)));

/** The number of partitions is in the index's name, so that it is known when they are too few. */
const partitionsOf = ({ name }: IndexConfig): number => Number(/_(\d+)$/.exec(name)?.[1] ?? 0);

const partitionsFor = (rows: number): number => Math.round(rows / rowsOfPartition);

/** Whether a column lacks the index that fits the table's size, or has one in too many pieces. */
export function isVectorIndexOutdated(indices: readonly IndexConfig[], column: VectorColumn, rows: number): boolean {
  if (rows < indexedFromRows) return false;
  const existing = indices.filter(({ columns }) => columns.includes(column.name));
  const partitions = Math.max(0, ...existing.map(partitionsOf));
  const deltas = Math.max(0, ...existing.map(({ numSegments = 1 }) => numSegments - 1));
  const hasGrown = partitionsFor(rows) >= growthBeforeRetraining * partitions;
  return existing.length === 0 || hasGrown || deltas > maxDeltaIndicesOf(rows);
}

/**
 * Gives a column the index that fits the table's size: none for a small table; IVF with RaBitQ codes (Gao and Long,
 * SIGMOD 2024) for a large one.
 */
export async function ensureVectorIndex(table: Table, column: VectorColumn): Promise<void> {
  const [rows, indices] = await Promise.all([table.countRows(), table.listIndices()]);
  if (!isVectorIndexOutdated(indices, column, rows)) return;
  const numPartitions = partitionsFor(rows);
  const name = `${column.name}_${numPartitions}`;
  const config = Index.ivfRq({ distanceType: "cosine", numPartitions });
  await table.createIndex(column.name, { config, name, replace: true });
  for (const index of indices) {
    if (index.columns.includes(column.name) && index.name !== name) await table.dropIndex(index.name);
  }
}
