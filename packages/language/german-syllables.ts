import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A part of the Web's API that the types of Node leave out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

interface Hyphenator {
  /** Shared with `hyphenate`: the word, ended by 0, and afterwards the hyphenated word. */
  mem: { buffer: ArrayBuffer };
  /** Returns the length of the hyphenated word, or 0 if the word can't be hyphenated. */
  hyphenate: (minLettersBefore: number, minLettersAfter: number, hyphen: number) => number;
}

/** Maximum number of letters. Hyphenopoly has room for 64, with the hyphens in the same memory. */
const maxLetters = 60;
const minLettersOfSyllable = 2;
const hyphen = "-".charCodeAt(0);

let loaded: Hyphenator | undefined;

/**
 * Loads Hyphenopoly's engine with the patterns of TeX for German in the orthography of 1996. Its JavaScript is left out, because it remembers
 * every word for ever.
 */
function load(): Hyphenator {
  const file = fileURLToPath(import.meta.resolve("hyphenopoly/patterns/de.wasm"));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
  return exports as Hyphenator;
}

/** The positions in a lower-case German word at which it may be hyphenated. */
export function findSyllableStarts(word: string): ReadonlySet<number> {
  if (word.length > maxLetters || /[^a-zäöüß]/.test(word)) return new Set();
  loaded ??= load();
  const memory = new Uint16Array(loaded.mem.buffer, 0, 2 * maxLetters);
  for (let at = 0; at < word.length; at++) memory[at] = word.charCodeAt(at);
  memory[word.length] = 0;
  const length = loaded.hyphenate(minLettersOfSyllable, minLettersOfSyllable, hyphen);
  const starts = new Set<number>();
  for (let at = 0; at < length; at++) if (memory[at] === hyphen) starts.add(at - starts.size);
  return starts;
}
