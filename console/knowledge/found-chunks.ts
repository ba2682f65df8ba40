/** A chunk as a search gave it to the model. */
export interface FoundChunk {
  n: number;
  title?: string;
  content?: string;
}

/** The chunks in a search's result. */
export function foundChunks(result: unknown): FoundChunk[] {
  const { results } = (result ?? {}) as { results?: unknown };
  if (!Array.isArray(results)) return [];
  return results.filter((chunk): chunk is FoundChunk => typeof chunk?.n === "number");
}
