import type { Range } from "../extract/document.ts";

/** A header row is repeated up to this length, in UTF-16 code units: about a chunk. Wider tables lose their last columns there. */
const maxHeaderCharacters = 1_600;

/** The row below a Markdown table's header, `|---|:--:|` (GitHub Flavored Markdown, section 4.10), also inside lists and quotes. */
const delimiterRow = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** Whether a line continues the Markdown table above it. Text without a pipe is a paragraph after the table. */
export const isTableRow = (line: string): boolean => line.includes("|");

/** The header row of a Markdown table if it is in `range`: the line below it is a delimiter row. */
export function findTableHeader(text: string, { start, end }: Range, to: number): string | undefined {
  const newline = text.indexOf("\n", end + 1);
  const below = text.slice(end + 1, newline === -1 ? to : Math.min(newline, to));
  return below.includes("|") && delimiterRow.test(below) ? toHeader(text.slice(start, end)) : undefined;
}

/** Records of a CSV file that are searched for its header: lines with a single value, such as a title, may come before it. */
const maxHeaderRecords = 10;

/** The header of comma- or tab-separated values: the first record of several values. */
export function findRecordHeader(text: string, range: Range): string {
  let first: string | undefined;
  let examined = 0;
  for (const { start, end } of splitRecords(text, range)) {
    const record = text.slice(start, Math.min(end, start + maxHeaderCharacters));
    first ??= record;
    if (/[^,;\t|\s][^,;\t|]*[,;\t|]+[^,;\t|]*[^,;\t|\s]/.test(record)) return toHeader(record);
    if (++examined === maxHeaderRecords) break;
  }
  return toHeader(first ?? "");
}

function toHeader(row: string): string {
  return row.slice(0, maxHeaderCharacters).replace(/\s+/g, " ").trim();
}

/** A quoted value with line breaks makes a record at most this long. In a longer one the quotation mark is an ordinary character. */
const maxRecordCharacters = 10_000;

/** The records of comma- or tab-separated values (RFC 4180): lines, and those with line breaks inside quoted values as a whole. */
export function* splitRecords(text: string, { start: from, end: to }: Range): Generator<Range, void, undefined> {
  let quote = text.indexOf('"', from);
  for (let start = from; start < to; ) {
    const newline = text.indexOf("\n", start);
    let end = newline === -1 || newline >= to ? to : newline + 1;
    if (quote !== -1 && quote < start) quote = text.indexOf('"', start);
    if (quote !== -1 && quote < end) end = findRecordEnd(text, start, to) ?? end;
    yield { start, end };
    start = end;
  }
}

/** The end of a record with quoted values. Undefined if a quotation mark stays open for longer than a record may be. */
function findRecordEnd(text: string, start: number, to: number): number | undefined {
  let isQuoted = false;
  const max = Math.min(to, start + maxRecordCharacters);
  for (let offset = start; offset < max; offset++) {
    const character = text[offset];
    if (isQuoted && character === '"') {
      if (text[offset + 1] === '"') offset++;
      else isQuoted = false;
    } else if (!isQuoted && character === "\n") return offset + 1;
    else if (character === '"') isQuoted = offset === start || /[,;\t|]/.test(text[offset - 1] ?? "");
  }
  return isQuoted ? undefined : to > max ? undefined : to;
}
