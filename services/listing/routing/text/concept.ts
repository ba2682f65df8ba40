import { fold } from "./fold.ts";
import { isWordAt, pattern } from "./pattern.ts";

const written = pattern(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`);
const wordCharacter = pattern(String.raw`[\p{L}\p{M}\p{N}]`);
const openEnd = pattern(String.raw`[\p{L}\p{M}\p{N}]\*$`);

interface Phrase {
  concept: Concept;
  /** A `*` matches the rest of a word. */
  text: string;
  /** Also matches inside longer words. */
  anywhere: boolean;
  /** Matches up to the end of the word. */
  open: boolean;
  endsAtWord: boolean;
}

interface Span {
  start: number;
  end: number;
}

// Indexes the phrases of all concepts by a hash of their first characters, so that one pass over a text finds every concept.
const maxPrefixLength = 5;
const phrasesByPrefix = new Map<number, Phrase[]>();
/** Marks the hashes with which a phrase begins. A search stops at the first prefix without a mark. */
const knownPrefixes = new Uint8Array(2 ** 18);
// FNV-1a. Positive numbers below 2^30 are the fastest keys of a Map.
const noPrefix = 0x11c9dc5;
const extend = (prefix: number, unit: number): number => Math.imul(prefix ^ unit, 0x01000193) & 0x3fffffff;
const maxCachedTexts = 32;
const cachedTexts = new Map<string, Map<Concept, Span>>();

/** A set of phrases with one meaning, in all supported languages. Texts must be folded. */
export class Concept {
  /**
   * @param vocabulary phrases separated by `|` or line ends. `*` matches the rest of a word, a space also matches a hyphen,
   * an apostrophe is optional. Phrases of scripts without spaces, and Korean ones, are found inside longer words too.
   */
  constructor(vocabulary: string) {
    for (const listed of vocabulary.split(/[|\n]/)) {
      const phrase = fold(listed.trim());
      if (phrase === "") continue;
      this.#add(phrase);
      if (phrase.includes("'")) this.#add(phrase.replaceAll("'", ""));
    }
  }

  isIn(text: string): boolean {
    return this.find(text) !== undefined;
  }

  /** The whole text is one of the phrases. */
  isExactly(text: string): boolean {
    return this.endAt(text, 0) === text.length;
  }

  /** The text begins with one of the phrases. */
  startsIn(text: string): boolean {
    return this.endAt(text, 0) !== undefined;
  }

  /** The first phrase in the text, the longest one of those that begin there. */
  find(text: string): Span | undefined {
    return findConcepts(text).get(this);
  }

  /** The end of the longest phrase that begins at `start`. */
  endAt(text: string, start: number): number | undefined {
    let longest: number | undefined;
    for (const { concept, end } of phrasesAt(text, start)) {
      if (concept === this && (longest === undefined || end > longest)) longest = end;
    }
    return longest;
  }

  #add(listed: string): void {
    const anywhere = written.test(listed);
    const open = !anywhere && openEnd.test(listed);
    const text = listed.endsWith("*") ? listed.slice(0, -1) : listed;
    const endsAtWord = !anywhere && wordCharacter.test(text.slice(-1));
    const phrase = { concept: this, text, anywhere, open, endsAtWord };
    const [start = ""] = text.slice(0, maxPrefixLength).split("*");
    for (const spelling of new Set([start, start.replaceAll(" ", "-")])) {
      let prefix = noPrefix;
      for (let at = 0; at < spelling.length; at++) {
        prefix = extend(prefix, spelling.charCodeAt(at));
        knownPrefixes[prefix % knownPrefixes.length] = 1;
      }
      const others = phrasesByPrefix.get(prefix);
      if (others === undefined) phrasesByPrefix.set(prefix, [phrase]);
      else others.push(phrase);
    }
  }
}

function findConcepts(text: string): Map<Concept, Span> {
  const kept = cachedTexts.get(text);
  if (kept !== undefined) return kept;
  const found = new Map<Concept, Span>();
  for (let start = 0; start < text.length; start++) {
    for (const { concept, end } of phrasesAt(text, start)) {
      const known = found.get(concept);
      if (known === undefined || (known.start === start && known.end < end)) found.set(concept, { start, end });
    }
  }
  if (cachedTexts.size >= maxCachedTexts) cachedTexts.clear();
  cachedTexts.set(text, found);
  return found;
}

/** All phrases in the text, in order. Phrases may overlap. */
export function findPhrases(text: string): { concept: Concept; start: number; end: number }[] {
  const found: { concept: Concept; start: number; end: number }[] = [];
  for (let start = 0; start < text.length; start++) {
    for (const { concept, end } of phrasesAt(text, start)) found.push({ concept, start, end });
  }
  return found;
}

function phrasesAt(text: string, start: number): { concept: Concept; end: number }[] {
  const begins = beginsWord(text, start);
  if (!begins && text.charCodeAt(start) < 0x80) return none;
  let found: { concept: Concept; end: number }[] = none;
  let prefix = noPrefix;
  for (let at = start; at < Math.min(text.length, start + maxPrefixLength); at++) {
    prefix = extend(prefix, text.charCodeAt(at));
    if (knownPrefixes[prefix % knownPrefixes.length] !== 1) break;
    for (const phrase of phrasesByPrefix.get(prefix) ?? noPhrases) {
      const end = begins || phrase.anywhere ? endOf(phrase, text, start) : undefined;
      if (end === undefined) continue;
      if (found === none) found = [];
      found.push({ concept: phrase.concept, end });
    }
  }
  return found;
}

const none: { concept: Concept; end: number }[] = [];
const noPhrases: readonly Phrase[] = [];

function endOf(phrase: Phrase, text: string, start: number): number | undefined {
  let at = start;
  for (let index = 0; index < phrase.text.length; index++) {
    const wanted = phrase.text.charCodeAt(index);
    if (wanted === 0x2a) {
      while (isWordAt(text, at)) at++;
      continue;
    }
    const unit = text.charCodeAt(at);
    if (unit !== wanted && !(wanted === 0x20 && unit === 0x2d)) return undefined;
    at++;
  }
  if (phrase.open) while (isWordAt(text, at)) at++;
  return !phrase.endsAtWord || endsWord(text, at) ? at : undefined;
}

/** Whether a word starts here. A Latin word also starts right after a script without spaces. */
function beginsWord(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  return !isWordAt(text, index - 1) || (before > 0x7f && text.charCodeAt(index) < 0x80);
}

function endsWord(text: string, index: number): boolean {
  return !isWordAt(text, index) || (text.charCodeAt(index) > 0x7f && text.charCodeAt(index - 1) < 0x80);
}
