import { commonness } from "../text/common-words.ts";
import { stem } from "../text/stem.ts";
import { splitWords } from "../text/words.ts";
import { hash32 } from "./hash.ts";

/** Length of the vectors unless the request asks for another one. */
export const OFFLINE_EMBEDDING_DIMENSIONS = 1536;

/**
 * The lexical embedding of a text: a unit vector of its word stems, character trigrams and word pairs, each
 * hashed with a sign to one of the dimensions (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask
 * Learning"). A text without any word gives a unit vector that is nearly orthogonal to the others.
 */
export function lexicalEmbedding(text: string, dimensions = OFFLINE_EMBEDDING_DIMENSIONS): Float32Array {
  const features = new Map<string, number>();
  const add = (feature: string, weight: number) => features.set(feature, (features.get(feature) ?? 0) + weight);
  let previous = "";
  for (const word of splitWords(text)) {
    const root = stem(word);
    const weight = commonness(word);
    add(`w${root}`, weight);
    if (previous) add(`p${previous} ${root}`, 0.3 * weight);
    previous = root;
  }
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of features) {
    const hash = hash32(feature);
    const slot = hash % dimensions;
    vector[slot] = (vector[slot] ?? 0) + (hash >>> 31 ? -1 : 1) * Math.sqrt(weight);
  }
  if (features.size === 0) vector[hash32(text) % dimensions] = 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
