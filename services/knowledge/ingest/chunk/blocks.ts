import type { Range } from "../extract/document.ts";
import { findRecordHeader, findTableHeader, isTableRow } from "./tables.ts";

/** Lines that belong together. */
export interface Block extends Range {
  /** How a long block is cut: prose between sentences; code, lists and Markdown tables between lines; CSV between records. */
  kind: "prose" | "lines" | "table" | "records";
  /** The header row of a table. */
  tableHeader?: string | undefined;
  /** Whether the table began in the previous stretch, so that this block doesn't contain its header. */
  isContinued?: boolean;
}

/** Maximum number of characters of a line to examine when classifying it. */
const maxExaminedCharacters = 200;

/** The block that is still open where one stretch of a document ends and the next begins. */
export interface OpenBlock {
  /** The opening marker of a fenced code block. */
  fence?: string | undefined;
  /** The header row of a table. */
  tableHeader?: string | undefined;
}

/**
 * The blocks of `text` between `from` and `to`: paragraphs, lists, tables and fenced code. Each list, table and code block stays whole.
 *
 * @param open the block that is open at `from`; updated to the one open at `to`
 */
export function* findBlocks(
  text: string,
  from: number,
  to: number,
  open: OpenBlock = {},
): Generator<Block, void, undefined> {
  let block: Block | undefined;
  let { fence, tableHeader: continuedHeader } = open;
  for (let start = from; start < to; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 || newline >= to ? to : newline;
    const line = text.slice(start, Math.min(end, start + maxExaminedCharacters));
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && line.trim() === "" && line.length < maxExaminedCharacters) {
      if (block !== undefined) yield block;
      block = undefined;
    } else if (fence === undefined && block?.kind === "table" && isTableRow(line)) {
      block.end = end;
    } else {
      const mayBeTable = fence === undefined && isTableRow(line);
      const tableHeader = mayBeTable ? findTableHeader(text, { start, end }, to) : undefined;
      const isContinued = mayBeTable && continuedHeader !== undefined && tableHeader === undefined;
      if (tableHeader !== undefined || isContinued) {
        if (block !== undefined) yield block;
        block = { start, end, kind: "table", tableHeader: tableHeader ?? continuedHeader, isContinued };
      } else {
        const kind = fence !== undefined || marker !== undefined || isSeparateLine(line) ? "lines" : "prose";
        const continues =
          block !== undefined && (block.kind === kind || isContinuation(line, block)) && !startsFence(fence, marker);
        if (continues && block !== undefined) block.end = end;
        else {
          if (block !== undefined) yield block;
          block = { start, end, kind };
        }
      }
      if (fence === undefined) fence = marker;
      else if (marker?.startsWith(fence)) fence = undefined;
    }
    continuedHeader = undefined;
    start = end + 1;
  }
  if (block !== undefined) yield block;
  open.fence = fence;
  open.tableHeader = block?.tableHeader;
}

/** Comma- or tab-separated values as one block. The lines above their header form another block. */
export function findRecords(text: string, range: Range, open: OpenBlock): Block[] {
  const { tableHeader } = open;
  if (tableHeader !== undefined) return [{ ...range, kind: "records", tableHeader, isContinued: true }];
  const { start, header } = findRecordHeader(text, range);
  open.tableHeader = header;
  const records: Block = { ...range, start, kind: "records", tableHeader: header };
  return start === range.start ? [records] : [{ start: range.start, end: start, kind: "lines" }, records];
}

function startsFence(open: string | undefined, marker: string | undefined): boolean {
  return open === undefined && marker !== undefined;
}

/** A list item, a row of a table without a header, or a heading. */
function isSeparateLine(line: string): boolean {
  return /^\s*(?:[-*+•]\s|\d{1,9}[.)]\s|\||#{1,6}\s)/.test(line);
}

/** An indented line continues the list item above it. */
function isContinuation(line: string, { kind }: Block): boolean {
  return kind !== "table" && /^(?: {2}|\t)/.test(line);
}
