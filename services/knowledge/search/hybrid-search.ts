import type { KnowledgeStore, Passage } from "../store/knowledge-store.ts";

/** Turns texts into vectors of one model, in their order. */
export interface Embedder {
  /** The name under which vectors are told apart: those of another model can't be compared. */
  model: string;
  embed(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
}

export interface Hit extends Passage {
  /** 0…1: 1 for the passage that is first in both rankings. */
  score: number;
  /** Cosine of the question's and the passage's vectors; absent where the passage was found by its words alone. */
  similarity?: number;
}

/** How many of each ranking are fused: more than are asked for, since the best of both may be far down in one. */
const candidatesAtLeast = 50;
/** The constant of reciprocal rank fusion, as in Cormack, Clarke and Büttcher (SIGIR 2009). */
const rankConstant = 60;
const bestFusedScore = 2 / (rankConstant + 1);

/**
 * Searches one namespace by meaning (vectors) and by words (BM25), and fuses the two rankings by reciprocal rank.
 *
 * @returns at most `limit` hits, best first; none for an unknown namespace
 * @throws EmbeddingMismatchError, and what the embedder throws
 */
export async function searchNamespace(
  { store, embedder }: { store: KnowledgeStore; embedder: Embedder },
  { namespace, query, limit, signal }: { namespace: string; query: string; limit: number; signal: AbortSignal },
): Promise<Hit[]> {
  if (!(await store.exists(namespace))) return [];
  const candidates = Math.max(candidatesAtLeast, 2 * limit);
  const [byMeaning, byWords] = await Promise.all([
    embedder.embed([query], signal).then(([vector = new Float32Array()]) => {
      return store.nearest(namespace, { model: embedder.model, vector }, candidates);
    }),
    store.matching(namespace, query, candidates),
  ]);
  return fuse(byMeaning, byWords).slice(0, limit);
}

function fuse(byMeaning: { passage: Passage; similarity: number }[], byWords: Passage[]): Hit[] {
  const hits = new Map<string, Hit>();
  const add = (rank: number, passage: Passage, similarity?: number) => {
    const key = `${passage.document.id}:${passage.index}`;
    const hit = hits.get(key) ?? { ...passage, score: 0, ...(similarity !== undefined && { similarity }) };
    hit.score += 1 / (rankConstant + rank) / bestFusedScore;
    hits.set(key, hit);
  };
  for (const [position, { passage, similarity }] of byMeaning.entries()) add(position + 1, passage, similarity);
  for (const [position, passage] of byWords.entries()) add(position + 1, passage);
  return [...hits.values()].sort((one, other) => other.score - one.score);
}
