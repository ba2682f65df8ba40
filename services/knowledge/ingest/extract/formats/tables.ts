import { toOneLine } from "./markdown-parts.ts";

/** Maximum number of empty cells to keep between two others. They keep the columns aligned. */
const maxEmptyCells = 100;

/** Maximum number of columns that a cell may span. Word and Excel allow fewer on a readable page. */
const maxColumnSpan = 100;

/** Maximum length of repeated text, in UTF-16 code units. A longer text is rarely a value that applies to other rows or columns. */
const maxRepeatedCharacters = 200;

/** Maximum number of cells that spans may add to a table, per cell and in any case, so that a hostile table can't fill memory. */
const maxRepeatsPerCell = 20;
const minRepeats = 1_000;

/** Maximum length of a column name, in UTF-16 code units. */
export const maxHeaderCharacters = 80;

/** Maximum number of rows to compare with the first row of a table. */
const maxComparedRows = 20;

/** Maximum number of rows above a table's first row of several values. In a sheet, they contain the title in their first cells. */
export const maxTitleRows = 5;

export interface SpannedCell {
  text: string;
  columns?: number | undefined;
  rows?: number | undefined;
  /** 0-based, if the file states it. Otherwise the first free column. */
  column?: number | undefined;
}

/** Repeats each cell in every row and column that it spans. Takes time linear in the number of cells. */
export function expandSpans(rows: readonly (readonly SpannedCell[])[]): string[][] {
  let repeatsLeft = rows.reduce((sum, { length }) => sum + length, 0) * maxRepeatsPerCell + minRepeats;
  /** Cells that extend down into the next row, by column. */
  const above = new Map<number, { text: string; rows: number }>();
  const expanded = rows.map((row) => {
    const cells: string[] = [];
    repeatsLeft -= above.size;
    if (repeatsLeft < 0) above.clear();
    let reach = 0;
    for (const column of above.keys()) reach = Math.max(reach, column + 1);
    const takeAbove = () => {
      const cell = above.get(cells.length);
      if (cell !== undefined && --cell.rows === 0) above.delete(cells.length);
      cells.push(cell?.text ?? "");
    };
    const fillTo = (column: number) => {
      for (let left = maxEmptyCells; cells.length < column && left > 0; ) {
        if (!above.has(cells.length)) left--;
        takeAbove();
      }
    };
    for (const { text, columns = 1, rows: rowSpan = 1, column } of row) {
      if (column !== undefined) fillTo(column);
      else while (above.has(cells.length)) takeAbove();
      const repeated = text.length > maxRepeatedCharacters ? "" : text;
      for (let index = 0; index < Math.min(columns, maxColumnSpan); index++) {
        if (index > 0 && --repeatsLeft < 0) break;
        above.delete(cells.length);
        if (rowSpan > 1) above.set(cells.length, { text: repeated, rows: rowSpan - 1 });
        cells.push(index === 0 ? text : repeated);
      }
    }
    fillTo(reach);
    return cells;
  });
  return withoutRepeatedColumns(expanded);
}

/** Removes columns that repeat the previous one in every row. Such spans are only for layout. */
function withoutRepeatedColumns(rows: string[][]): string[][] {
  const differing = new Set([0]);
  for (const cells of rows) {
    for (let column = 1; column < cells.length; column++) {
      if (cells[column] === "" || cells[column] !== cells[column - 1]) differing.add(column);
    }
  }
  return rows.map((cells) => cells.filter((_, column) => differing.has(column)));
}

/** Adds empty cells to a row, so that the next cell is in the given 0-based column. */
export function padToColumn(cells: string[], column: number): void {
  const empty = Math.min(column - cells.length, maxEmptyCells);
  for (let count = 0; count < empty; count++) cells.push("");
}

export function trimRow(cells: string[]): string[] {
  while (cells.at(-1)?.trim() === "") cells.pop();
  return cells;
}

/** A time, or an amount with its unit. */
const timeOrAmount = /\p{Nd}:\p{Nd}{2}|\p{Nd}\s*(?:[€$£%]|(?:uhr|eur|chf|usd|gbp|am|pm)(?!\p{L}))|[€$£]\s*\p{Nd}/iu;

/** Years are also column names, for example 2025 and 2026. */
const isYear = (cell: string): boolean => /^(?:19|20)\p{Nd}{2}$/u.test(cell);

/** The shape that a value shares with similar values: "8,50 kg" and "12,75 kg". */
const toShape = (cell: string): string => cell.replace(/\p{Nd}+/gu, "0");

/**
 * The number of header rows of a table, which are the marked ones. If nothing or only a title is marked, the first row is the header
 * unless it contains a time, an amount, a long text, or a number like those below it.
 */
export function countHeaderRows(rows: readonly (readonly string[])[], marked: number | undefined): number {
  const left = findLeft(rows);
  if (marked === 0 || (marked !== undefined && !rows.slice(0, marked).every((cells) => isTitle(cells, left)))) {
    return marked;
  }
  const [first = [], ...others] = rows.filter((cells) => !isTitle(cells, left)).slice(0, maxComparedRows + 1);
  const isName = (cell: string, column: number) => {
    if (cell.length > maxHeaderCharacters || timeOrAmount.test(cell)) return false;
    if (isYear(cell) || !/\p{Nd}/u.test(cell)) return true;
    return others.every((cells) => toShape(cells[column] ?? "") !== toShape(cell));
  };
  return first.every(isName) ? 1 : 0;
}

/**
 * The lines of a Markdown table, whose second line makes it one. Markdown has exactly one header row, so several are joined column by
 * column, and without any it is empty. Titles above the header, in a single cell or one that spans all columns, come before the table.
 * Below a row without cells, another table begins, with one header row.
 */
export function* toTableLines(rows: Iterable<readonly string[]>, headerRows = 1): Generator<string, void, undefined> {
  let head: string[][] = [];
  let isHead = true;
  for (const row of rows) {
    if (row.length === 0) {
      if (isHead) yield* toHeadLines(head, headerRows);
      yield "";
      headerRows = 1;
      head = [];
      isHead = true;
      continue;
    }
    const cells = row.map((cell) => toOneLine(cell).replaceAll("|", "\\|"));
    if (!isHead) {
      yield toLine(cells);
      continue;
    }
    head.push(cells);
    // The row below a header may be part of it.
    isHead = isTitle(cells) ? head.length <= maxTitleRows : countHeaders(head) <= headerRows;
    if (!isHead) yield* toHeadLines(head, headerRows);
  }
  if (isHead) yield* toHeadLines(head, headerRows);
}

/** Whether a row has only one value, which may span several columns. The table begins at the column `left`, by default at the value. */
export function isTitle(row: readonly string[], left = findLeft([row])): boolean {
  const [first = "", ...others] = row.slice(left);
  return others.length === 0 || (/\p{L}{2}/u.test(first) && others.every((cell) => cell === first));
}

/** The first column in which a row has a value. */
function findLeft(rows: readonly (readonly string[])[]): number {
  let left = Number.POSITIVE_INFINITY;
  for (const cells of rows) {
    const first = cells.findIndex((cell) => cell !== "");
    if (first >= 0) left = Math.min(left, first);
  }
  return Number.isFinite(left) ? left : 0;
}

const countHeaders = (head: readonly string[][]): number => head.filter((cells) => !isTitle(cells)).length;

function* toHeadLines(head: readonly string[][], headerRows: number): Generator<string, void, undefined> {
  const left = findLeft(head);
  const first = head.findIndex((cells) => !isTitle(cells, left));
  const titles = first < 0 ? [] : head.slice(0, first);
  for (const title of titles) yield `${title[left] ?? ""}\n`;
  const rest = head.slice(titles.length);
  const [top] = rest;
  if (top === undefined) return;
  let count = headerRows === 0 ? 0 : Math.max(1, headerRows - titles.length);
  if (count > 0 && dividesColumns(rest[count] ?? [], rest[count - 1] ?? [])) count++;
  const headers = rest.slice(0, count);
  const header = count === 0 ? top.map(() => "") : joinRows(headers);
  yield toLine(header);
  yield `|${" --- |".repeat(header.length)}`;
  for (const cells of rest.slice(headers.length)) yield toLine(cells);
}

/**
 * Whether a row contains the names of the columns that a header above spans: "net" and "gross" below "1 kg". The row's other columns
 * are empty or repeat the words of a header that extends down.
 */
function dividesColumns(row: readonly string[], header: readonly string[]): boolean {
  const isSpanned = (column: number) =>
    header[column] !== "" && (header[column] === header[column + 1] || header[column] === header[column - 1]);
  return (
    header.some((_, column) => isSpanned(column)) &&
    header.every((name, column) => {
      const cell = row[column] ?? "";
      return isSpanned(column) ? /^\P{Nd}*\p{L}\P{Nd}*$/u.test(cell) && cell !== name : cell === "" || cell === name;
    })
  );
}

/** Joins header rows into one: the words of each column from top to bottom, without words that a cell repeats in the next row. */
function joinRows(rows: readonly string[][]): string[] {
  const columns = Math.max(...rows.map(({ length }) => length));
  return Array.from({ length: columns }, (_, column) =>
    rows
      .map((cells) => cells[column] ?? "")
      .filter((cell, index, cells) => cell !== "" && cell !== cells[index - 1])
      .join(" "),
  );
}

const toLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
