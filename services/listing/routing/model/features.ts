import { listingActions } from "@agent-backends/contract";
import { hexColor } from "../findings/counts.ts";
import { conceptNames } from "../languages/index.ts";
import type { Reading, SentenceReading } from "../reading.ts";
import type { Place } from "../text/chart.ts";
import { overlaps } from "../text/chart.ts";

/** Maximum number of weights of all classes. Each is a character of weights.json, which stays below 300 kB. */
const maxWeights = 294_486;

/** Number of weights per class: the actions and `follow_up`. Features with the same hash share a weight. */
export const bucketCount = Math.floor(maxWeights / (listingActions.length + 1));

/**
 * The model's input for a message: indexes of weights, in three groups. An index may occur more than once. Each group has the same vector
 * length, so that a long message doesn't count more than a short one: see {@link toValue}.
 */
export type Features = readonly (readonly number[])[];

/** Value of each feature in a group. */
export const toValue = (group: readonly number[]): number => 1 / Math.sqrt(Math.max(1, group.length));

/** Ids of findings other than concepts, which are hashes. */
const lengthClass = 3;
const edge = 10;
const signs = new Map(Array.from('?!"\ue000\ue001\ue002\ue003\ue004', (sign, index) => [sign, 20 + index]));

const marks = { hidden: "\ue000", time: "\ue001", limit: "\ue002", future: "\ue003", filter: "\ue004" };
const token = /[\ue000-\ue004]|[\p{L}\p{M}\p{N}'_]+|[^\s\p{L}\p{M}\p{N}'_¿¡]/gu;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const maxGram = 5;
const maxWordLength = 24;

/**
 * The features of a message: the concepts in it, its words, and pieces of its words, which cover forms and typing errors that no list has.
 */
export function toFeatures(reading: Reading, sentences: readonly SentenceReading[] = reading.sentences): Features {
  const { text, places } = markFindings(reading, sentences);
  const found = new Set<number>();
  for (let start = 0; start < text.length; start++) {
    for (const { category, end } of reading.chart.at(start)) {
      const id = concepts.get(category);
      if (id === undefined || end === start) continue;
      if (!places.some((place) => overlaps({ start, end }, place))) found.add(id);
    }
  }
  for (const [sign, id] of signs) if (text.includes(sign)) found.add(id);
  const tokens = text.match(token) ?? [];
  found.add(lengthClass + (tokens.length < 3 ? 0 : tokens.length < 6 ? 1 : tokens.length < 12 ? 2 : 3));
  const sorted = [...found].sort((one, other) => one - other);
  return [toFindingFeatures(sorted), toWordFeatures(tokens), toPieceFeatures(tokens)];
}

/** The sentences' text, with marks for what was found in it, at the original positions. */
function markFindings(reading: Reading, sentences: readonly SentenceReading[]): { text: string; places: Place[] } {
  const places: Place[] = [];
  let text = "";
  const hide = (place: Place | undefined, mark: string): void => {
    if (place === undefined || place.start >= text.length) return;
    places.push(place);
    text = text.slice(0, place.start) + mark.padEnd(place.end - place.start) + text.slice(place.end);
  };
  for (const { place, text: sentence } of sentences) {
    places.push({ start: text.length, end: place.start });
    // A list of colours says no more than one of them.
    const words = sentence.replaceAll(hexColor, (color) => " ".repeat(color.length));
    text = text.padEnd(place.start) + words + (place.isQuestion ? "?" : place.isExclamation ? "!" : "");
  }
  hide(reading.timezone, marks.hidden);
  for (const filter of reading.filters.places) hide(filter, marks.filter);
  for (const { time, limit, isFuture } of sentences) {
    hide(time, isFuture ? marks.future : marks.time);
    hide(limit, marks.limit);
  }
  return { text, places };
}

/** Each finding, and each pair of adjacent findings. */
function toFindingFeatures(found: readonly number[]): number[] {
  const hashes: number[] = [];
  for (const [index, one] of found.entries()) {
    hashes.push(hashFeature(1, one));
    for (let next = index + 1; next < found.length; next++) hashes.push(hashFeature(2, one, found[next]));
  }
  return hashes;
}

/** Each word alone, and with the next word. */
function toWordFeatures(tokens: readonly string[]): number[] {
  const hashes: number[] = [];
  let last = edge;
  for (const one of [...tokens.map(hashText), edge]) {
    hashes.push(hashFeature(3, one), hashFeature(4, last, one));
    last = one;
  }
  return hashes;
}

/** Pieces of three to five characters of a word. In scripts without spaces, one to five. */
function toPieceFeatures(tokens: readonly string[]): number[] {
  const hashes: number[] = [];
  for (const word of tokens) {
    const isUnspaced = unspaced.test(word);
    if (word.length < 2 && !isUnspaced) continue;
    const text = isUnspaced ? word : `<${word.slice(0, maxWordLength)}>`;
    for (let from = 0; from < text.length; from++) {
      let piece = offset;
      for (let at = from; at < Math.min(text.length, from + maxGram); at++) {
        piece = Math.imul(piece ^ text.charCodeAt(at), prime);
        if (isUnspaced || at >= from + 2) hashes.push(mix(piece) % bucketCount);
      }
    }
  }
  return hashes;
}

// FNV-1a with the final steps of MurmurHash3.
const offset = 0x811c9dc5;
const prime = 0x01000193;

/** Mixes the bits of a hash. */
export function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  // Integers below 2^30 are fastest.
  return (mixed ^ (mixed >>> 16)) >>> 2;
}

function hashFeature(kind: number, one: number, two = 0): number {
  let value = Math.imul(offset ^ kind, prime);
  value = Math.imul(value ^ one, prime) ^ (one >>> 13);
  return mix(Math.imul(value ^ two, prime) ^ (two >>> 13)) % bucketCount;
}

function hashText(text: string): number {
  let value = offset;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), prime);
  return mix(value);
}

/** Ids of concepts. They depend on the names alone, so that a new concept changes no features of messages without it. */
const concepts = new Map([...conceptNames].map((name) => [name, hashText(name)]));
