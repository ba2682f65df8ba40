import { beginsClause, beginsWord, endsWord, isWordAt } from "./characters.ts";
import type { Span } from "./chart.ts";
import { Chart, none } from "./chart.ts";
import { fold } from "./fold.ts";
import type { Phrase } from "./phrases.ts";
import { anyLetters, compile, firstSlot, hyphen, isSlot, listPhrases, space } from "./phrases.ts";
import { freeSlots, readDigits } from "./slots.ts";

// Phrases are indexed by a hash of their first characters, so that one pass over a text finds all of them.
const maxPrefixLength = 8;
// FNV-1a. Positive integers below 2^30 are the fastest keys of a Map.
const noPrefix = 0x11c9dc5;
const extendPrefix = (prefix: number, unit: number): number => Math.imul(prefix ^ unit, 0x01000193) & 0x3fffffff;

/** The phrases of all categories, with their meanings and slots. */
export class Grammar {
  readonly #categories: string[] = [];
  readonly #slots = new Map<string, string>();
  readonly #bySlot = new Map<string, Phrase[]>();
  readonly #byPrefix = new Map<number, Phrase[]>();
  /** Marks the hashes of phrase prefixes. A search stops at the first unmarked prefix. */
  readonly #knownPrefixes = new Uint8Array(2 ** 18);

  /**
   * Adds phrases, separated by `|`, to a category. Those of scripts without spaces, and Korean ones, are found inside longer words.
   *
   *     launch*      the rest of the word
   *     (a |the |)   one of these
   *     {number}     a phrase of a category
   *     {word}       any word
   *     {start}      the first word of a clause
   *     {end}        the end of a clause
   *     {space}      a space or nothing; with a sign {gap}; with up to three signs {signs}
   *     \\(           a bracket
   *     [in ]        must stand there, but doesn't belong to what is found
   *
   * A space also matches a hyphen. An apostrophe is optional.
   */
  add(category: string, meaning: string, phrases: string): void {
    const encoded = phrases.replaceAll(/\{([\w.]+)\}/g, (_slot, name: string) => this.#getSlot(name));
    for (const phrase of listPhrases(fold(encoded))) this.#index(compile(category, meaning, phrase));
  }

  /** Finds all phrases in a folded text. They may overlap. */
  parse(text: string): Chart {
    const spansAt: Span[][] = [];
    // Parses from right to left, so that the contents of a phrase's slots are known before the phrase.
    for (let start = text.length - 1; start >= 0; start--) {
      for (const span of readDigits(text, start)) this.#insert(spansAt, text, span);
      if (!beginsWord(text, start)) continue;
      // The longest phrases first, since they determine the meaning of parts: "due" is a number in "primi due".
      const found: Phrase[][] = [];
      let prefix = noPrefix;
      for (let at = start; at < Math.min(text.length, start + maxPrefixLength); at++) {
        prefix = extendPrefix(prefix, text.charCodeAt(at));
        if (this.#knownPrefixes[prefix % this.#knownPrefixes.length] !== 1) break;
        const phrases = this.#byPrefix.get(prefix);
        if (phrases !== undefined) found.push(phrases);
      }
      for (let phrases = found.pop(); phrases !== undefined; phrases = found.pop()) {
        for (const phrase of phrases) this.#tryPhrase(spansAt, text, phrase, 0, start, start);
      }
      if (isWordAt(text, start) && beginsClause(text, start))
        this.#insert(spansAt, text, { ...clauseStart, start, end: start, contextStart: start, contextEnd: start });
    }
    return new Chart(text, spansAt);
  }

  #getSlot(name: string): string {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = String.fromCharCode(firstSlot + this.#categories.push(name) - 1);
    this.#slots.set(name, slot);
    return slot;
  }

  #index(phrase: Phrase): void {
    const unit = phrase.text.charCodeAt(0);
    if (isSlot(unit)) push(this.#bySlot, this.#categories[unit - firstSlot] ?? "", phrase);
    else {
      this.#indexPrefix(phrase, space);
      if (phrase.text.slice(0, maxPrefixLength).includes(" ")) this.#indexPrefix(phrase, hyphen);
    }
  }

  #indexPrefix(phrase: Phrase, betweenWords: number): void {
    const { text } = phrase;
    let prefix = noPrefix;
    for (let at = 0; at < Math.min(text.length, maxPrefixLength); at++) {
      const unit = text.charCodeAt(at);
      if (unit === anyLetters || isSlot(unit)) break;
      prefix = extendPrefix(prefix, unit === space ? betweenWords : unit);
      this.#knownPrefixes[prefix % this.#knownPrefixes.length] = 1;
    }
    push(this.#byPrefix, prefix, phrase);
  }

  /** Adds a phrase that starts at `contextStart` if it fits. Its first `index` characters already fit up to `at`. */
  #tryPhrase(
    spansAt: Span[][],
    text: string,
    phrase: Phrase,
    index: number,
    contextStart: number,
    at: number,
    first?: Span,
  ): void {
    const wanted = phrase.text.charCodeAt(index);
    if (wanted !== anyLetters && wanted !== space && wanted < firstSlot && wanted !== text.charCodeAt(at)) return;
    const core = { start: contextStart, end: -1 };
    const parts = first === undefined ? [] : [first];
    const contextEnd = this.#findEnd(spansAt, text, phrase, index, at, parts, core);
    if (contextEnd === undefined) return;
    const { category, meaning } = phrase;
    const { start, end } = core;
    this.#insert(spansAt, text, {
      category,
      meaning,
      start,
      end: end < 0 ? contextEnd : end,
      contextStart,
      contextEnd,
      parts,
    });
  }

  #findEnd(
    spansAt: readonly Span[][],
    text: string,
    phrase: Phrase,
    from: number,
    start: number,
    parts: Span[],
    core: { start: number; end: number },
  ): number | undefined {
    let at = start;
    for (let index = from; index < phrase.text.length; index++) {
      if (index === phrase.coreStart && index > 0) core.start = at;
      if (index === phrase.coreEnd) core.end = at;
      const wanted = phrase.text.charCodeAt(index);
      if (isSlot(wanted)) {
        const category = this.#categories[wanted - firstSlot] ?? "";
        const free = freeSlots[category];
        if (free !== undefined) {
          const end = free(text, at);
          if (end === undefined) return undefined;
          at = end;
          continue;
        }
        for (const span of spansAt[at] ?? none) {
          if (span.category !== category) continue;
          parts.push(span);
          const end = this.#findEnd(spansAt, text, phrase, index + 1, span.end, parts, core);
          if (end !== undefined) return end;
          parts.pop();
        }
        return undefined;
      }
      if (wanted === anyLetters) while (isWordAt(text, at)) at++;
      else {
        const unit = text.charCodeAt(at);
        if (unit !== wanted && !(wanted === space && unit === hyphen)) return undefined;
        at++;
      }
    }
    return isSlot(phrase.text.charCodeAt(phrase.text.length - 1)) || endsWord(text, at) ? at : undefined;
  }

  #insert(spansAt: Span[][], text: string, span: Span): void {
    const { category, meaning, contextStart, start, contextEnd, end } = span;
    const spans = spansAt[start] ?? [];
    spansAt[start] = spans;
    let place = 0;
    for (const known of spans) {
      if (known.end < end) break;
      const isSame = known.category === category && known.meaning === meaning && known.end === end;
      if (isSame && known.contextStart === contextStart && known.contextEnd === contextEnd) return;
      place++;
    }
    spans.splice(place, 0, span);
    for (const phrase of this.#bySlot.get(category) ?? noPhrases)
      this.#tryPhrase(spansAt, text, phrase, 1, start, end, category === "start" ? undefined : span);
  }
}

const noPhrases: readonly Phrase[] = [];
const clauseStart = { category: "start", meaning: "", parts: none };

function push<Key>(map: Map<Key, Phrase[]>, key: Key, phrase: Phrase): void {
  const others = map.get(key);
  if (others === undefined) map.set(key, [phrase]);
  else others.push(phrase);
}
