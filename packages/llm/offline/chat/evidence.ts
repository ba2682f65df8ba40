import type { Language, TextUnit } from "@agent-backends/language";
import { analyze, detectLanguage, fold, splitUnits, splitWords, unspacedScript } from "@agent-backends/language";
import type { Chunk } from "./chunks.ts";
import type { AskedWord } from "./question.ts";
import { readCells, splitCells } from "./table-rows.ts";

/** How strongly a word near a statement shows that the statement is about it, relative to a word in the statement. */
const weights = {
  header: 0.9,
  similar: 0.8,
  heading: 0.75,
  intro: 0.75,
  title: 0.65,
  before: 0.6,
  beside: 0.9,
  after: 0.4,
  chunk: 0.3,
};

/** Two words are similar if they share this many letters, and this share of the word that is asked for. */
const minSharedBeginning = 6;
const minShareOfWord = 0.75;

/** All sentences of a chunk with at most this many units are about the same subject. */
const maxUnitsOfShortChunk = 4;

/** The words of a text, to look up whether it has a word in any inflection. */
class TextWords {
  readonly #folded: string;
  readonly #terms: ReadonlySet<string>;
  readonly #words: readonly string[];
  readonly #languages: readonly Language[];

  constructor(text: string, languages: readonly Language[]) {
    this.#folded = fold(text);
    this.#words = splitWords(text).map(fold);
    this.#terms = new Set(analyze(text, languages));
    this.#languages = languages;
  }

  has({ word }: AskedWord): boolean {
    if (unspacedScript.test(word) || /\p{sc=Hangul}/u.test(word)) {
      return this.#folded.includes(word) || this.#hasKoreanStem(word);
    }
    const terms = analyze(word, this.#languages);
    return terms.length > 0 ? terms.some((term) => this.#terms.has(term)) : this.#folded.includes(word);
  }

  /** Whether the text has a word with the same beginning, such as "subscription" for "subscribe". */
  hasSimilar({ word, isKey }: AskedWord): boolean {
    const length = Math.max(minSharedBeginning, Math.ceil(minShareOfWord * word.length));
    return !isKey && word.length >= length && this.#words.some((one) => one.startsWith(word.slice(0, length)));
  }

  /** Korean words end with particles. */
  #hasKoreanStem(word: string): boolean {
    return /^\p{sc=Hangul}{3,}$/u.test(word) && this.#folded.includes(word.slice(0, -1));
  }
}

/** The names of columns and their parts: `price_eur` is also a price. */
function nameColumns(header: string): string {
  const names = splitCells(header).join(" ");
  return `${names} ${names.replace(/[_-]|(?<=\p{Ll})(?=\p{Lu})/gu, " ")}`;
}

/** A statement of a chunk that may answer a question. */
export interface Candidate {
  chunk: ReadChunk;
  position: number;
}

/** A chunk, split into statements, that measures how well each one matches the words of a question. */
export class ReadChunk {
  readonly chunk: Chunk;
  /** 0-based rank among the chunks found. */
  readonly rank: number;
  readonly units: readonly TextUnit[];
  readonly #languages: Language[];
  readonly #words = new Map<string, TextWords>();

  constructor(chunk: Chunk, rank: number, questionLanguage: Language | undefined) {
    this.chunk = chunk;
    this.rank = rank;
    this.units = splitUnits(chunk.content).map((unit) => {
      // A chunk from the middle of a table begins with a row.
      const isHeader = unit.kind === "header" && !(unit.block === 1 && chunk.tableHeader !== undefined);
      return unit.kind === "header" && !isHeader ? { ...unit, kind: "row" } : unit;
    });
    const languages = [questionLanguage, detectLanguage(chunk.content)];
    this.#languages = [...new Set(languages.filter((language) => language !== undefined))];
  }

  /** The text of a statement; of a table row its cells with their column names. */
  getText(position: number): string {
    const unit = this.units[position];
    if (unit === undefined) return "";
    const text = this.#slice(unit);
    return unit.kind === "row" ? readCells(text, this.findHeader(position)) : text.replace(/\s+/g, " ");
  }

  getCells(position: number): string[] {
    return splitCells(this.#slice(this.units[position] ?? { start: 0, end: 0 }), this.findHeader(position));
  }

  /** Whether a text has a word, in the languages of the chunk and the question. */
  hasWord(text: string, word: AskedWord): boolean {
    return this.#getWords(text).has(word);
  }

  findHeader(position: number): string | undefined {
    const block = this.units[position]?.block;
    const header = this.units.find((unit) => unit.block === block && unit.kind === "header");
    if (header) return this.#slice(header);
    return block === this.units[0]?.block ? this.chunk.tableHeader : undefined;
  }

  /** The position of the heading above a statement, if the chunk holds it. */
  findHeading(position: number): number {
    return this.units.slice(0, position).findLastIndex(({ kind }) => kind === "heading");
  }

  /** The position of the sentence before a list or a table that introduces it; -1 if none does. */
  findIntro(position: number): number {
    const { kind, block } = this.units[position] ?? { kind: "sentence", block: -1 };
    if (kind === "sentence" || kind === "heading") return -1;
    const intro = this.units.findIndex((unit) => unit.block === block) - 1;
    return this.units[intro]?.kind === "sentence" ? intro : -1;
  }

  /** How well the statement at a position covers a word, 0 to 1. */
  match(word: AskedWord, position: number): number {
    const unit = this.units[position];
    if (unit === undefined) return 0;
    const own = this.#getWordsAt(position);
    if (own.has(word)) return 1;
    if (own.hasSimilar(word)) return weights.similar;
    const header = unit.kind === "row" ? this.findHeader(position) : undefined;
    const columns = header === undefined ? undefined : this.#getWords(nameColumns(header));
    if (columns?.has(word)) return weights.header;
    if (columns?.hasSimilar(word)) return weights.similar;
    if (this.#isShort && this.#getWords(this.chunk.content).has(word)) return weights.beside;
    if (this.#headingHas(word, position)) return weights.heading;
    const intro = this.findIntro(position);
    if (intro >= 0 && this.#getWordsAt(intro).has(word)) return weights.intro;
    if (this.#getWords(`${this.chunk.title} ${this.chunk.sheet}`).has(word)) return weights.title;
    if (this.#isNear(position, -1) && this.#getWordsAt(position - 1).has(word)) return weights.before;
    if (this.#isNear(position, 1) && this.#getWordsAt(position + 1).has(word)) return weights.after;
    return this.#getWords(this.chunk.content).has(word) ? weights.chunk : 0;
  }

  /** Whether the chunk is a few sentences. */
  get #isShort(): boolean {
    const isProse = this.units.every(({ kind }) => kind === "sentence" || kind === "heading");
    return isProse && this.units.length <= maxUnitsOfShortChunk;
  }

  #headingHas(word: AskedWord, position: number): boolean {
    const heading = this.findHeading(position);
    return this.#getWords(this.chunk.heading).has(word) || (heading >= 0 && this.#getWordsAt(heading).has(word));
  }

  /** Whether the neighbour of a statement belongs to it. Rows of a table are independent of each other. */
  #isNear(position: number, step: 1 | -1): boolean {
    const neighbour = this.units[position + step];
    const kind = this.units[position]?.kind;
    return neighbour !== undefined && kind !== "row" && neighbour.kind === kind;
  }

  #getWordsAt(position: number): TextWords {
    return this.#getWords(this.#slice(this.units[position] ?? { start: 0, end: 0 }));
  }

  #getWords(text: string): TextWords {
    const known = this.#words.get(text);
    if (known) return known;
    const created = new TextWords(text, this.#languages);
    this.#words.set(text, created);
    return created;
  }

  #slice({ start, end }: { start: number; end: number }): string {
    return this.chunk.content.slice(start, end);
  }
}
