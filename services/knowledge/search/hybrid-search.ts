import type { SearchFilter } from "@agent-backends/contract";
import type { KnowledgeStore, Passage } from "../store/knowledge-store.ts";
import { EmbeddingMismatchError } from "../store/knowledge-store.ts";
import { rankConstant } from "./fuse-rankings.ts";

/** Turns texts into vectors, in their order. */
export interface Embedder {
  /** The model of new namespaces; one that has vectors of another model keeps to that one until it is reindexed. */
  model: string;
  embed(texts: string[], signal: AbortSignal, model: string): Promise<Float32Array[]>;
  /** What a ranking by the model's vectors counts beside one by words: 1 unless it is known to be worse. */
  weightOf?(model: string): number;
}

export interface Hit extends Passage {
  /** 0…1: 1 for the passage that is first in both rankings. */
  score: number;
  /** Cosine of the question's and the passage's vectors; absent where the passage was found by its words alone. */
  similarity?: number;
}

/** How many of each ranking are fused: more than are asked for, since the best of both may be far down in one. */
const candidatesAtLeast = 50;
/**
 * Searches one namespace by meaning (vectors) and by words (BM25), and fuses the two rankings by reciprocal rank.
 *
 * @returns at most `limit` hits, best first; none for an unknown namespace
 * @throws EmbeddingMismatchError, and what the embedder throws
 */
export async function searchNamespace(needs: SearchNeeds, search: NamespaceSearch): Promise<Hit[]> {
  try {
    return await searchOnce(needs, search);
  } catch (error) {
    // The namespace was reindexed after its model had been looked up.
    if (error instanceof EmbeddingMismatchError) return searchOnce(needs, search);
    throw error;
  }
}

interface SearchNeeds {
  store: KnowledgeStore;
  embedder: Embedder;
}

interface NamespaceSearch {
  namespace: string;
  query: string;
  limit: number;
  filter?: SearchFilter | undefined;
  signal: AbortSignal;
}

async function searchOnce(
  { store, embedder }: SearchNeeds,
  { namespace, query, limit, filter, signal }: NamespaceSearch,
): Promise<Hit[]> {
  const embedding = await store.embeddingOf(namespace);
  if (!embedding) return [];
  const { model } = embedding;
  const scope = { limit: Math.max(candidatesAtLeast, 2 * limit), filter };
  const [byMeaning, byWords] = await Promise.all([
    embedder.embed([query], signal, model).then(([vector = new Float32Array()]) => {
      return store.nearest(namespace, { model, vector }, scope);
    }),
    store.matching(namespace, query, scope),
  ]);
  return fuse(byMeaning, byWords, embedder.weightOf?.(model) ?? 1).slice(0, limit);
}

function fuse(
  byMeaning: { passage: Passage; similarity: number }[],
  byWords: Passage[],
  weightOfMeaning: number,
): Hit[] {
  const hits = new Map<string, Hit>();
  const bestScore = (1 + weightOfMeaning) / (rankConstant + 1);
  const add = (position: number, weight: number, passage: Passage, similarity?: number) => {
    const key = `${passage.document.id}:${passage.index}`;
    const hit = hits.get(key) ?? { ...passage, score: 0, ...(similarity !== undefined && { similarity }) };
    // Sums of fractions may end a hair above the whole.
    hit.score = Math.min(1, hit.score + weight / (rankConstant + position + 1) / bestScore);
    hits.set(key, hit);
  };
  for (const [position, { passage, similarity }] of byMeaning.entries()) {
    add(position, weightOfMeaning, passage, similarity);
  }
  for (const [position, passage] of byWords.entries()) add(position, 1, passage);
  return [...hits.values()].sort((one, other) => other.score - one.score);
}
