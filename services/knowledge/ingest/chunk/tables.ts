import type { Range } from "../extract/document.ts";

/** Maximum length of a repeated header row, in UTF-16 code units: about one chunk. Wider tables lose the last columns of their header. */
const maxHeaderCharacters = 1_600;

/**
 * The row below a Markdown table's header, `|---|:--:|` (GitHub Flavored Markdown, section 4.10). It may be inside a list or quote. Org
 * mode has `|---+---|`.
 */
const delimiterRow = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** A delimiter row of several columns, and a header of several cells. In MediaWiki's tables, `|-` separates rows of several cells. */
const severalColumns = /-[^-]*[|+][^-]*-/;
const severalCells = /^[\s>]*\|?\s*[^|>\s].*(?<!\\)\|.*[^|\s]/;

/** Whether a line continues the Markdown table above it. Text without a pipe starts a new paragraph. */
export const isTableRow = (line: string): boolean => line.includes("|");

/** The header row of a Markdown table, if `range` contains it: the line below a header is a delimiter row. */
export function findTableHeader(text: string, { start, end }: Range, to: number): string | undefined {
  const newline = text.indexOf("\n", end + 1);
  const below = text.slice(end + 1, newline === -1 ? to : Math.min(newline, to));
  if (!below.includes("|") || !delimiterRow.test(below)) return undefined;
  const header = toHeader(text.slice(start, end));
  return severalColumns.test(below) || !severalCells.test(header) ? header : undefined;
}

/** Maximum number of records of a CSV file to search for the header. A title and other lines may precede it. */
const maxHeaderRecords = 10;
/** Maximum number of records used to determine the table's width. */
const maxComparedRecords = 40;

/** Minimum share of columns that a header names. It may lack the name of some columns, such as the first one. */
const minNamedColumns = 0.8;

const separators = [";", "\t", ",", "|"] as const;

/** The header of comma- or tab-separated values: the first record that is as wide as the records below it. */
export function findRecordHeader(text: string, range: Range): { start: number; header: string } {
  const { record } = findHeaderRecord(text, range);
  return { start: record.start, header: toHeader(text.slice(record.start, record.end)) };
}

/** The lines above the header as text, followed by an empty line and the records. */
export function separateTitle(text: string): string {
  const { record, separator } = findHeaderRecord(text, { start: 0, end: text.length });
  if (record.start === 0) return text;
  const above = [...splitRecords(text, { start: 0, end: record.start })]
    .map(({ start, end }) => readValues(text.slice(start, end), separator).filter((value) => value !== ""))
    .filter(({ length }) => length > 0);
  return [
    ...above.map((values) => `${values.join(" ")}\n`),
    ...(above.length > 0 ? ["\n"] : []),
    text.slice(record.start),
  ].join("");
}

function findHeaderRecord(text: string, range: Range): { record: Range; separator: string } {
  const records: Range[] = [];
  for (const record of splitRecords(text, range)) {
    if (text.slice(record.start, record.end).trim() !== "") records.push(record);
    if (records.length === maxComparedRecords) break;
  }
  const tables = separators.map((separator) => {
    const widths = records.map(({ start, end }) => {
      return readValues(text.slice(start, Math.min(end, start + maxRecordCharacters)), separator).length;
    });
    // Use the median of the second half, which is far from any title.
    const below = widths.slice(Math.floor(widths.length / 2)).sort((one, other) => one - other);
    const width = below[Math.floor(below.length / 2)] ?? 0;
    return { separator, widths, width, values: (width - 1) * widths.filter((other) => other === width).length };
  });
  // Commas also occur in texts and numbers, so take the separator that gives the most values.
  const { separator, widths, width } = tables.reduce((best, next) => (next.values > best.values ? next : best));
  const found = widths.slice(0, maxHeaderRecords).findIndex((other) => other >= Math.max(2, width * minNamedColumns));
  return { record: records[Math.max(0, found)] ?? range, separator };
}

/** The values of a record, without empty values at its end. */
function readValues(record: string, separator: string): string[] {
  const values = record
    .replace(/"(?:[^"]|"")*"/g, (quoted) => quoted.slice(1, -1).replaceAll(separator, " "))
    .split(separator)
    .map((value) => value.replace(/\s+/g, " ").trim());
  return values.slice(0, values.findLastIndex((value) => value !== "") + 1);
}

function toHeader(row: string): string {
  return row.slice(0, maxHeaderCharacters).replace(/\s+/g, " ").trim();
}

/** Maximum length of a record with line breaks inside quoted values. In a longer record, the quotation mark is an ordinary character. */
const maxRecordCharacters = 10_000;

/** The records of comma- or tab-separated values (RFC 4180). A record with line breaks inside quoted values stays whole. */
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

/** The end of a record with quoted values, or undefined if a quotation mark stays open beyond the maximum length of a record. */
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
