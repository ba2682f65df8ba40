import type { Line, Segment } from "./lines.ts";

/** With fewer lines, the columns could also be a table. */
const minLines = 5;
const minColumnLines = 4;

/** Maximum distance, in points, that a line may begin to the left of its column. */
const tolerance = 4;

/** Distance to the next line beyond which the columns end, in line heights. */
const maxGap = 4;

/** In running text, most lines reach at least this part of the widest line, and many continue in the middle of a sentence. */
const minFullPart = 0.7;
const minFullShare = 0.6;
const minContinuedShare = 0.4;
const minMeanCharacters = 20;

/** In a table, the gap between rows is wider than within a wrapped cell, at the same height in all columns. */
const rowGap = 1.25;
const maxRowGapShare = 0.125;

/**
 * Puts the lines of a page in reading order if the file stores text columns row by row: one column after the other. Takes time linear
 * in the number of lines, apart from sorting.
 */
export function orderColumns(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (let start = 0; start < lines.length; ) {
    const columns = lines[start]?.segments.map(({ left }) => left) ?? [];
    const end = columns.length > 1 ? findEnd(lines, start, columns) : start;
    const run = lines.slice(start, end);
    const texts = columns.map((_, column) => run.flatMap((line) => toColumnLine(line, columns, column)));
    if (run.length >= minLines && texts.every(isText) && !hasRowGaps(run, columns.length))
      ordered.push(...texts.flat());
    else ordered.push(...lines.slice(start, Math.max(end, start + 1)));
    start = Math.max(end, start + 1);
  }
  return ordered;
}

/** The end of a run of lines that go down the page and fit the columns. */
function findEnd(lines: readonly Line[], start: number, columns: readonly number[]): number {
  let end = start;
  for (let previous = lines[start]; previous !== undefined; end++) {
    const line = lines[end];
    if (line === undefined || line.heading !== undefined || line.segments.length === 0) break;
    const gap = previous.y - line.y;
    if ((end > start && gap <= 0) || gap > maxGap * line.height) break;
    if (!line.segments.every((segment) => isWithinColumn(columns, segment))) break;
    previous = line;
  }
  return end;
}

const findColumn = (columns: readonly number[], { left }: Segment): number =>
  columns.findLastIndex((column) => column - tolerance <= left);

function isWithinColumn(columns: readonly number[], segment: Segment): boolean {
  const column = findColumn(columns, segment);
  return column >= 0 && segment.right < (columns[column + 1] ?? Number.POSITIVE_INFINITY);
}

function toColumnLine(line: Line, columns: readonly number[], column: number): Line[] {
  const segments = line.segments.filter((segment) => findColumn(columns, segment) === column);
  const joined = segments.map(({ text }) => text).join("");
  return segments.length === 0 ? [] : [{ ...line, segments, text: joined.trim() }];
}

/** Whether the lines of a column are wrapped running text. */
function isText(lines: readonly Line[]): boolean {
  if (lines.length < minColumnLines) return false;
  const widths = lines.map(({ segments }) => (segments.at(-1)?.right ?? 0) - (segments[0]?.left ?? 0));
  const widest = widths.reduce((most, width) => Math.max(most, width), 0);
  const full = widths.filter((width) => width >= widest * minFullPart).length;
  const continued = lines.slice(1).filter(({ text }) => /^\p{Ll}/u.test(text)).length;
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return (
    full >= lines.length * minFullShare &&
    continued >= (lines.length - 1) * minContinuedShare &&
    characters >= lines.length * minMeanCharacters
  );
}

function hasRowGaps(lines: readonly Line[], columns: number): boolean {
  const gaps = lines.slice(1).map(({ y }, index) => (lines[index]?.y ?? y) - y);
  const usual = [...gaps].sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  const wide = gaps.filter((gap, index) => gap > usual * rowGap && lines[index + 1]?.segments.length === columns);
  return wide.length > lines.length * maxRowGapShare;
}
