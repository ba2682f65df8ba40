import type { Embedding, KnowledgeStore, Passage, SearchScope } from "../../store/knowledge-store.ts";
import { EmbeddingMismatchError } from "../../store/knowledge-store.ts";

/** The passages nearest to a vector of a model, nearest first. */
export async function findNearest(
  store: KnowledgeStore,
  namespace: string,
  { model, vector }: { model: string; vector: Float32Array },
  scope: SearchScope,
): Promise<{ passage: Passage; similarity: number }[]> {
  const vectorOf = async (stored: Embedding) => {
    if (stored.model === model) return vector;
    throw new EmbeddingMismatchError(namespace, stored, { model, dimension: vector.length });
  };
  const found = await store.search(namespace, { vectorOf }, scope, ({ byMeaning }) => byMeaning);
  return found.map(({ chosen, passage }) => ({ passage, similarity: chosen.similarity ?? Number.NaN }));
}

/** The passages that share words with a query, best first. */
export async function findMatching(
  store: KnowledgeStore,
  namespace: string,
  words: string,
  scope: SearchScope,
): Promise<Passage[]> {
  const found = await store.search(namespace, { words }, scope, ({ byWords }) => byWords);
  return found.map(({ passage }) => passage);
}
