import type { RankedChunk, SearchScope } from "../knowledge-store.ts";
import { getOrdinarySimilarity } from "../ordinary-similarity.ts";
import { bm25 } from "../terms.ts";
import type { Query } from "./database/database.ts";
import { Conditions } from "./documents.ts";
import { listFilterKeys, toLexeme, weightedFrequencies } from "./keys.ts";
import type { StoredEmbedding, StoredNamespace } from "./namespaces.ts";
import { toIndexedVector } from "./vector-index.ts";
import { encodeVector } from "./vectors.ts";

/** Maximum number of vectors to compare directly. This takes about as long as searching an index. */
const maxComparedChunks = 5_000;

const { k1, b } = bm25;
/** ts_rank divides the weight of a single position by this, which is the limit of the sum of 1/i². Weights are at most 1. */
const rankDivisor = Math.PI ** 2 / 6;
const frequencyDivisor = 10;
const frequencyArray = `'{${weightedFrequencies.map((frequency) => frequency / frequencyDivisor).join(",")}}'`;

/** Numbers of documents, and of chunks of all of them together, in the sample for the ordinary similarity. */
const sampledDocuments = 16;
const sampledChunks = 64;

type Scope = Pick<SearchScope, "limit" | "filter">;

interface RankedRow {
  document_pk: string;
  chunk: number;
  similarity: number;
}

const toRanked = ({ document_pk, chunk }: Pick<RankedRow, "document_pk" | "chunk">): RankedChunk => ({
  key: `${document_pk} ${chunk}`,
});

/** The chunks with the most similar vectors, best first. */
export async function rankByMeaning(
  query: Query,
  stored: StoredNamespace,
  vector: Float32Array,
  scope: Scope,
): Promise<RankedChunk[]> {
  let rows: RankedRow[] = [];
  if (stored.embedding.hasIndex && !(await hasFewChunks(query, stored.id, scope.filter)))
    rows = await compare(query, stored, vector, { ...scope, isIndexed: true });
  // The index gives up if hardly any chunk meets the filter.
  if (rows.length < scope.limit) rows = await compare(query, stored, vector, { ...scope, isIndexed: false });
  // A zero vector has no direction.
  const ranked = rows.map((row) => ({
    ...toRanked(row),
    similarity: Number.isNaN(row.similarity) ? 0 : row.similarity,
  }));
  return ranked.sort((one, other) => other.similarity - one.similarity);
}

async function compare(
  query: Query,
  { id, embedding }: StoredNamespace,
  vector: Float32Array,
  { limit, filter, isIndexed }: Scope & { isIndexed: boolean },
): Promise<RankedRow[]> {
  const conditions = new Conditions(encodeVector(vector), limit);
  conditions.addKeys(listFilterKeys(id, filter));
  const distance = isIndexed ? toIndexedDistance(embedding) : "embedding <=> $1::vector";
  // The embedding's number is part of the statement, because each index covers only one embedding.
  const nearest = `
     SELECT document_pk, chunk, 1 - (embedding <=> $1::vector) AS similarity
     FROM vectors JOIN documents ON pk = document_pk
     WHERE embedding_id = ${Number(embedding.id)} AND namespace_id = ${Number(id)} AND is_whole${conditions}
     ORDER BY ${distance} LIMIT $2`;
  // The planner would prefer to sort, because it doesn't know how many vectors an embedding has.
  const [, { rows }] = await Promise.all([
    query(`SET LOCAL enable_sort = ${isIndexed ? "off" : "on"}`),
    query<RankedRow>(nearest, conditions.values),
    query("SET LOCAL enable_sort = on"),
  ]);
  return rows;
}

const toIndexedDistance = (embedding: StoredEmbedding): string =>
  `${toIndexedVector("embedding", embedding)} <=> ${toIndexedVector("$1", embedding)}`;

/** Whether so few chunks meet the filter that comparing all of them is fast. */
async function hasFewChunks(query: Query, namespaceId: string, filter: Scope["filter"]): Promise<boolean> {
  const keys = listFilterKeys(namespaceId, filter);
  if (keys.length === 0) return false;
  const conditions = new Conditions(namespaceId);
  conditions.addKeys(keys);
  const { rows } = await query<{ chunks: string }>(
    `SELECT coalesce(sum(chunks), 0) AS chunks FROM documents WHERE namespace_id = $1 AND is_whole${conditions}`,
    conditions.values,
  );
  return Number(rows[0]?.chunks) <= maxComparedChunks;
}

/** The chunks that share terms with a question, ranked by BM25, best first. */
export async function rankByWords(
  query: Query,
  namespaceId: string,
  terms: readonly string[],
  { limit, filter }: Scope,
): Promise<RankedChunk[]> {
  if (terms.length === 0) return [];
  const conditions = new Conditions(
    terms.map((term) => toLexeme(namespaceId, term)),
    limit,
    namespaceId,
  );
  conditions.addKeys(listFilterKeys(namespaceId, filter));
  const frequency = `ts_rank(${frequencyArray}, terms, asked::tsquery) * ${rankDivisor * frequencyDivisor}`;
  // OFFSET 0 makes the planner look up terms one by one, and then documents. The planner doesn't know how many rows a namespace has.
  const { rows } = await query<RankedRow>(
    `WITH total AS (
       SELECT sum(chunks)::float AS chunks, sum(term_count)::float / sum(chunks) AS length
       FROM documents WHERE namespace_id = $3 AND is_whole
     ), found AS MATERIALIZED (
       SELECT document_pk, chunk, length, frequency, (true${conditions}) AS is_wanted,
         count(*) OVER (PARTITION BY asked) AS matches
       FROM unnest($1::text[]) AS asked CROSS JOIN LATERAL (
         SELECT document_pk, chunk, length, ${frequency} AS frequency FROM chunks WHERE terms @@ asked::tsquery OFFSET 0
       ) AS having_term CROSS JOIN LATERAL (
         SELECT namespace_id, is_whole, keys FROM documents WHERE pk = document_pk OFFSET 0
       ) AS its_document
       WHERE namespace_id = $3 AND is_whole
     )
     SELECT document_pk, chunk, sum(
       ln((total.chunks - matches + 0.5) / (matches + 0.5) + 1) * ${k1 + 1} * frequency
       / (frequency + ${k1} * (${1 - b} + ${b} * found.length / total.length))) AS score
     FROM found, total WHERE is_wanted
     GROUP BY document_pk, chunk ORDER BY score DESC, document_pk, chunk LIMIT $2`,
    conditions.values,
  );
  return rows.map(toRanked);
}

/**
 * The similarity of an ordinary chunk, from a sample. Documents are sampled in the order of their hashes, so they come from all over
 * the namespace.
 */
export async function readOrdinarySimilarity(
  query: Query,
  { id, embedding }: StoredNamespace,
  vector: Float32Array,
): Promise<number> {
  const { rows } = await query<{ similarity: number }>(
    `SELECT 1 - (embedding <=> $1::vector) AS similarity
     FROM (
       SELECT pk, count(*) OVER () AS documents FROM (
         SELECT pk FROM documents WHERE namespace_id = $2 AND is_whole ORDER BY hash LIMIT ${sampledDocuments}
       ) AS first
     ) AS sample CROSS JOIN LATERAL (
       SELECT embedding FROM vectors WHERE document_pk = pk AND embedding_id = ${Number(embedding.id)}
       ORDER BY chunk LIMIT ceil(${sampledChunks}.0 / documents)::integer
     ) AS sampled`,
    [encodeVector(vector), id],
  );
  return getOrdinarySimilarity(Float32Array.from(rows, ({ similarity }) => similarity));
}
