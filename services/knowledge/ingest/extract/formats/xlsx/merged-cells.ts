import { getAttribute, scanXml } from "../scan-xml.ts";
import { padToColumn } from "../tables.ts";

/** Maximum number of cells in a sheet that repeat merged cells, so that a hostile sheet can't fill memory. */
const maxRepeats = 100_000;

/** Maximum width of merged cells that are repeated. */
const maxColumns = 100;

const closingTag = "</mergeCells>";

interface Merge {
  columns: number[];
  lastRow: number;
  /** The text of its first cell, which Excel shows in the whole range. */
  text?: string | undefined;
}

/** The merged cells of a worksheet (ECMA-376 part 1, 18.3.1.55), processed row by row. */
export class MergedCells {
  /** By the 1-based row in which they begin. */
  readonly #starting = new Map<number, Merge[]>();
  #open: Merge[] = [];

  constructor(xml: string) {
    let repeats = 0;
    const start = xml.lastIndexOf("<mergeCells");
    const end = xml.lastIndexOf(closingTag);
    for (const token of start < 0 || end < start ? [] : scanXml(xml.slice(start, end + closingTag.length))) {
      const reference = token.type === "open" ? getAttribute(token.attributes, "ref") : undefined;
      const [from, to] = (reference ?? "").split(":").map(parseReference);
      if (from === undefined || to === undefined) continue;
      const columns = Array.from({ length: Math.max(0, Math.min(to.column - from.column + 1, maxColumns)) });
      repeats += columns.length * (to.row - from.row + 1);
      if (repeats > maxRepeats) break;
      const merge = { columns: columns.map((_, index) => from.column + index), lastRow: to.row };
      this.#starting.set(from.row, [...(this.#starting.get(from.row) ?? []), merge]);
    }
  }

  /** Repeats the text of merged cells in all of their cells in a row. Rows must be passed in order. */
  fill(cells: string[], row: number): void {
    const starting = this.#starting.get(row) ?? [];
    for (const merge of starting) merge.text = cells[merge.columns[0] ?? 0];
    this.#open = [...this.#open, ...starting].filter(({ lastRow }) => lastRow >= row);
    for (const { columns, text } of this.#open) {
      if (!text) continue;
      for (const column of columns) {
        padToColumn(cells, column + 1);
        if (cells.length > column) cells[column] ||= text;
      }
    }
  }
}

/** The 0-based column and 1-based row of a reference such as "AB12". */
export function parseReference(reference: string): { column: number; row: number } | undefined {
  const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { column, row: Number(digits) };
}
