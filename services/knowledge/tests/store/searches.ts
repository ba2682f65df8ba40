import type { Embedding, FoundChunk } from "../../store/document.ts";
import { EmbeddingMismatchError } from "../../store/errors.ts";
import type { KnowledgeStore, SearchScope } from "../../store/knowledge-store.ts";

/** The chunks nearest to a vector of a model, nearest first. */
export async function findNearest(
  store: KnowledgeStore,
  namespace: string,
  { model, vector }: { model: string; vector: Float32Array },
  scope: SearchScope,
): Promise<{ chunk: FoundChunk; similarity: number }[]> {
  const vectorOf = async (stored: Embedding) => {
    if (stored.model === model) return vector;
    throw new EmbeddingMismatchError(namespace, stored, { model, dimension: vector.length });
  };
  const found = await store.search(namespace, { vectorOf }, scope, ({ byMeaning }) => byMeaning);
  return found.map(({ chosen, chunk }) => ({ chunk, similarity: chosen.similarity ?? Number.NaN }));
}

/** The chunks that share words with a query, best first. */
export async function findMatching(
  store: KnowledgeStore,
  namespace: string,
  words: string,
  scope: SearchScope,
): Promise<FoundChunk[]> {
  const found = await store.search(namespace, { words }, scope, ({ byWords }) => byWords);
  return found.map(({ chunk }) => chunk);
}
