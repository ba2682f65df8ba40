import type { Segment } from "./lines.ts";

/** A column of a table, in points from the left edge. */
export interface Column {
  left: number;
  right: number;
}

/** Maximum share of rows that may reach into the gap between two columns, such as headers and titles that span both. */
const maxCrossingShare = 0.1;

/** In most rows, the cells of a column share their left edge, right edge or centre, within this tolerance in points. */
const alignmentTolerance = 4;
const minAlignedShare = 0.6;

/** Maximum typical length of a table cell. Two or three text columns on a page look like a table, but their cells are longer. */
const maxTypicalCharacters = 45;

const minFilledShare = 0.5;

/** Maximum number of columns. More don't fit on a page. It also bounds the running time. */
const maxColumns = 60;

/** The columns of rows of segments, or undefined if the rows aren't a table. */
export function findColumns(rows: readonly (readonly Segment[])[]): Column[] | undefined {
  const ranges = findCoveredRanges(rows);
  if (ranges.length > maxColumns) return undefined;
  const columns = ranges.filter(({ left, right }) => {
    const support = rows.filter((row) => row.some((segment) => segment.left < right && segment.right > left)).length;
    return support >= 2;
  });
  if (columns.length < 2 || rows.length < (columns.length === 2 ? 3 : 2)) return undefined;
  const cells = rows.flatMap((row) => row.map((segment) => ({ segment, column: findColumn(columns, segment) })));
  if (cells.length < rows.length * columns.length * minFilledShare) return undefined;
  const isLong = ({ segment }: { segment: Segment }) => segment.text.length > maxTypicalCharacters;
  if (columns.length < 4 && cells.filter(isLong).length > cells.length / 3) return undefined;
  // A column of bullets doesn't make a table.
  const [first] = columns;
  const isText = ({ segment, column }: (typeof cells)[number]) => column === first && segment.text.trim().length > 2;
  if (columns.length === 2 && !cells.some(isText)) return undefined;
  const aligned = columns.filter((column) => isAligned(cells.filter((cell) => cell.column === column)));
  return aligned.length > columns.length / 2 ? columns : undefined;
}

/** The ranges in which more than a few rows have text. */
function findCoveredRanges(rows: readonly (readonly Segment[])[]): Column[] {
  const edges = rows.flatMap((row) =>
    row.flatMap(({ left, right }) => [
      { at: left, change: 1 },
      { at: right, change: -1 },
    ]),
  );
  edges.sort((one, other) => one.at - other.at || one.change - other.change);
  const maxCrossing = Math.floor(rows.length * maxCrossingShare);
  const ranges: Column[] = [];
  let depth = 0;
  for (const { at, change } of edges) {
    const before = depth;
    depth += change;
    if (before <= maxCrossing && depth > maxCrossing) ranges.push({ left: at, right: at });
    const last = ranges.at(-1);
    if (before > maxCrossing && depth <= maxCrossing && last !== undefined) last.right = at;
  }
  return ranges;
}

/** The column that a segment overlaps most, or else the nearest one. */
export function findColumn(columns: readonly Column[], { left, right }: Column): Column | undefined {
  let best: Column | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const column of columns) {
    // The overlap is negative for a column next to the segment.
    const overlap = Math.min(column.right, right) - Math.max(column.left, left);
    if (overlap > most) [best, most] = [column, overlap];
  }
  return best;
}

/** Whether a segment reaches into a column. */
export const isInColumn = (column: Column, { left, right }: Column): boolean =>
  Math.min(column.right, right) - Math.max(column.left, left) > Math.min(alignmentTolerance, (right - left) / 2);

function isAligned(cells: readonly { segment: Segment }[]): boolean {
  const edges = [
    ({ left }: Segment) => left,
    ({ right }: Segment) => right,
    ({ left, right }: Segment) => (left + right) / 2,
  ];
  return edges.some((edge) => {
    const places = cells.map(({ segment }) => edge(segment)).sort((one, other) => one - other);
    const median = places[Math.floor(places.length / 2)] ?? 0;
    const near = places.filter((place) => Math.abs(place - median) <= alignmentTolerance).length;
    return near >= places.length * minAlignedShare;
  });
}
