import type { Table } from "@lancedb/lancedb";
import { MatchQuery } from "@lancedb/lancedb";
import type { RankedChunk } from "../../knowledge-store.ts";
import { maxQuestionTerms, toQuestionTerms } from "../../terms.ts";
import type { ChunkRow } from "../table/rows.ts";
import type { TableDescription, VectorColumn } from "../table/schema.ts";
import { chunkColumns } from "../table/schema.ts";
import { vectorSearchOptions } from "../upkeep/vector-index.ts";

/** A ranked row was deleted, or was moved when small files were merged. */
export class OutdatedRankingError extends Error {
  override readonly name = "OutdatedRankingError";
}

/** The number of rows to rank, and the condition that they must meet. */
export interface RankingScope {
  limit: number;
  condition: string | undefined;
}

/** The words of a question, as a full-text query of one column. */
export interface QuestionWords {
  column: "terms" | "search_text";
  words: string;
}

/** Builds the full-text query with which the engine searches a table for a question. */
export function toQuestionWords(
  question: string,
  { languages, termsAreComplete }: Pick<TableDescription, "languages" | "termsAreComplete">,
): QuestionWords {
  // The index of a table of an earlier version analyses the question itself.
  return termsAreComplete
    ? { column: "terms", words: toQuestionTerms(question, languages).join(" ") }
    : {
        column: "search_text",
        words: [...new Set(question.split(/\s+/).filter(Boolean))].slice(0, maxQuestionTerms).join(" "),
      };
}

/** The rows with the most similar vectors, best first. Reading another column would cost more than the ranking itself. */
export async function rankByMeaning(
  table: Table,
  { column, rows, vector }: { column: VectorColumn; rows: number; vector: Float32Array },
  { limit, condition }: RankingScope,
): Promise<RankedChunk[]> {
  const { nprobes, refineFactor } = vectorSearchOptions(rows, limit);
  const nearest = table.query().nearestTo(vector).column(column.name).distanceType("cosine");
  const query = nearest.nprobes(nprobes).refineFactor(refineFactor).withRowId().select(["_distance"]).limit(limit);
  const found = await (condition === undefined ? query : query.where(condition)).toArrow();
  // Chunks without a vector come last and have no distance.
  return sortByScore(found, "_distance", (distance) => 1 - distance).map(({ key, score }) => ({
    key,
    similarity: score,
  }));
}

/** The rows that share terms with the question, ranked by BM25, best first. */
export async function rankByWords(
  table: Table,
  { column, words }: QuestionWords,
  { limit, condition }: RankingScope,
): Promise<RankedChunk[]> {
  if (words === "") return [];
  const match = table.query().fullTextSearch(new MatchQuery(words, column));
  const query = match.withRowId().select(["_score"]).limit(limit);
  const found = await (condition === undefined ? query : query.where(condition)).toArrow();
  return sortByScore(found, "_score", (score) => score).map(({ key }) => ({ key }));
}

/** Found rows with a score, best first. A tie, for example between copies of a text, goes to the first row in the table, as in memory. */
function sortByScore(found: ArrowTable, column: string, toScore: (value: number) => number) {
  const values = found.getChild(column);
  const scored = getRowIds(found).flatMap((key, position) => {
    const value: number | null = values?.get(position) ?? null;
    return value === null ? [] : [{ key, score: toScore(value) }];
  });
  return scored.sort((one, other) => other.score - one.score || (one.key < other.key ? -1 : 1));
}

/** The rows of ranked chunks, in order. @throws OutdatedRankingError if one is missing */
export async function readRows(table: Table, ranked: readonly RankedChunk[]): Promise<ChunkRow[]> {
  if (ranked.length === 0) return [];
  const query = table.takeRowIds(ranked.map(toRowId)).select([...chunkColumns]);
  const found = (await query.withRowId().toArray()) as (ChunkRow & { _rowid: bigint })[];
  const rows = new Map(found.map((row) => [row._rowid, row]));
  return ranked.map((one) => {
    const row = rows.get(toRowId(one));
    if (!row) throw new OutdatedRankingError();
    return row;
  });
}

/** The key of a ranked chunk is the engine's row id, which is stable as long as the row exists. */
const toRowId = ({ key }: RankedChunk): bigint => key as bigint;

type ArrowTable = Awaited<ReturnType<ReturnType<Table["query"]>["toArrow"]>>;

const getRowIds = (found: ArrowTable): bigint[] => [...(found.getChild("_rowid") ?? [])];
