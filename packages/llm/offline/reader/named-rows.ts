import { analyze, fold, splitWords } from "@agent-backends/language";
import { buildWordPattern, lazy } from "../languages/index.ts";
import type { AskedWord, Question } from "./question.ts";
import { lightWeight } from "./question.ts";
import type { Candidate } from "./read-chunk.ts";
import { splitCells } from "./table-rows.ts";
import { hasAnswerOfType } from "./values/answer-values.ts";

/** More rows than this are a part of a list rather than an answer. */
const maxRows = 5;
/** A table with this many rows may continue in chunks that were not found. */
const minLongTable = 15;
const minIdentifierLength = 5;
/** Words of the same stem begin with the same letters. */
const minStem = 3;
/** Minimum match of a question's word with a cell or a column to be about it. */
const minMatch = 0.8;
/** Minimum share of the remaining question that must be about a row that a single word names. */
const minKnown = 0.4;
/** Minimum share of distinct values in a column that names its rows. */
const minDifferent = 0.95;

/** Letters and digits without spaces, such as ORD-10500, or a version. */
const identifier = /^(?:(?=.*\p{L})(?=.*\p{N})[\p{L}\p{N}_/-]+|\d+(?:\.\d+){2,})$/u;
const article = lazy(() => String.raw`^${buildWordPattern("words.rowArticles")}\s+`, "u");

/** The rows of all tables in the found chunks, for a question about some of them. */
export class NamedRows {
  readonly #question: Question;
  readonly #rows: readonly Candidate[];
  /** Whether nothing was found in the question's language. The rows may then use other words than the question. */
  readonly #isForeign: boolean;
  /** Tables by header. */
  readonly #tables = new Map<string, Table>();
  /** Headers of the tables in which the question names a row by its first column. */
  readonly #namedFirst = new Set<string>();
  /** The question's words that name rows. */
  readonly #named: AskedWord[][];

  constructor(question: Question, candidates: readonly Candidate[]) {
    this.#question = question;
    const { language } = question;
    this.#isForeign =
      language !== undefined && language !== "en" && !candidates.some(({ chunk }) => chunk.language === language);
    this.#rows = candidates.filter(({ chunk, position }) => chunk.units[position]?.kind === "row");
    for (const [header, rows] of Map.groupBy(this.#rows, getHeader)) {
      this.#tables.set(header, readTable(rows));
      if (rows.some((row) => this.#isAsked(this.#getNamingCells(row)[0]))) this.#namedFirst.add(header);
    }
    this.#named = this.#rows.map((row) => this.#findNamed(row)).filter(({ length }) => length > 0);
  }

  /**
   * Finds the rows that the question names by an identifier, or by a name of several words. In a file of separated values an identifier is
   * enough, in any language. In other tables the remaining words must also be about the row. There a single word also names a row, if some
   * of the question's other words are about it.
   */
  find(): Candidate[] {
    const text = withoutV(fold(this.#question.text));
    const byIdentifier = this.#rows.filter((row) => {
      const names = this.#getNamingCells(row).filter((cell) => isIdentifier(cell) && isWithin(text, cell));
      // Documents have many tables about the same subject.
      return names.some(
        (name) => !getHeader(row).includes("|") || isAboutRow(this.#question, row, name, this.#isForeign),
      );
    });
    const byNumber = this.#rows.filter((row) => this.#isNumbered(row, text));
    const byName = this.#rows.filter((row) => {
      const names = this.#getNamingCells(row).filter((cell) => cell.includes(" ") && isWithin(text, cell));
      return names.some((name) => isAboutRow(this.#question, row, name, this.#isForeign));
    });
    const byWord = this.#rows.filter((row) => {
      if (getHeader(row).includes("|")) return false;
      const name = this.#getNamingCells(row).find((cell) => this.#question.words.some(({ word }) => word === cell));
      return name !== undefined && isPartlyAboutRow(this.#question, row, name);
    });
    const named = [byIdentifier, byNumber, byName, byWord].find(({ length }) => length > 0) ?? [];
    return named.length <= maxRows ? named.filter((row) => !lacksAttribute(this.#question, row)) : [];
  }

  /** Like `find`, plus the rows of any table whose complete name the question contains. */
  findMentioned(): Candidate[] {
    const found = this.find();
    if (found.length > 0) return found;
    const mentioned = this.#rows.filter((row) => this.#findNamed(row).length > 0);
    return mentioned.length <= maxRows ? mentioned : [];
  }

  /**
   * Whether a row belongs to a long file of separated values and isn't named in the question. Other rows that weren't found may then fit
   * equally well.
   */
  isOneOfMany(row: Candidate): boolean {
    const header = getHeader(row);
    if (header.includes("|") || this.#tables.get(header)?.isLong !== true) return false;
    const cells = this.#getNamingCells(row);
    // The first column names a row better than a remark in another column.
    return !this.#isAsked(this.#namedFirst.has(header) ? cells[0] : cells.join(" "));
  }

  /**
   * Whether a row is about something other than what the question names, while another row has that name. A row is also about the name if
   * it contains the name elsewhere, or is listed under it.
   */
  isOfAnother({ chunk, position }: Candidate): boolean {
    if (this.#named.length === 0 || chunk.units[position]?.kind !== "row") return false;
    const { heading, intro, title } = chunk.getSurroundings(position);
    return !this.#named.some((name) =>
      name.every(
        (word) =>
          [heading, intro, title].reduce(
            (best, near) => Math.max(best, near.match(word)),
            chunk.matchRow(word, position),
          ) === 1,
      ),
    );
  }

  /** The question's words that form the complete name of a row: its first cell, or several words in another cell. */
  #findNamed(row: Candidate): AskedWord[] {
    const columns = this.#tables.get(getHeader(row))?.namingColumns;
    for (const [column, cell] of getCells(row).entries()) {
      if (!columns?.has(column) || !/\p{L}/u.test(cell) || (column > 0 && !cell.includes(" "))) continue;
      const cellWords = splitWords(cell).map(fold);
      const asked = cellWords.map((one) => this.#question.words.find((word) => isSameWord(word, one, this.#question)));
      if (asked.length > 0 && asked.every((word) => word !== undefined)) return asked;
    }
    return [];
  }

  /**
   * Whether the question names the row by number ("Order 50150"), in a file of separated values whose first column has a distinct number in
   * each row.
   */
  #isNumbered(row: Candidate, text: string): boolean {
    const header = getHeader(row);
    const [number = ""] = getCells(row);
    if (header.includes("|") || this.#tables.get(header)?.isNumbered !== true || !isWithin(text, number)) return false;
    const [column = ""] = splitCells(header);
    const isColumn = splitWords(fold(column)).some((part) =>
      this.#question.words.some(({ word }) => part.includes(word) || word.startsWith(part)),
    );
    return isColumn || number.length >= minIdentifierLength;
  }

  #isAsked(text = ""): boolean {
    return this.#question.words.some(({ word }) => isWithin(text, word) || beginsCompound(text, word));
  }

  #getNamingCells(row: Candidate): string[] {
    const columns = this.#tables.get(getHeader(row))?.namingColumns;
    return getCells(row).filter((_, column) => columns?.has(column));
  }
}

interface Table {
  isLong: boolean;
  /** Indexes of the columns that name rows: the first column, and those in which nearly all values are distinct. */
  namingColumns: ReadonlySet<number>;
  /** Whether the first column has a distinct whole number in each row. */
  isNumbered: boolean;
}

function readTable(rows: readonly Candidate[]): Table {
  const cells = rows.map(getCells);
  const columns = [...(cells[0]?.keys() ?? [])].filter((column) => {
    const values = new Set(cells.map((row) => row[column] ?? ""));
    const areDifferent = values.size >= minDifferent * rows.length;
    return (
      (column === 0 || areDifferent) && [...values].some((value) => /\p{L}/u.test(value) || identifier.test(value))
    );
  });
  const isLong = rows.length >= minLongTable || rows.some(({ chunk }) => chunk.chunk.tableHeader !== undefined);
  const numbers = cells.map(([number = ""]) => number);
  const isNumbered = new Set(numbers).size === rows.length && numbers.every((number) => /^\d+$/.test(number));
  return { isLong, namingColumns: new Set(columns), isNumbered };
}

const getHeader = ({ chunk, position }: Candidate): string =>
  (chunk.findHeader(position) ?? "").replace(/\s+/g, " ").trim();

const getCells = ({ chunk, position }: Candidate): string[] =>
  chunk.getCells(position).map((cell) => withoutV(fold(cell).replace(article(), "")));

/** Versions with and without a "v" are equal. */
const withoutV = (text: string): string => text.replaceAll(/(?<![\p{L}\p{N}])v(?=\d)/gu, "");

const isIdentifier = (cell: string): boolean => cell.length >= minIdentifierLength && identifier.test(cell);

/** Whether a text contains a value that isn't a part of a longer word or identifier. */
function isWithin(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isWhole =
      !/(?:[\p{sc=Latn}\p{N}_]-?|\p{N}\.)$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^(?:-?[\p{sc=Latn}\p{N}_]|\.\p{N})/u.test(text.slice(at + value.length));
    if (isWhole) return true;
  }
  return false;
}

/** Whether a cell's word is a word of the question in any inflection: "samstags" matches the row "Samstag". */
function isSameWord({ word }: AskedWord, other: string, { language }: Question): boolean {
  if (word === other) return true;
  if (language === undefined || word.slice(0, minStem) !== other.slice(0, minStem)) return false;
  const [term] = analyze(other, [language]);
  return term !== undefined && term === analyze(word, [language])[0];
}

/** Whether a text has a longer word that starts with the given one: "Kirchenaustritt" is about "Kirche". */
const beginsCompound = (text: string, word: string): boolean =>
  word.length >= minIdentifierLength && splitWords(text).some((one) => fold(one).startsWith(word));

/** Whether a question asks who or what something is, and no column has that name: "Who is the supplier of ET-1001?" */
function lacksAttribute({ words, type }: Question, { chunk, position }: Candidate): boolean {
  const asked = words.filter(({ isAttribute }) => isAttribute);
  return type === "person" && asked.some((word) => chunk.matchRow(word, position) < minMatch);
}

/** Whether the row, its columns or its file name contain some of the question's other words. */
function isPartlyAboutRow({ words }: Question, { chunk, position }: Candidate, name: string): boolean {
  const others = words.filter(({ word }) => word !== name);
  const { title } = chunk.getSurroundings(position);
  const known = others.filter((word) => Math.max(chunk.matchRow(word, position), title.match(word)) >= minMatch);
  return known.length >= minKnown * others.length;
}

/** Whether a row contains what a question asks for, apart from the row's name. */
export function isAboutRow(question: Question, { chunk, position }: Candidate, name = "", isForeign = false): boolean {
  const { words, type } = question;
  const others = words.filter(({ word }) => !isWithin(name, word));
  if (others.length === 0) return true;
  const unknown = others.filter((word) => chunk.matchRow(word, position) < minMatch);
  // "What does the … cost?" asks for a price in other words.
  const isPrice =
    type === "money" && (chunk.hasPrice(position) || hasAnswerOfType(chunk.getText(position), type, question));
  if (isPrice && unknown.length <= 1 && (others.length === 1 || unknown.every(({ weight }) => weight <= lightWeight)))
    return true;
  return (isForeign && others.length === 1) || unknown.length === 0;
}
