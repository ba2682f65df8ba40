import type { Range } from "./chunk-marks.ts";

/** Maximum number of characters added so that a window doesn't begin or end within a paragraph or a table. */
const maxBlockLength = 6_000;

/** A part of a document's text that contains a chunk. */
interface ChunkWindow {
  text: string;
  /** The position of the chunk in `text`. */
  chunk: Range;
  /** Whether the document has more text before or after it. */
  isPart: boolean;
}

/**
 * Cuts a document's text around a chunk, between paragraphs. If the window begins within a table, the table's head is repeated before
 * the rows.
 *
 * @param text the document's text, if it is loaded
 * @param chunk the quote and its offsets in UTF-16 units. If the text there differs, the quote is searched for.
 * @param context minimum number of characters to show before and after the chunk
 */
export function cutChunkWindow(
  text: string | undefined,
  { quote, ...at }: { quote: string } & Range,
  context: number,
): ChunkWindow {
  const isThere = text?.slice(at.start, at.end) === quote;
  const start = isThere ? at.start : (text?.indexOf(quote) ?? -1);
  if (text === undefined || start < 0) return { text: quote, chunk: { start: 0, end: quote.length }, isPart: false };
  const end = start + quote.length;
  const from = findBlockStart(text, Math.max(0, start - context));
  const to = findBlockEnd(text, Math.min(text.length, end + context));
  const head = findTableHead(text, from);
  const shift = head.length - from;
  return {
    text: head + text.slice(from, to),
    chunk: { start: start + shift, end: end + shift },
    isPart: from > 0 || to < text.length,
  };
}

function findBlockStart(text: string, at: number): number {
  const blank = at === 0 ? -1 : text.lastIndexOf("\n\n", at);
  const start = blank < 0 ? 0 : blank + 2;
  if (at - start <= maxBlockLength) return Math.min(start, at);
  const line = text.lastIndexOf("\n", at) + 1;
  return at - line <= maxBlockLength ? line : at;
}

function findBlockEnd(text: string, at: number): number {
  const blank = text.indexOf("\n\n", at);
  const end = blank < 0 ? text.length : blank;
  if (end - at <= maxBlockLength) return end;
  const line = text.indexOf("\n", at);
  return line < 0 || line - at > maxBlockLength ? at : line;
}

/** The head of the Markdown table that contains `from`, or an empty string. */
function findTableHead(text: string, from: number): string {
  if (text[from] !== "|" || from === 0) return "";
  const blank = text.lastIndexOf("\n\n", from - 1);
  const block = text.slice(blank < 0 ? 0 : blank + 2, from);
  return /^\|[^\n]*\n\|[-: |]+\|[^\S\n]*\n/.exec(block)?.[0] ?? "";
}
