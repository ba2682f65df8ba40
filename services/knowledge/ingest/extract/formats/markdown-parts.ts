/** A block with more links than this gets none of their targets: each one is searched in the whole block. */
export const maxExaminedLinks = 100;

/** A block with more links than this keeps none: they are references of dense prose, and would outnumber its words. */
const maxLinksPerBlock = 3;

/** Cells left empty between two others are kept, so that columns stay columns, up to this many. */
const maxEmptyCells = 100;

/** White space collapsed to single spaces. */
export const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A block's text followed by its links with web addresses, so that the sentences stay whole and can be searched and quoted. */
export function appendLinks(text: string, links: readonly { text: string; url: string }[]): string {
  if (links.length > maxExaminedLinks) return text;
  const targets = new Map<string, string>();
  for (const link of links) {
    const words = toOneLine(link.text);
    if (words === "" || !/^https?:\/\//i.test(link.url) || text.includes(link.url)) continue;
    const before = targets.get(link.url);
    targets.set(link.url, before === undefined ? words : `${before} ${words}`);
    if (targets.size > maxLinksPerBlock) return text;
  }
  if (targets.size === 0 || text.trim() === "") return text;
  const only = targets.size === 1 ? [...targets][0] : undefined;
  if (only !== undefined && only[1] === toOneLine(text)) return `[${only[1]}](${only[0]})`;
  return `${text.trimEnd()} ${[...targets].map(([url, words]) => `[${words}](${url})`).join(" ")}`;
}

/** Rows of cells as the lines of a Markdown table, whose second line makes it one. */
export function* toTableLines(rows: Iterable<readonly string[]>): Generator<string, void, undefined> {
  let isFirst = true;
  for (const cells of rows) {
    yield `| ${cells.map((cell) => toOneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
    if (isFirst) yield `|${" --- |".repeat(cells.length)}`;
    isFirst = false;
  }
}

/** Adds empty cells to a row, so that the next cell is in a column, which counts from 0. */
export function padToColumn(cells: string[], column: number): void {
  const empty = Math.min(column - cells.length, maxEmptyCells);
  for (let count = 0; count < empty; count++) cells.push("");
}

/** Removes the empty cells at the end of a row. */
export function trimRow(cells: string[]): string[] {
  while (cells.at(-1)?.trim() === "") cells.pop();
  return cells;
}
