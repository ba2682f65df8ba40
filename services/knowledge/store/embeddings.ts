import type { DocumentPart, Embedding, NewDocument } from "./document.ts";
import { EmbeddingMismatchError } from "./errors.ts";
import type { Question } from "./knowledge-store.ts";

/** The model of a document's vectors, with the dimension that those of its first part have. */
export const toEmbedding = ({ embeddingModel: model }: NewDocument, { chunks }: DocumentPart): Embedding => {
  return { model, dimension: chunks[0]?.vector.length ?? 0 };
};

/** Why vectors of the two can't be compared; undefined when they can. */
export function findMismatch(
  namespace: string,
  stored: Embedding,
  given: Embedding,
): EmbeddingMismatchError | undefined {
  if (stored.model === given.model && stored.dimension === given.dimension) return undefined;
  return new EmbeddingMismatchError(namespace, stored, given);
}

/** @throws EmbeddingMismatchError */
export function requireEmbedding(namespace: string, stored: Embedding, given: Embedding): void {
  const mismatch = findMismatch(namespace, stored, given);
  if (mismatch) throw mismatch;
}

/** Checks vectors that are about to be stored. */
export function requireDimension(vectors: readonly Float32Array[], dimension: number): void {
  for (const { length } of vectors) {
    if (length !== dimension) throw new Error(`A vector has ${length} dimensions instead of ${dimension}.`);
  }
}

/** The vector of a question, if it can be made. @throws EmbeddingMismatchError, and what making it throws */
export async function makeVector(
  namespace: string,
  question: Question,
  { model, dimension }: Embedding,
): Promise<Float32Array | undefined> {
  const vector = await question.getVector?.({ model, dimension });
  if (vector) requireEmbedding(namespace, { model, dimension }, { model, dimension: vector.length });
  return vector;
}
