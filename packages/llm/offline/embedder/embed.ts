import { wordWeight } from "../text/common-words.ts";
import { stem } from "../text/stem.ts";
import { fold, splitWords } from "../text/words.ts";
import { hash32 } from "./hash.ts";

/** Length of the vectors unless the request asks for another one: more would rank a little better, and cost storage. */
export const OFFLINE_EMBEDDING_DIMENSIONS = 2048;

/** The model's name where the offline provider is used without a key. */
export const OFFLINE_MODEL = "offline";
/**
 * What a ranking by these vectors counts beside one by BM25, which sees the same words and knows how rare they are: the least
 * with which what only they find first is still among the first six. More is worse than BM25 alone on the training questions of SciFact. A
 * model that knows meanings counts as much as BM25.
 */
export const OFFLINE_EMBEDDING_WEIGHT = 0.3;

/** Sequences of so many characters in a word are features, too: they tie compounds and derivations together. */
const GRAM_CHARACTERS = 4;
/** What the grams of a word weigh together, against its stem. */
const GRAM_WEIGHT = 1.2;

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * The lexical embedding of a text: a unit vector of its word stems and of the characters in its words, each hashed with a sign to one
 * of the dimensions (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"). A feature counts by the
 * square root of its frequency and by how much its word says. Texts that share words, or parts of words, are near; a text without
 * any gives a unit vector of its own.
 */
export function lexicalEmbedding(text: string, dimensions = OFFLINE_EMBEDDING_DIMENSIONS): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, { weight, count }] of featuresOf(text)) {
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

function featuresOf(text: string): Map<string, { weight: number; count: number }> {
  const features = new Map<string, { weight: number; count: number }>();
  const add = (feature: string, weight: number) => {
    const known = features.get(feature);
    if (known) known.count++;
    else features.set(feature, { weight, count: 1 });
  };
  for (const word of splitWords(text)) {
    const weight = wordWeight(word);
    if (weight === 0) continue;
    add(`w${stem(word)}`, weight);
    const grams = unspaced.test(word) ? Array.from(word) : gramsOf(word);
    for (const gram of grams) add(`g${gram}`, (weight * GRAM_WEIGHT) / Math.sqrt(grams.length));
  }
  return features;
}

function gramsOf(word: string): string[] {
  const marked = Array.from(`^${word}$`);
  const count = Math.max(0, marked.length - GRAM_CHARACTERS + 1);
  return Array.from({ length: count }, (_, start) => marked.slice(start, start + GRAM_CHARACTERS).join(""));
}
