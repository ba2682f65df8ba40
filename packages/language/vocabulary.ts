import { isPaired, normalize, toNumber, unspacedScript } from "./words.ts";

/** Maximum number of words in the vocabulary. Most words of a text are frequent ones. */
const maxWords = 30_000;
/** Maximum number of kinds of facts. */
const maxKinds = 16;
/** Maximum length of a text and of a word. Longer ones are left to `splitWords`. */
const maxCharacters = 20_000;
const maxWordLetters = 64;
/** A power of two, and much larger than `maxWords`: the words that a text adds to a full vocabulary need slots as well. */
const slotCount = 2 ** 17;
/** Maximum number of probes. Somebody may craft words with equal hashes, which would make each lookup slow. */
const maxProbes = 64;

// Classes of UTF-16 code units other than letters and digits. The class of a letter or digit is its lower case.
const separator = 1;
const apostrophe = 2;
/** The word depends on neighbouring characters, or is found by other means. */
const unusual = 3;
const firstLetter = 0x30;
const lastDigit = 0x39;

const classes = new Uint16Array(0x1_0000);

const getClass = (unit: number): number => (classes[unit] as number) || classify(unit);

function classify(unit: number): number {
  const character = String.fromCharCode(unit);
  const normal = normalize(character);
  let found = separator;
  if (character === "'" || character === "’") found = apostrophe;
  else if (/[\p{L}\p{N}]/u.test(character)) {
    const isPlain = normal.length === 1 && character.normalize("NFKC") === character && /[\p{L}\d]/u.test(normal);
    // The lower case of sigma depends on its position.
    const isUsual = isPlain && character !== "Σ" && !unspacedScript.test(normal) && !isPaired(normal);
    found = isUsual && !/[\u0600-\u06ff]/.test(character) ? normal.charCodeAt(0) : unusual;
  } else if (/[\p{M}\p{Cs}]/u.test(character) || /[\p{L}\p{M}\p{N}'’]/u.test(normal)) found = unusual;
  // Other characters that normalise to these two may occur within a number.
  else if (/^[.,]$/.test(normal) && normal !== character) found = unusual;
  classes[unit] = found;
  return found;
}

/**
 * Assigns numbers to the words of texts, as `splitWords` finds them, so that facts about a word are found without creating a string each
 * time. When it is full, it forgets all words.
 */
class Vocabulary {
  /** Words by number. */
  readonly words: string[] = [];
  /** Facts about the words: for each kind, a list by word number. Forgotten together with the words. */
  readonly #facts = new Map<string, unknown[]>();
  readonly #slots = new Int32Array(slotCount);
  /** The letters of all words, and the end offset of each word. */
  #letters = new Uint16Array(8 * maxWords);
  readonly #ends = [0];
  readonly #found = new Int32Array(maxCharacters);
  /** Start offsets of the last numbered words. */
  readonly starts = new Uint16Array(maxCharacters);
  /** The last text: usually its language is detected first, and then its terms are requested. */
  #last: { text: string; numbers: Int32Array } | undefined;
  /** Code units of the current text, which are faster to read than a string's. Words are changed to lower case in place. */
  readonly #units = new Uint16Array(maxCharacters);
  readonly #bytes = Buffer.from(this.#units.buffer);

  /** Returns the numbers of a text's words, valid until the next call. Undefined for texts that only `splitWords` can read. */
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
      let kind = getClass(units[at] as number);
      if (kind === unusual) return undefined;
      if (kind < firstLetter) {
        at += 1;
        continue;
      }
      const start = at;
      let isNumber = true;
      for (; at < length && kind >= firstLetter; kind = at < length ? getClass(units[at] as number) : separator) {
        if (kind > lastDigit) isNumber = false;
        units[at++] = kind;
      }
      if (kind === unusual) return undefined;
      // Destructuring an array here would allocate 150 bytes per word.
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
      // Only the longest part of a word with apostrophes counts.
      while (kind === apostrophe && at + 1 < length) {
        kind = getClass(units[at + 1] as number);
        if (kind <= lastDigit) break;
        const part = ++at;
        for (; at < length && kind > lastDigit; kind = at < length ? getClass(units[at] as number) : separator) {
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

  /** The list of facts of one kind, by word number. */
  facts<Fact>(kind: string): (Fact | undefined)[] {
    const known = this.#facts.get(kind);
    if (known) return known as (Fact | undefined)[];
    if (this.#facts.size >= maxKinds) this.#facts.clear();
    const created: (Fact | undefined)[] = [];
    this.#facts.set(kind, created);
    return created;
  }

  /** Returns the number of a word in the text, or -1 if too many other words occupy its slots. */
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

/** The number with separators that begins with these digits, if any. */
function readNumber(text: string, from: number, digitsEnd: number): string | undefined {
  const sign = text.charAt(digitsEnd);
  if (sign !== "." && sign !== ",") return undefined;
  separatedNumber.lastIndex = from;
  return separatedNumber.exec(text)?.[0];
}

export const vocabulary = new Vocabulary();
