import { hash } from "node:crypto";
import type { SearchFilter } from "@agent-backends/contract";
import type { DocumentSource } from "../document.ts";
import { listFieldKeys, toFieldKeys } from "../filter-keys.ts";
import { listSpellings } from "../source-spellings.ts";

/**
 * The keys and terms by which documents and chunks are found are digests that include the namespace. So only searches of the same
 * tenant can match an index entry, its size doesn't depend on the length of the text, and it reveals nothing once the document is
 * deleted.
 */

/** Length of a term's digest. With 48 bits, one in a million questions matches one wrong chunk in a billion terms. */
const termCharacters = 8;
/** Length of a key's digest, which equals that of a UUID. */
const keyCharacters = 32;

/** Weights of a position in a tsvector, by the term's frequency in the chunk. */
const frequencyWeights = ["", "", "C", "B", "A"] as const;
/** The frequencies represented by the weights D, C, B and A. Further repetitions of a term hardly change its score. */
export const weightedFrequencies = [1, 2, 3, 5] as const;

/** A term in the form that PostgreSQL indexes. */
export const toLexeme = (namespaceId: string, term: string): string =>
  hash("sha256", `${namespaceId} ${term}`, "base64").slice(0, termCharacters).replaceAll(/[+/]/g, "x");

export function toTermVector(namespaceId: string, terms: readonly string[]): string {
  const frequencies = new Map<string, number>();
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const lexemes = Array.from(frequencies, ([term, frequency]) => {
    const weight = frequencyWeights[Math.min(frequency, frequencyWeights.length - 1)];
    return `${toLexeme(namespaceId, term)}:1${weight}`;
  });
  return lexemes.join(" ");
}

/** All keys of a document: the fields of the shown source, and the names of all its sources. */
export function listKeys(namespaceId: string, shown: DocumentSource, others: readonly DocumentSource[]): string[] {
  const sources = [shown, ...others].map(({ source }) => toSourceKey(namespaceId, source));
  const fields = listFieldKeys(shown).map((key) => toKey(namespaceId, key));
  return [...new Set([...fields, ...sources])];
}

/** The keys of documents that have a source in any spelling, whether they show it or not. */
export const toSourceKeys = (namespaceId: string, source: string): string[] =>
  listSpellings(source).map((spelling) => toSourceKey(namespaceId, spelling));

const toSourceKey = (namespaceId: string, source: string): string => toKey(namespaceId, JSON.stringify({ source }));

/** For each field of a filter, the keys of its values. A document must have one key of each list. */
export const listFilterKeys = (namespaceId: string, filter: SearchFilter = {}): string[][] =>
  Object.entries(filter).map(([name, wanted]) => toFieldKeys(name, wanted).map((key) => toKey(namespaceId, key)));

const toKey = (namespaceId: string, text: string): string =>
  hash("sha256", `${namespaceId} ${text}`, "hex").slice(0, keyCharacters);
