import { isUnspacedAt, isWordAt } from "./characters.ts";
import { fold } from "./fold.ts";

/** A phrase of a category in a text. */
export interface Span {
  category: string;
  /** Where it stands, without its context. */
  start: number;
  end: number;
  /** Where it stands, with its context. */
  left: number;
  right: number;
  meaning: string;
  /** What the slots hold, in order. */
  parts: readonly Span[];
}

interface Phrase {
  category: string;
  meaning: string;
  /** Folded. A character from {@link firstSlot} on stands for a phrase of a category. */
  text: string;
  coreStart: number;
  coreEnd: number;
  /** It has neither slots nor a context. */
  isPlain: boolean;
}

const firstSlot = 0xe100;
const lastSlot = 0xefff;
const escapedBracket = "\uf000";
const none: readonly Span[] = [];

// Phrases are indexed by a hash of their first characters, so that one pass over a text finds them all.
const maxPrefixLength = 5;
// FNV-1a. Positive numbers below 2^30 are the fastest keys of a Map.
const noPrefix = 0x11c9dc5;
const extend = (prefix: number, unit: number): number => Math.imul(prefix ^ unit, 0x01000193) & 0x3fffffff;

/** What phrases mean, and what may stand in their slots. */
export class Grammar {
  readonly #categories: string[] = [];
  readonly #slots = new Map<string, string>();
  readonly #bySlot = new Map<string, Phrase[]>();
  readonly #byPrefix = new Map<number, Phrase[]>();
  /** Marks the hashes with which a phrase begins. A search stops at the first prefix without a mark. */
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
    const encoded = phrases.includes("{")
      ? phrases
          .replaceAll(/\{([\w.]+)\}/g, (_slot, name: string) => this.#slotOf(name))
          .replaceAll("\\(", escapedBracket)
      : phrases;
    for (const listed of splitAlternatives(fold(encoded))) {
      for (const phrase of listed.includes("(") ? expandGroups(listed) : [listed]) {
        const trimmed = phrase.trim();
        if (trimmed !== "") this.#addPhrase(category, meaning, trimmed);
        if (trimmed.includes("'")) this.#addPhrase(category, meaning, trimmed.replaceAll("'", ""));
      }
    }
  }

  /** Finds all phrases in a folded text. They may overlap. */
  parse(text: string): Chart {
    const spansAt: Span[][] = [];
    // From right to left, so that what fills the slots of a phrase is known before the phrase.
    for (let start = text.length - 1; start >= 0; start--) {
      for (const span of readDigits(text, start)) this.#insert(spansAt, text, span);
      if (!beginsWord(text, start)) continue;
      let prefix = noPrefix;
      for (let at = start; at < Math.min(text.length, start + maxPrefixLength); at++) {
        prefix = extend(prefix, text.charCodeAt(at));
        if (this.#knownPrefixes[prefix % this.#knownPrefixes.length] !== 1) break;
        for (const phrase of this.#byPrefix.get(prefix) ?? noPhrases) this.#try(spansAt, text, phrase, 0, start, start);
      }
      if (isWordAt(text, start) && beginsClause(text, start))
        this.#insert(spansAt, text, { ...clauseStart, start, end: start, left: start, right: start });
    }
    return new Chart(text, spansAt);
  }

  #slotOf(name: string): string {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = String.fromCharCode(firstSlot + this.#categories.push(name) - 1);
    this.#slots.set(name, slot);
    return slot;
  }

  #addPhrase(category: string, meaning: string, listed: string): void {
    const [opening, closing] = [listed.indexOf("["), listed.lastIndexOf("[")];
    const text = listed.replaceAll(/[[\]]/g, "").replaceAll(escapedBracket, "(");
    const coreStart = opening === 0 ? listed.indexOf("]") - 1 : 0;
    const coreEnd = closing > 0 ? closing - (opening === 0 ? 2 : 0) : text.length;
    const isPlain = coreStart === 0 && coreEnd === text.length && !slot.test(text);
    const phrase = { category, meaning, text, coreStart, coreEnd, isPlain };
    if (isSlot(text.charCodeAt(0))) {
      push(this.#bySlot, this.#categories[text.charCodeAt(0) - firstSlot] ?? "", phrase);
      return;
    }
    const [start = ""] = text.slice(0, maxPrefixLength).split(/[*\ue100-\uefff]/);
    for (const spelling of new Set([start, start.replaceAll(" ", "-")])) {
      let prefix = noPrefix;
      for (let at = 0; at < spelling.length; at++) {
        prefix = extend(prefix, spelling.charCodeAt(at));
        this.#knownPrefixes[prefix % this.#knownPrefixes.length] = 1;
      }
      push(this.#byPrefix, prefix, phrase);
    }
  }

  /** Adds a phrase that begins at `left` if it fits. Its first `index` characters fit up to `at`. */
  #try(spansAt: Span[][], text: string, phrase: Phrase, index: number, left: number, at: number, first?: Span): void {
    if (phrase.isPlain) {
      const end = endOfPlain(phrase.text, text, at);
      const { category, meaning } = phrase;
      if (end !== undefined)
        this.#insert(spansAt, text, { category, meaning, start: left, end, left, right: end, parts: none });
      return;
    }
    const wanted = phrase.text.charCodeAt(index);
    if (wanted !== 0x2a && wanted !== 0x20 && wanted < firstSlot && wanted !== text.charCodeAt(at)) return;
    const core = { start: left, end: -1 };
    const parts = first === undefined ? [] : [first];
    const right = this.#endOf(spansAt, text, phrase, index, at, parts, core);
    if (right === undefined) return;
    const { category, meaning } = phrase;
    const { start, end } = core;
    this.#insert(spansAt, text, { category, meaning, start, end: end < 0 ? right : end, left, right, parts });
  }

  #endOf(
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
          const end = this.#endOf(spansAt, text, phrase, index + 1, span.end, parts, core);
          if (end !== undefined) return end;
          parts.pop();
        }
        return undefined;
      }
      if (wanted === 0x2a) while (isWordAt(text, at)) at++;
      else {
        const unit = text.charCodeAt(at);
        if (unit !== wanted && !(wanted === 0x20 && unit === 0x2d)) return undefined;
        at++;
      }
    }
    return isSlot(phrase.text.charCodeAt(phrase.text.length - 1)) || endsWord(text, at) ? at : undefined;
  }

  #insert(spansAt: Span[][], text: string, span: Span): void {
    const { category, meaning, left, start, right, end } = span;
    const spans = spansAt[start] ?? [];
    spansAt[start] = spans;
    let place = 0;
    for (const known of spans) {
      if (known.end < end) break;
      const isSame = known.category === category && known.meaning === meaning && known.end === end;
      if (isSame && known.left === left && known.right === right) return;
      place++;
    }
    spans.splice(place, 0, span);
    for (const phrase of this.#bySlot.get(category) ?? noPhrases)
      this.#try(spansAt, text, phrase, 1, start, end, category === "start" ? undefined : span);
  }
}

/** The end of a phrase without slots. */
function endOfPlain(phrase: string, text: string, start: number): number | undefined {
  let at = start;
  for (let index = 0; index < phrase.length; index++) {
    const wanted = phrase.charCodeAt(index);
    if (wanted === 0x2a) while (isWordAt(text, at)) at++;
    else {
      const unit = text.charCodeAt(at);
      if (unit !== wanted && !(wanted === 0x20 && unit === 0x2d)) return undefined;
      at++;
    }
  }
  return endsWord(text, at) ? at : undefined;
}

/** The phrases of a text. */
export class Chart {
  readonly text: string;
  /** What is hidden of the text. */
  readonly hidden: readonly Place[];
  readonly #spansAt: readonly (readonly Span[])[];
  #byCategory?: Map<string, Span[]>;

  constructor(text: string, spansAt: readonly (readonly Span[])[], hidden: readonly Place[] = []) {
    this.text = text;
    this.hidden = hidden;
    this.#spansAt = spansAt;
  }

  /** The phrases that start at a position, the longest first. */
  at(start: number): readonly Span[] {
    return this.#spansAt[start] ?? none;
  }

  /** The phrases of a category in order, of those that begin together the longest first. */
  all(category: string): readonly Span[] {
    this.#byCategory ??= Map.groupBy(
      this.#spansAt.flatMap((spans) => spans ?? none),
      (span) => span.category,
    );
    return this.#byCategory.get(category) ?? none;
  }

  has(...categories: readonly string[]): boolean {
    return categories.some((category) => this.all(category).length > 0);
  }

  /** The end of the longest phrase of a category that starts at a position. */
  endAt(category: string, start: number): number | undefined {
    return this.at(start).find((span) => span.category === category)?.end;
  }

  /** The phrases between two positions that touch nothing hidden. */
  within(from: number, to: number, hidden: readonly (Place | undefined)[] = []): Chart {
    const places = [...this.hidden, ...hidden.filter((place) => place !== undefined)];
    const isShown = ({ start, end }: Place): boolean =>
      end <= to && !places.some((place) => start < place.end && place.start < end);
    const shown = this.#spansAt.map((spans, start) => (start < from || start >= to ? none : spans.filter(isShown)));
    return new Chart(this.text, shown, places);
  }
}

export interface Place {
  start: number;
  end: number;
}

const noPhrases: readonly Phrase[] = [];
const clauseStart = { category: "start", meaning: "", parts: none };
const slot = /[\ue100-\uefff]/;
const isSlot = (unit: number): boolean => unit >= firstSlot && unit <= lastSlot;

function push<Key>(map: Map<Key, Phrase[]>, key: Key, phrase: Phrase): void {
  const others = map.get(key);
  if (others === undefined) map.set(key, [phrase]);
  // Phrases with a context come first, since others may hold what they find.
  else if (phrase.coreStart > 0) others.unshift(phrase);
  else others.push(phrase);
}

function splitAlternatives(phrases: string): string[] {
  if (!phrases.includes("(")) return phrases.split("|");
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= phrases.length; at++) {
    const sign = phrases.charAt(at);
    if (sign === "(") depth++;
    else if (sign === ")") depth--;
    else if (at === phrases.length || (sign === "|" && depth === 0)) {
      parts.push(phrases.slice(start, at));
      start = at + 1;
    }
  }
  return parts;
}

function expandGroups(phrase: string): string[] {
  const start = phrase.indexOf("(");
  if (start < 0) return [phrase];
  let end = start;
  for (let depth = 0; end < phrase.length; end++) {
    if (phrase.charAt(end) === "(") depth++;
    else if (phrase.charAt(end) === ")" && --depth === 0) break;
  }
  const [before, after] = [phrase.slice(0, start), phrase.slice(end + 1)];
  return splitAlternatives(phrase.slice(start + 1, end)).flatMap((choice) => expandGroups(before + choice + after));
}

const maxWordLength = 40;
/** An apostrophe or a hyphen. */
const isJoiner = (unit: number): boolean => unit === 0x27 || unit === 0x2d;

/** Slots that any text fills: the end of what fills them. */
const freeSlots: Record<string, (text: string, at: number) => number | undefined> = {
  /** One character of a script without spaces. */
  word(text, at) {
    if (text.charCodeAt(at) > 0x3000 && text.charCodeAt(at) < 0xa000) return at + 1;
    let end = at;
    while (end < at + maxWordLength && (isWordAt(text, end) || (end > at && isJoiner(text.charCodeAt(end))))) end++;
    return end > at ? end : undefined;
  },
  space: (text, at) => skip(text, at, " ", 1),
  gap: (text, at) => skip(text, skip(text, at, ",.", 1), " ", 1),
  signs: (text, at) => skip(text, at, " ,:;?!.-", 3),
  end(text, at) {
    const after = skip(text, at, " ", text.length);
    const goesOn = isWordAt(text, after) || "#\"'@-/&+".includes(text.charAt(after));
    return after < text.length && goesOn ? undefined : at;
  },
};

function skip(text: string, from: number, signs: string, max: number): number {
  let at = from;
  while (at < from + max && at < text.length && signs.includes(text.charAt(at))) at++;
  return at;
}

function beginsClause(text: string, start: number): boolean {
  let before = start - 1;
  while (before >= 0 && !isWordAt(text, before) && !".!?;\n。！？".includes(text.charAt(before))) before--;
  return before < 0 || !isWordAt(text, before);
}

const digits = /-?\d{1,3}(?:,\d{3})+(?!\d)|-?\d{1,15}(?!\d)(?:k(?![\da-z]))?/y;
/** With letters behind it a number is something else, but for short units and a Turkish ending. */
const lettersBehind = /(?![dhw](?![a-z\d'-])|[iu](?![a-z])|[\u3005-\uffdc])[a-z\u00aa-\uffdc]/y;

/** Numbers in digits. `digits1`, `digits2` and so on are those with so many digits and nothing else. */
function readDigits(text: string, start: number): Span[] {
  const [before, unit] = [text.charCodeAt(start - 1), text.charCodeAt(start)];
  if (!isDigit(unit) && unit !== 0x2d) return [];
  // Skip digits within a longer number. The hyphen in "top-3" is not a minus sign.
  if (isDigit(before) || (!isDigit(unit) && isWordAt(text, start - 1))) return [];
  digits.lastIndex = start;
  const [written] = digits.exec(text) ?? [];
  if (written === undefined) return [];
  const end = start + written.length;
  const value = Number(written.replaceAll(/[,k]/g, "")) * (written.endsWith("k") ? 1000 : 1);
  const span = { start, end, left: start, right: end, parts: none };
  lettersBehind.lastIndex = end;
  const isJoined = lettersBehind.test(text) || (isWordAt(text, start - 1) && !beginsWord(text, start));
  const spans: Span[] = isJoined ? [] : [{ ...span, category: "number", meaning: String(value) }];
  if (/^\d+$/.test(written)) spans.push({ ...span, category: `digits${written.length}`, meaning: written });
  if (/^(?:19|20|21)\d\d$/.test(written)) spans.push({ ...span, category: "fullYear", meaning: written });
  return spans;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/** Whether a word or a sign starts here. A Latin word also starts right after a script without spaces. */
function beginsWord(text: string, index: number): boolean {
  if (!isWordAt(text, index) || !isWordAt(text, index - 1) || isUnspacedAt(text, index)) return true;
  return text.charCodeAt(index - 1) > 0x7f && text.charCodeAt(index) < 0x80;
}

function endsWord(text: string, index: number): boolean {
  if (!isWordAt(text, index - 1) || !isWordAt(text, index) || isUnspacedAt(text, index - 1)) return true;
  return text.charCodeAt(index) > 0x7f && text.charCodeAt(index - 1) < 0x80;
}
