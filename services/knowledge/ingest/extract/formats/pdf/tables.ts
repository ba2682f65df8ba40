import { toTableLines } from "../tables.ts";
import type { Column } from "./columns.ts";
import { findColumn, findColumns, isInColumn } from "./columns.ts";
import type { Line, Segment } from "./lines.ts";

/** A table found in the lines of a page, as Markdown. */
export interface PageTable {
  table: string;
  columns: readonly Column[];
  /** Rows with the names of the columns. Empty if the first row has values. */
  header: string[][];
  /** Path of the headings that begin at its first line. */
  heading: string | undefined;
}

/** Segments at the same height, from left to right. */
interface Row {
  y: number;
  height: number;
  segments: Segment[];
}

/**
 * Maximum distances between baselines, in line heights: within one row, to the next row of a table, and to a line that continues a
 * cell.
 */
const sameRow = 0.35;
const maxRowGap = 4;
const maxWrapGap = 1.6;

/** Maximum number of single-segment lines between two rows. These are wrapped cells, or headings within a table. */
const maxSingleLines = 5;

/** A wider line, as a share of a row's width, is a paragraph or the title of the next table. */
const maxSingleShare = 0.6;

/** Maximum number of lines at the start of a run of rows that may not belong to the table, such as its title. */
const maxFirstLines = 4;

/** Maximum number of lines before the rows to examine for headers. Header cells may be written one after another. */
const maxHeaderLines = 8;

const maxHeaderRows = 4;

/** Minimum share of a table's cells that contain text. */
const minFilledShare = 0.45;

/** With fewer rows of values than this, all rows are used to find the table's columns. */
const minValueRows = 3;

/** A bullet or number at the start of a line, which isn't a cell. */
const listMarker = /^(?:[^\p{L}\p{N}]{1,2}|\(?[\dA-Za-z]{1,3}[.)]|\d+(?:\.\d+)+\.?)$/u;

/** Whether a cell consists mostly of digits. Years don't count, because they are just as often headers. */
const isValue = (text: string): boolean =>
  /\d/.test(text) && !/^\s*(?:19|20)\d\d\s*$/.test(text) && text.replace(/[^\p{L}]/gu, "").length <= text.length / 3;

/**
 * The lines of a page in file order, with the tables among them. Tables don't need rules around their cells: gaps that many rows share
 * reveal the columns. Takes time linear in the number of lines, apart from sorting.
 *
 * @param above the table at the end of the previous page, which may continue at the top of this one without its header
 */
export function findTables(lines: readonly Line[], above?: PageTable): (Line | PageTable)[] {
  const found: (Line | PageTable)[] = [];
  let done = 0;
  for (let first = 0; first < lines.length; ) {
    const end = findRunEnd(lines, first);
    for (let start = first; start < Math.min(end, first + maxFirstLines) && done <= first; start++) {
      const table = toTable(lines, { done, start, end, above });
      if (table === undefined) continue;
      for (const line of lines.slice(done, table.start)) found.push(line);
      found.push({ ...table.found, heading: lines[table.start]?.heading });
      done = table.end;
    }
    first = Math.max(end, done, first + 1);
  }
  return found.concat(lines.slice(done));
}

/** Where the run of rows that begins at `start` ends. Equals `start` if that line isn't a row. */
function findRunEnd(lines: readonly Line[], start: number): number {
  let end = start;
  let lastRow = Number.POSITIVE_INFINITY;
  let width = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (let index = start; index < lines.length && index - end <= maxSingleLines; index++) {
    const line = lines[index];
    if (line === undefined || line.segments.length === 0 || (index > start && line.heading !== undefined)) break;
    const isNear = index === start || lowest - line.y <= maxRowGap * line.height;
    if (!isNear || line.y > lastRow + sameRow * line.height) break;
    if (hasCells(line)) {
      end = index + 1;
      lastRow = line.y;
      width = getWidth(line);
    } else if (getWidth(line) > maxSingleShare * width) break;
    lowest = Math.min(lowest, line.y);
  }
  return end;
}

const getWidth = ({ segments }: Line): number =>
  Math.max(...segments.map(({ right }) => right)) - Math.min(...segments.map(({ left }) => left));

function hasCells({ segments: [first, ...others] }: Line): boolean {
  return others.length > (first !== undefined && listMarker.test(first.text.trim()) ? 1 : 0);
}

function toTable(
  lines: readonly Line[],
  { done, start, end, above }: { done: number; start: number; end: number; above: PageTable | undefined },
): { start: number; end: number; found: Omit<PageTable, "heading"> } | undefined {
  const core = lines.slice(start, end);
  const several = toRows(core).flatMap(({ segments }) => (segments.length > 1 ? [segments] : []));
  // Headers may span columns, but values don't.
  const withValues = several.filter((segments) => segments.filter(({ text }) => isValue(text)).length > 1);
  const columns = findColumns(withValues.length < minValueRows ? several : withValues);
  if (columns === undefined) return undefined;
  const from = findHeaderStart(lines, { done, start, columns });
  const to = findTableEnd(lines, { end, columns });
  const rows = joinWrapped(toRows(lines.slice(from, to)), columns);
  const filled = rows.flat().filter((cell) => cell !== "").length;
  if (filled < rows.length * columns.length * minFilledShare) return undefined;
  const continued = from === 0 && hasValues(rows[0]) && above && isBelow(above, columns) ? above.header : [];
  const all = [...continued, ...rows];
  const headerRows = continued.length || countHeaderRows(rows);
  const header = all.slice(0, headerRows).filter((cells) => !hasValues(cells));
  return { start: from, end: to, found: { table: [...toTableLines(all, headerRows)].join("\n"), columns, header } };
}

const isBelow = ({ columns }: PageTable, below: readonly Column[]): boolean =>
  columns.length === below.length &&
  columns.every(({ left, right }, index) => {
    const column = below[index];
    return column !== undefined && column.left < right && column.right > left;
  });

const hasValues = (cells: readonly string[] = []): boolean => cells.slice(1).some(isValue);

/** The lines' segments grouped by height, from top to bottom. */
function toRows(lines: readonly Line[]): Row[] {
  const rows: Row[] = [];
  for (const { y, height, segments } of [...lines].sort((one, other) => other.y - one.y)) {
    const last = rows.at(-1);
    if (last !== undefined && last.y - y <= sameRow * Math.max(height, last.height)) last.segments.push(...segments);
    else rows.push({ y, height, segments: [...segments] });
  }
  for (const { segments } of rows) segments.sort((one, other) => one.left - other.left);
  return rows;
}

/** Finds headers before the first row that are written cell by cell, or as one line above each column. */
function findHeaderStart(
  lines: readonly Line[],
  { done, start, columns }: { done: number; start: number; columns: readonly Column[] },
): number {
  let top = lines[start]?.y ?? 0;
  let from = start;
  const filled = new Set<Column>();
  for (let index = start - 1; index >= Math.max(done, start - maxHeaderLines); index--) {
    const line = lines[index];
    if (line === undefined || line.segments.length === 0 || line.heading !== undefined) break;
    const isAbove = line.y >= top - sameRow * line.height && line.y - top <= 2 * maxWrapGap * line.height;
    // A paragraph or a title above the table extends over its first columns.
    const fits = line.segments.length > 1 || line.segments.every((segment) => fitsHeader(columns, segment));
    if (!isAbove || !fits) break;
    top = Math.max(top, line.y);
    for (const column of columns.filter((one) => line.segments.some((segment) => isInColumn(one, segment))))
      filled.add(column);
    if (filled.size > 1 || line.y - (lines[start]?.y ?? 0) <= sameRow * line.height) from = index;
  }
  return from;
}

/** Finds the lines that continue cells of the last row. A line in the first column may begin a paragraph. */
function findTableEnd(lines: readonly Line[], { end, columns }: { end: number; columns: readonly Column[] }): number {
  let to = end;
  let bottom = lines[end - 1]?.y ?? 0;
  for (let index = end; index < Math.min(lines.length, end + maxSingleLines); index++) {
    const line = lines[index];
    const [segment] = line?.segments ?? [];
    if (line === undefined || segment === undefined || line.heading !== undefined) break;
    if (bottom - line.y > maxWrapGap * line.height || !fitsColumn(columns, segment)) break;
    if (findColumn(columns, segment) === columns[0]) break;
    bottom = Math.min(bottom, line.y);
    to = index + 1;
  }
  return to;
}

const fitsColumn = (columns: readonly Column[], segment: Segment): boolean =>
  columns.filter((column) => isInColumn(column, segment)).length === 1;

const fitsHeader = ([first, ...others]: readonly Column[], segment: Segment): boolean =>
  (first !== undefined && !isInColumn(first, segment)) || others.every((column) => !isInColumn(column, segment));

/** Rows of cells. Lines that continue cells of the row above, without a cell in the first column, are joined to that row. */
function joinWrapped(rows: readonly Row[], columns: readonly Column[]): string[][] {
  const joined: string[][] = [];
  let above: Row | undefined;
  const firstValues = rows.findIndex(({ segments }) => segments.slice(1).some(({ text }) => isValue(text)));
  for (const [index, row] of rows.entries()) {
    // Repeat a header that spans columns in each of them.
    const isHeader = index < firstValues && firstValues <= maxHeaderRows;
    const nearest = row.segments.map((segment) => findColumn(columns, segment));
    const cells = columns.map((column) =>
      row.segments
        .filter((segment, at) => nearest[at] === column || (isHeader && isInColumn(column, segment)))
        .map(({ text }) => text.trim())
        .join(" "),
    );
    const last = joined.at(-1);
    const isNear = above !== undefined && above.y - row.y <= maxWrapGap * Math.min(row.height, above.height);
    const continues =
      cells[0] === "" && !cells.some(isValue) && cells.some((cell, column) => cell !== "" && last?.[column]);
    if (last !== undefined && isNear && continues) {
      for (const [column, cell] of cells.entries()) last[column] = [last[column], cell].filter(Boolean).join(" ");
    } else joined.push(cells);
    above = row;
  }
  return joined.filter((cells) => cells.some((cell) => cell !== ""));
}

/**
 * The number of rows above the first row with values, if there is one. The first column has one name: where two rows have one, the second is
 * the table's first row, whose value has letters ("1.8 litres").
 */
function countHeaderRows(rows: readonly string[][]): number {
  const first = rows.findIndex((cells) => hasValues(cells));
  const isHeader = rows.slice(0, first).filter(([name]) => name !== "").length <= 1;
  return first > 0 && first <= maxHeaderRows && isHeader ? first : 1;
}
