import { pattern } from "../text/pattern.ts";

const firstWords = new Map<ReadonlyMap<string, number>, Set<string>>();

/** Whether a word of the text begins one of the names: a cheap test before an expensive pattern. */
export function mayName(numbers: ReadonlyMap<string, number>, words: readonly string[]): boolean {
  let known = firstWords.get(numbers);
  if (known === undefined) {
    known = new Set([...numbers.keys()].map((name) => name.split(/[- ]/)[0] ?? name));
    firstWords.set(numbers, known);
  }
  return words.some((word) => known.has(word));
}

/** The names as a non-capturing regular expression group, longest first. */
export function alternatives(numbers: ReadonlyMap<string, number>): string {
  const sorted = [...numbers.keys()].sort((one, other) => other.length - one.length);
  return `(?:${sorted.map((name) => name.replaceAll("-", "[- ]")).join("|")})`;
}

const word = pattern(String.raw`[\p{L}\p{M}]+`, "g");

/** The words of the text, without digits and punctuation. */
export function splitWords(text: string): string[] {
  return text.match(word) ?? [];
}
