import { isPaired, normalize, toNumber, unspacedScript } from "./words.ts";

/** Words that are known at a time. Most words of a text are frequent ones. */
const maxWords = 30_000;
/** Kinds of facts at a time. */
const maxKinds = 16;
/** Longer texts, and words of more letters, are left to `splitWords`. */
const maxCharacters = 20_000;
const maxWordLetters = 64;
/** A power of two, and many more than words: those that a text adds to a full vocabulary have room as well. */
const slotCount = 2 ** 17;
/** Words with equal hashes, which somebody may have made on purpose, would make each word slow to find. */
const maxProbes = 64;

// Classes of UTF-16 units that are no letter or digit. Those have their lower case as their class.
const separator = 1;
const apostrophe = 2;
/** Its word depends on its neighbours, or is found by other means. */
const unusual = 3;
const firstLetter = 0x30;
const lastDigit = 0x39;

const classes = new Uint16Array(0x1_0000);

const classOf = (unit: number): number => (classes[unit] as number) || classify(unit);

function classify(unit: number): number {
  const character = String.fromCharCode(unit);
  const normal = normalize(character);
  let found = separator;
  if (character === "'" || character === "’") found = apostrophe;
  else if (/[\p{L}\p{N}]/u.test(character)) {
    const isPlain = normal.length === 1 && character.normalize("NFKC") === character && /[\p{L}\d]/u.test(normal);
    // The lower case of sigma depends on its place.
    const isUsual = isPlain && character !== "Σ" && !unspacedScript.test(normal) && !isPaired(normal);
    found = isUsual && !/[\u0600-\u06ff]/.test(character) ? normal.charCodeAt(0) : unusual;
  } else if (/[\p{M}\p{Cs}]/u.test(character) || /[\p{L}\p{M}\p{N}'’]/u.test(normal)) found = unusual;
  // Other signs for these two may stand within a number.
  else if (/^[.,]$/.test(normal) && normal !== character) found = unusual;
  classes[unit] = found;
  return found;
}

/**
 * Numbers the words of texts, as `splitWords` finds them, so that what is known of a word is found without making a string of it
 * each time. It forgets all words when it is full.
 */
class Vocabulary {
  /** By number. */
  readonly words: string[] = [];
  /** What was found out about the words, each kind by their numbers. Forgotten with them. */
  readonly #facts = new Map<string, unknown[]>();
  readonly #slots = new Int32Array(slotCount);
  /** The letters of all words, and where those of each end. */
  #letters = new Uint16Array(8 * maxWords);
  readonly #ends = [0];
  readonly #found = new Int32Array(maxCharacters);
  /** Where the words that were numbered last start. */
  readonly starts = new Uint16Array(maxCharacters);
  /** Mostly a text's language is found first, and then its terms. */
  #last: { text: string; numbers: Int32Array } | undefined;
  /** The text that is read, as units that are read faster than a string's. Its words are put into lower case. */
  readonly #units = new Uint16Array(maxCharacters);
  readonly #bytes = Buffer.from(this.#units.buffer);

  /** The numbers of a text's words, valid until the next call. Undefined for texts that only `splitWords` can read. */
  number(text: string): Int32Array | undefined {
    if (text.length > maxCharacters) return undefined;
    if (this.#last?.text === text) return this.#last.numbers;
    this.#last = undefined;
    if (this.words.length >= maxWords) this.#forget();
    this.#bytes.write(text, "utf16le");
    const found = this.#found;
    const units = this.#units;
    const { length } = text;
    let count = 0;
    for (let at = 0; at < length; ) {
      let kind = classOf(units[at] as number);
      if (kind === unusual) return undefined;
      if (kind < firstLetter) {
        at += 1;
        continue;
      }
      const start = at;
      let isNumber = true;
      for (; at < length && kind >= firstLetter; kind = at < length ? classOf(units[at] as number) : separator) {
        if (kind > lastDigit) isNumber = false;
        units[at++] = kind;
      }
      if (kind === unusual) return undefined;
      // Destructuring an array here would allocate 150 bytes a word.
      let from = start;
      let to = at;
      if (isNumber) {
        const written = readNumber(text, start, at);
        if (written !== undefined) {
          at = start + written.length;
          const word = toNumber(written);
          for (let index = 0; index < word.length; index++) units[start + index] = word.charCodeAt(index);
          to = start + word.length;
        }
      }
      // Of a word with apostrophes the longest part counts.
      while (kind === apostrophe && at + 1 < length) {
        kind = classOf(units[at + 1] as number);
        if (kind <= lastDigit) break;
        const part = ++at;
        for (; at < length && kind > lastDigit; kind = at < length ? classOf(units[at] as number) : separator) {
          units[at++] = kind;
        }
        if (at - part > to - from) {
          from = part;
          to = at;
        }
      }
      if (kind === unusual) return undefined;
      if (to - from > maxWordLetters) continue;
      const number = this.#intern(from, to);
      if (number < 0) return undefined;
      this.starts[count] = start;
      found[count++] = number;
    }
    const numbers = found.subarray(0, count);
    this.#last = { text, numbers };
    return numbers;
  }

  /** A list for what is known of words, by their numbers. */
  facts<Fact>(kind: string): (Fact | undefined)[] {
    const known = this.#facts.get(kind);
    if (known) return known as (Fact | undefined)[];
    if (this.#facts.size >= maxKinds) this.#facts.clear();
    const created: (Fact | undefined)[] = [];
    this.#facts.set(kind, created);
    return created;
  }

  /** The number of a word of the text; -1 if too many others are where it would be. */
  #intern(from: number, to: number): number {
    const units = this.#units;
    const slots = this.#slots;
    // FNV-1a
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & (slotCount - 1);
    for (let probes = 1; ; probes++) {
      const known = (slots[slot] as number) - 1;
      if (known < 0) break;
      const start = this.#ends[known] as number;
      let at = from;
      while (at < to && this.#letters[start + at - from] === units[at]) at++;
      if (at === to && this.#ends[known + 1] === start + to - from) return known;
      if (probes === maxProbes) return -1;
      slot = (slot + 1) & (slotCount - 1);
    }
    const start = this.#ends.at(-1) ?? 0;
    const end = start + to - from;
    if (end > this.#letters.length) {
      const larger = new Uint16Array(2 * this.#letters.length);
      larger.set(this.#letters);
      this.#letters = larger;
    }
    this.#letters.set(units.subarray(from, to), start);
    this.#ends.push(end);
    slots[slot] = this.words.push(String.fromCharCode(...units.subarray(from, to)));
    return this.words.length - 1;
  }

  #forget(): void {
    this.words.length = 0;
    this.#facts.clear();
    this.#slots.fill(0);
    this.#ends.length = 1;
  }
}

const separatedNumber = /\d+(?:[.,]\d+)+/y;

/** The number with separators that begins with these digits, if there is one. */
function readNumber(text: string, from: number, digitsEnd: number): string | undefined {
  const sign = text.charAt(digitsEnd);
  if (sign !== "." && sign !== ",") return undefined;
  separatedNumber.lastIndex = from;
  return separatedNumber.exec(text)?.[0];
}

export const vocabulary = new Vocabulary();
