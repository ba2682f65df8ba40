import { oneLine } from "./citations.ts";

const minLastColumn = 20;

/** Renders a Markdown table as aligned columns without links, cut to the width of a terminal. */
export function alignTable(markdown: string, maxColumns: number): string {
  const [header = [], , ...rows] = markdown.split("\n").map(readCells);
  const lines = [header, ...rows].map((row) => moveLongest(row, header.indexOf("Tagline")));
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  return lines
    .map((line) => {
      const last = oneLine(line.at(-1) ?? "", Math.max(minLastColumn, maxColumns - before));
      const cells = line.slice(0, -1).map((cell, at) => {
        const width = widths[at] ?? 0;
        return /^[\d–]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
      });
      return [...cells, last].join("  ").trimEnd();
    })
    .join("\n");
}

/** Moves the longest column to the end, so that only that column is cut. */
function moveLongest(row: readonly string[], at: number): string[] {
  if (at < 0) return [...row];
  return [...row.slice(0, at), ...row.slice(at + 1), row[at] ?? ""];
}

const readCells = (line: string): string[] =>
  line
    .replace(/^\|\s*|\s*\|$/g, "")
    .split(/\s*(?<!\\)\|\s*/)
    .map((cell) => cell.replace(/^\[((?:[^\]\\]|\\.)*)\]\(.*\)$/, "$1").replace(/\\(.)/g, "$1"));
