import type { Table } from "@lancedb/lancedb";
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
 * Gives a column the index that fits the table's size: none for a small table; IVF with RaBitQ codes (Gao and Long,
 * SIGMOD 2024) for a large one. The index's name tells its partitions, so that it is known when they are too few.
 */
export async function ensureVectorIndex(table: Table, column: VectorColumn): Promise<void> {
  const rows = await table.countRows();
  if (rows < indexedFromRows) return;
  const existing = (await table.listIndices()).filter(({ columns }) => columns.includes(column.name));
  const partitions = Math.max(...existing.map(({ name }) => Number(/_(\d+)$/.exec(name)?.[1] ?? 0)));
  const numPartitions = Math.round(rows / rowsOfPartition);
  if (existing.length > 0 && numPartitions < growthBeforeRetraining * partitions) return;
  const name = `${column.name}_${numPartitions}`;
  const config = Index.ivfRq({ distanceType: "cosine", numPartitions });
  await table.createIndex(column.name, { config, name, replace: true });
  for (const index of existing) if (index.name !== name) await table.dropIndex(index.name);
}
