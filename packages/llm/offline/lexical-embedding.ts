import { fold, splitPairs, splitWords, unspacedScript } from "@agent-backends/language";
import { getWordWeight } from "./text/common-words.ts";
import { stem } from "./text/stem.ts";

/** Default length of the vectors. Longer vectors rank slightly better, and take more storage. */
export const offlineEmbeddingDimensions = 2048;

/** Length of the character n-grams, which make compounds and derivations similar to their parts. */
const gramCharacters = 4;
/** Total weight of a word's n-grams, relative to the weight of its stem. */
const gramWeight = 1.2;

/**
 * Computes a lexical embedding: a unit vector of the text's word stems and character n-grams, each hashed with a sign to one dimension
 * (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"). A feature's weight is the square root of its frequency
 * times the weight of its word. A text without words gets its own vector.
 */
export function lexicalEmbedding(text: string, dimensions = offlineEmbeddingDimensions): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, { weight, count }] of countFeatures(text)) {
    const hash = hash32(feature);
    const slot = hash % dimensions;
    vector[slot] = (vector[slot] ?? 0) + (hash >>> 31 ? -1 : 1) * weight * Math.sqrt(count);
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) {
    vector[hash32(fold(text)) % dimensions] = 1;
    return vector;
  }
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

function countFeatures(text: string): Map<string, { weight: number; count: number }> {
  const features = new Map<string, { weight: number; count: number }>();
  const add = (feature: string, weight: number) => {
    const known = features.get(feature);
    if (known) known.count++;
    else features.set(feature, { weight, count: 1 });
  };
  for (const word of splitWords(fold(text)).flatMap(splitPairs)) {
    const weight = getWordWeight(word);
    if (weight === 0) continue;
    add(`w${stem(word)}`, weight);
    const grams = unspacedScript.test(word) ? Array.from(word) : splitGrams(word);
    for (const gram of grams) add(`g${gram}`, (weight * gramWeight) / Math.sqrt(grams.length));
  }
  return features;
}

function splitGrams(word: string): string[] {
  const marked = Array.from(`^${word}$`);
  const count = Math.max(0, marked.length - gramCharacters + 1);
  return Array.from({ length: count }, (_, start) => marked.slice(start, start + gramCharacters).join(""));
}

/** 32-bit FNV-1a over UTF-16 code units, with murmur3's finaliser because FNV's low bits are unevenly distributed. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
