import type { SearchFilter } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import type { Texts, VectorMemory } from "@agent-backends/llm";
import type { Embedding, FoundChunk } from "../store/document.ts";
import type { ChunkSearch, RankedChunk, Rankings } from "../store/knowledge-store.ts";
import { rankConstant } from "./fuse-rankings.ts";

/** Turns texts into vectors, in their order. */
export interface Embedder {
  /** The model of new namespaces; one that has vectors of another model keeps to that one until it is reindexed. */
  model: string;
  /** @param memory where the vectors may be put, one behind the other */
  embed(texts: Texts, signal: AbortSignal, model: string, memory?: VectorMemory): Promise<Float32Array[]>;
  /** What a ranking by the model's vectors counts beside one by words: 1 unless it is known to be worse. */
  weightOf?(model: string): number;
}

export interface Hit extends FoundChunk {
  /** 0…1: 1 for the chunk that is first in both rankings. */
  score: number;
  /** Cosine of the question's and the chunk's vectors; absent where the chunk was found by its words alone. */
  similarity?: number;
}

/** How many of each ranking are fused: more than are asked for, since the best of both may be far down in one. */
const candidatesAtLeast = 25;
/**
 * Searches one namespace by meaning (vectors) and by words (BM25), and fuses the two rankings by reciprocal rank.
 *
 * @returns at most `limit` hits, best first; none for an unknown namespace
 * @throws EmbeddingMismatchError, and what the embedder throws
 */
export async function searchNamespace(
  needs: SearchNeeds,
  { query, ...search }: NamespaceSearch & { query: string },
): Promise<Hit[]> {
  const [hits = []] = await searchForEach(needs, { ...search, queries: [query] });
  return hits;
}

/** Searches one namespace for several queries, whose vectors are asked for together. @returns the hits of each */
export async function searchForEach(
  { store, embedder }: SearchNeeds,
  { namespace, queries, limit, filter, caller }: NamespaceSearch & { queries: readonly string[] },
): Promise<Hit[][]> {
  const vectors = new Map<string, Promise<Float32Array[]>>();
  const vectorsBy = (model: string) => {
    const asked = vectors.get(model) ?? embedder.embed([...queries], caller.signal, model);
    vectors.set(model, asked);
    return asked;
  };
  const scope = { limit: Math.max(candidatesAtLeast, 2 * limit), filter, caller };
  const choose = (rankings: Rankings) =>
    fuse(rankings, embedder.weightOf?.(rankings.embedding.model) ?? 1).slice(0, limit);
  return Promise.all(
    queries.map(async (words, position) => {
      const vectorOf = async ({ model }: Embedding) => (await vectorsBy(model))[position] ?? new Float32Array();
      const found = await store.search(namespace, { words, vectorOf }, scope, choose);
      return found.map(({ chunk, chosen: { score, similarity } }) => {
        return { ...chunk, score, ...(similarity !== undefined && { similarity }) };
      });
    }),
  );
}

/** For whom a search is made, until the signal aborts. */
export type SearchCaller = Caller & { signal: AbortSignal };

interface SearchNeeds {
  store: ChunkSearch;
  embedder: Embedder;
}

interface NamespaceSearch {
  namespace: string;
  limit: number;
  filter?: SearchFilter | undefined;
  caller: SearchCaller;
}

interface Scored extends RankedChunk {
  score: number;
}

function fuse({ byMeaning, byWords }: Rankings, weightOfMeaning: number): Scored[] {
  const fused = new Map<RankedChunk["key"], Scored>();
  const bestScore = (1 + weightOfMeaning) / (rankConstant + 1);
  const add = (position: number, weight: number, ranked: RankedChunk) => {
    const scored = fused.get(ranked.key) ?? { ...ranked, score: 0 };
    // Sums of fractions may end a hair above the whole.
    scored.score = Math.min(1, scored.score + weight / (rankConstant + position + 1) / bestScore);
    fused.set(ranked.key, scored);
  };
  for (const [position, ranked] of byMeaning.entries()) add(position, weightOfMeaning, ranked);
  for (const [position, ranked] of byWords.entries()) add(position, 1, ranked);
  return [...fused.values()].sort((one, other) => other.score - one.score);
}
