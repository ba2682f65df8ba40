import type { Table } from "@lancedb/lancedb";
import { MatchQuery } from "@lancedb/lancedb";
import type { RankedChunk } from "../knowledge-store.ts";
import type { ChunkRow } from "./rows.ts";
import { chunkColumns } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";
import { probing } from "./vector-index.ts";

/** What was ranked is no more where it was: it was deleted, or moved as small files were merged. */
export class OutdatedRankingError extends Error {
  override readonly name = "OutdatedRankingError";
}

/** How many are ranked, and which: those for which a condition in the engine's SQL holds. */
export interface RankingScope {
  limit: number;
  condition: string | undefined;
}

/** The rows whose vectors are nearest to this one, nearest first. Each column that a ranking reads besides would cost more than ranking. */
export async function rankByMeaning(
  table: Table,
  { column, rows, vector }: { column: VectorColumn; rows: number; vector: Float32Array },
  { limit, condition }: RankingScope,
): Promise<RankedChunk[]> {
  const { nprobes, refineFactor } = probing(rows, limit);
  const nearest = table.query().nearestTo(vector).column(column.name).distanceType("cosine");
  const query = nearest.nprobes(nprobes).refineFactor(refineFactor).withRowId().select(["_distance"]).limit(limit);
  const found = await (condition === undefined ? query : query.where(condition)).toArrow();
  const distances = found.getChild("_distance");
  return rowIdsOf(found).flatMap((key, position) => {
    // Chunks that have no vector yet come last, without a distance.
    const distance: number | null = distances?.get(position) ?? null;
    return distance === null ? [] : [{ key, similarity: 1 - distance }];
  });
}

/** The rows that share words with the query, best first by BM25. */
export async function rankByWords(
  table: Table,
  words: string,
  { limit, condition }: RankingScope,
): Promise<RankedChunk[]> {
  if (words === "") return [];
  const match = table.query().fullTextSearch(new MatchQuery(words, "search_text"));
  const query = match.withRowId().select(["_score"]).limit(limit);
  const found = await (condition === undefined ? query : query.where(condition)).toArrow();
  return rowIdsOf(found).map((key) => ({ key }));
}

/** The chunks' rows, in the order of the keys. @throws OutdatedRankingError when one is not there */
export async function readRows(table: Table, keys: bigint[]): Promise<ChunkRow[]> {
  if (keys.length === 0) return [];
  const found = (await table
    .takeRowIds(keys)
    .select([...chunkColumns])
    .withRowId()
    .toArray()) as (ChunkRow & { _rowid: bigint })[];
  const rows = new Map(found.map((row) => [row._rowid, row]));
  return keys.map((key) => {
    const row = rows.get(key);
    if (!row) throw new OutdatedRankingError();
    return row;
  });
}

/** The key of a ranked chunk is the id of its row. */
export const rowIdOf = ({ key }: RankedChunk): bigint => key as bigint;

/** The ids that the engine gives rows: one names the same row for as long as the row is there. */
export const rowIdsOf = (found: Awaited<ReturnType<ReturnType<Table["query"]>["toArrow"]>>): bigint[] => [
  ...(found.getChild("_rowid") ?? []),
];
