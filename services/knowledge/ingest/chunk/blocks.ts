/** A stretch of a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** Lines that belong together. */
export interface Block extends Range {
  /** How a long block is cut: prose between sentences; code, lists and tables between lines. */
  kind: "prose" | "lines";
}

/** Only this much of a line is examined to classify it. */
const maxExaminedCharacters = 200;

/** The opening marker of a fenced code block that is still open. */
export interface Fence {
  marker?: string | undefined;
}

/**
 * The blocks of `text` between `from` and `to`: paragraphs, and lists, tables and fenced code as a whole.
 *
 * @param open the fence that is open at `from`; updated to the one open at `to`
 */
export function* findBlocks(
  text: string,
  from: number,
  to: number,
  open: Fence = {},
): Generator<Block, void, undefined> {
  let block: Block | undefined;
  let fence = open.marker;
  for (let start = from; start < to; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 || newline >= to ? to : newline;
    const line = text.slice(start, Math.min(end, start + maxExaminedCharacters));
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && line.trim() === "" && line.length < maxExaminedCharacters) {
      if (block !== undefined) yield block;
      block = undefined;
    } else {
      const kind = fence !== undefined || marker !== undefined || isSeparateLine(line) ? "lines" : "prose";
      const continues =
        block !== undefined && (block.kind === kind || isContinuation(line)) && !startsFence(fence, marker);
      if (continues && block !== undefined) block.end = end;
      else {
        if (block !== undefined) yield block;
        block = { start, end, kind };
      }
      if (fence === undefined) fence = marker;
      else if (marker?.startsWith(fence)) fence = undefined;
    }
    start = end + 1;
  }
  if (block !== undefined) yield block;
  open.marker = fence;
}

function startsFence(open: string | undefined, marker: string | undefined): boolean {
  return open === undefined && marker !== undefined;
}

/** A list item, a table's row, or a heading. */
function isSeparateLine(line: string): boolean {
  return /^\s*(?:[-*+•]\s|\d{1,9}[.)]\s|\||#{1,6}\s)/.test(line);
}

/** An indented line continues the list item above it. */
function isContinuation(line: string): boolean {
  return /^(?: {2}|\t)/.test(line);
}
