import type { Language, TextUnit } from "@agent-backends/language";
import {
  analyze,
  detectLanguage,
  findArabicRoot,
  fold,
  getArabicStems,
  splitUnits,
  splitWords,
  unspacedScript,
} from "@agent-backends/language";
import { findTopics } from "../text/related-words.ts";
import type { Chunk } from "./chunks.ts";
import type { AskedWord } from "./question.ts";
import { readCells, splitCells } from "./table-rows.ts";
import { speaksOfPrices } from "./values/answer-values.ts";

/** Words are related if they share at least this many letters, and this fraction of the question's word. */
const minSharedLetters = 4;
const minRelatedness = 0.6;
/** Shorter words occur inside others by chance: "port" in "import". */
const minInsideLetters = 5;
/** Match of the most closely related word. */
const maxRelated = 0.8;
/** Match of a word about the same topic. */
const relatedMeaning = 0.5;

/** The words of a text, for lookups of a word in any inflection. */
export class TextWords {
  readonly words: readonly string[];
  readonly #folded: string;
  readonly #terms: Set<string>;
  readonly #languages: readonly Language[];
  #topics: ReadonlySet<number> | undefined;
  #roots: ReadonlySet<string> | undefined;

  constructor(text: string, languages: readonly Language[]) {
    this.#folded = fold(text);
    this.words = splitWords(text).map(fold);
    this.#terms = new Set(analyze(text, languages));
    this.#languages = languages;
    for (const word of this.words) for (const term of this.#getFurtherStems(word)) this.#terms.add(term);
  }

  /** How well the text matches a word, 0…1: 1 for any inflection, less for a part of a compound or a related word. */
  match({ word, written, isNumber, isIdentifier }: AskedWord): number {
    const isInside = this.#folded.includes(word);
    if (unspacedScript.test(word) || hangul.test(word)) return Number(isInside);
    const terms = analyze(written, this.#languages);
    const [stem] = terms;
    // A question's "2,5" was read as "2.5".
    if (isIdentifier) return Number(isInside || (/^\d+\.\d+$/.test(word) && this.#terms.has(word)));
    if (stem === undefined) return Number(this.words.includes(word));
    if (this.#terms.has(stem)) return 1;
    const further = this.#getFurtherStems(word);
    if (further.some((term) => this.#terms.has(term))) return 1;
    if (isNumber) return 0;
    const shareOfTerms = terms.filter((term) => this.#terms.has(term)).length / terms.length;
    const related = maxRelated * Math.max(shareOfTerms, this.#measureRelated(word));
    if (related >= relatedMeaning) return related;
    return this.#hasRootOf(word) || this.#hasRelatedMeaning([...terms, ...further]) ? relatedMeaning : related;
  }

  /**
   * The stem of a German participle's infinitive, such as "ernten" for "geerntet", "abholen" for "abgeholte" or "verfassen" for "verfasst",
   * and of an Arabic word without joined particles.
   */
  #getFurtherStems(word: string): string[] {
    const [, prefix = "", root, regular] = (this.#languages.includes("de") && participle.exec(word)) || [];
    const verb = root === undefined ? regular : prefix + root;
    return verb === undefined ? getArabicStems(word) : analyze(`${verb}en`, ["de"]);
  }

  /** Whether the text has an Arabic word of the same root. */
  #hasRootOf(word: string): boolean {
    const roots = findRoots(word);
    if (roots.length === 0) return false;
    this.#roots ??= new Set(this.words.flatMap(findRoots));
    return roots.some((root) => this.#roots?.has(root));
  }

  /** Whether the text has a word of similar meaning, possibly in another language. */
  #hasRelatedMeaning(terms: readonly string[]): boolean {
    this.#topics ??= new Set([...this.#terms].flatMap((term) => findTopics(term, this.#languages)));
    return terms.some((term) => findTopics(term, this.#languages).some((topic) => this.#topics?.has(topic)));
  }

  /** Largest share of a word that another word of the text contains, 0…1: "subscription" has most of "subscribe". */
  #measureRelated(word: string): number {
    let best = 0;
    // The ending of "überprüft" is that of "geprüft".
    const bare = this.#languages.includes("de") ? word.replace(/^ge(?=\p{L}{5})/u, "") : word;
    for (const other of this.words) {
      const shared = bare !== word && other.endsWith(bare) ? bare.length : countShared(word, other);
      const share = shared / word.length;
      if (shared >= minSharedLetters && share >= minRelatedness && share > best) best = share;
    }
    return best;
  }
}

const findRoots = (word: string): string[] => getArabicStems(word).flatMap((stem) => findArabicRoot(stem) ?? []);

const participle =
  /^(ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|statt|teil|um|vor|weg|zu|zuruck|zusammen)?ge(\p{L}{3,}?)(?:e?t|en)(?:e[mnrs]?)?$|^(\p{L}{3,}?)e?t(?:e[mnrs]?)?$/u;

const hangul = /\p{sc=Hangul}/u;

/** Number of letters that two words share: their common prefix, or all of the shorter word if the longer one contains it. */
function countShared(word: string, other: string): number {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length++;
  if (other.length > word.length && other.includes(word) && word.length >= minInsideLetters) return word.length;
  if (word.length > other.length && other.length > length && word.includes(other)) return other.length;
  return length;
}

/** Whether a line has a cell such as "250,00 €" or "12 %". Column names have none. */
const hasAmount = (line: string): boolean =>
  splitCells(line).some((cell) =>
    /^\W*\p{Nd}[\p{Nd}.,]*(?:[.,]\p{Nd}{2}|\s*(?:[€$£%]|eur\p{L}*|chf|usd|kr|zł))\W*$/iu.test(cell),
  );

/** The column names and their parts: `price_eur` is also a price. */
function nameColumns(header: string): string {
  const names = splitCells(header).join(" ");
  return `${names} ${names.replace(/[_-]|(?<=\p{Ll})(?=\p{Lu})/gu, " ")}`;
}

/** A statement of a chunk that may answer a question. */
export interface Candidate {
  chunk: ReadChunk;
  position: number;
  /** Whether the heading above is a part of the answer. */
  needsHeading?: boolean;
}

/** A chunk, split into statements. */
export class ReadChunk {
  readonly chunk: Chunk;
  readonly units: readonly TextUnit[];
  readonly language: Language | undefined;
  readonly #languages: Language[];
  readonly #words = new Map<string, TextWords>();

  constructor(chunk: Chunk, questionLanguage: Language | undefined) {
    this.chunk = chunk;
    this.units = splitUnits(chunk.content).map((unit) => {
      if (unit.kind !== "header") return unit;
      // A chunk from the middle of a table starts with a row.
      const isRow = (unit.block === 1 && chunk.tableHeader !== undefined) || hasAmount(this.#slice(unit));
      return isRow ? { ...unit, kind: "row" } : unit;
    });
    this.language = detectLanguage(chunk.content);
    const languages = [questionLanguage, this.language];
    this.#languages = [...new Set(languages.filter((language) => language !== undefined))];
  }

  /** The words of the content. */
  get words(): readonly string[] {
    return this.readWords(this.chunk.content).words;
  }

  /** Whether the content or the title has a word in any inflection. */
  hasWord(word: AskedWord): boolean {
    return this.readWords(this.chunk.content).match(word) === 1 || this.#readTitle().match(word) === 1;
  }

  /** The text of a statement. For a table row, its cells with their column names. */
  getText(position: number): string {
    const unit = this.units[position];
    if (unit === undefined) return "";
    const text = this.#slice(unit);
    return unit.kind === "row" ? readCells(text, this.findHeader(position)) : text.replace(/\s+/g, " ");
  }

  getCells(position: number): string[] {
    return splitCells(this.#slice(this.units[position] ?? { start: 0, end: 0 }), this.findHeader(position));
  }

  /**
   * Whether a table row has a plain number where a price belongs, according to the column names, or else to the name of the sheet, file or
   * section.
   */
  hasPrice(position: number): boolean {
    if (this.units[position]?.kind !== "row") return false;
    const header = this.findHeader(position);
    const names = header === undefined ? [] : splitCells(header);
    const { title, sheet, source, heading } = this.chunk;
    const isNamed = names.some(speaksOfPrices);
    const isList = [title, sheet, source, heading, this.getHeading(position)].some(speaksOfPrices);
    return this.getCells(position).some((cell, column) => {
      const isPrice = isNamed ? speaksOfPrices(names[column] ?? "") : isList && column > 0;
      return isPrice && /^\p{Nd}[\p{Nd}.,]*$/u.test(cell);
    });
  }

  /** How well a table row or its column names match a word, 0…1. */
  matchRow(word: AskedWord, position: number): number {
    return Math.max(this.getOwnWords(position).match(word), this.getSurroundings(position).header.match(word));
  }

  findHeader(position: number): string | undefined {
    const block = this.units[position]?.block;
    const header = this.units.find((unit) => unit.block === block && unit.kind === "header");
    if (header) return this.#slice(header);
    const { tableHeader = "" } = this.chunk;
    // In a table without a header, `tableHeader` is the first row.
    return block === this.units[0]?.block && tableHeader !== "" && !hasAmount(tableHeader) ? tableHeader : undefined;
  }

  /** Position of the heading above a statement, if the chunk contains it. */
  findHeading(position: number): number {
    return this.units.slice(0, position).findLastIndex(({ kind }) => kind === "heading");
  }

  getHeading(position: number): string {
    const heading = this.findHeading(position);
    return heading < 0 ? "" : this.#textAt(heading);
  }

  /** Position of the sentence that introduces a list or table, or -1 if there is none. */
  findIntro(position: number): number {
    const { kind, block } = this.units[position] ?? { kind: "sentence", block: -1 };
    if (kind === "sentence" || kind === "heading") return -1;
    const intro = this.units.findIndex((unit) => unit.block === block) - 1;
    return this.units[intro]?.kind === "sentence" ? intro : -1;
  }

  /** The words of a statement itself. */
  getOwnWords(position: number): TextWords {
    return this.readWords(this.#slice(this.units[position] ?? { start: 0, end: 0 }));
  }

  /** The words around a statement. */
  getSurroundings(position: number) {
    const unit = this.units[position];
    const header = unit?.kind === "row" ? this.findHeader(position) : undefined;
    const heading = this.findHeading(position);
    return {
      header: this.readWords(header === undefined ? "" : nameColumns(header)),
      heading: this.readWords(heading < 0 ? this.chunk.heading : `${this.chunk.heading} ${this.#textAt(heading)}`),
      intro: this.readWords(this.#textAt(this.findIntro(position))),
      // Rows of a table are independent of each other.
      before: this.readWords(
        unit?.kind !== "row" && this.units[position - 1]?.kind === unit?.kind ? this.#textAt(position - 1) : "",
      ),
      title: this.#readTitle(),
      chunk: this.readWords(this.chunk.content),
    };
  }

  #readTitle(): TextWords {
    return this.readWords(`${this.chunk.title} ${this.chunk.sheet} ${this.chunk.source.replace(/^\w+:/, "")}`);
  }

  #textAt(position: number): string {
    const unit = this.units[position];
    return unit === undefined ? "" : this.#slice(unit);
  }

  readWords(text: string): TextWords {
    const known = this.#words.get(text);
    if (known) return known;
    const created = new TextWords(text.replaceAll(/(?<=\])\([^()\s]*\)/g, " "), this.#languages);
    this.#words.set(text, created);
    return created;
  }

  #slice({ start, end }: { start: number; end: number }): string {
    return this.chunk.content.slice(start, end);
  }
}
