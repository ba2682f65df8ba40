import type { Row } from "./rows.ts";

/**
 * A document's text from the rows that keep some of it, in any order: a chunk is added where what was kept ends before it.
 *
 * @param lengthBefore that of the text in the rows before these
 */
export function textOf(
  rows: readonly Pick<Row, "chunk" | "document_text" | "search_text" | "end_offset">[],
  lengthBefore = 0,
): string {
  const texts: string[] = [];
  let length = lengthBefore;
  for (const row of rows.toSorted((one, other) => Number(one.chunk) - Number(other.chunk))) {
    const kept = String(row.document_text);
    const chunk = lastOf(String(row.search_text), Number(row.end_offset) - length - kept.length);
    texts.push(kept, chunk);
    length += kept.length + chunk.length;
  }
  return texts.join("");
}

const lastOf = (text: string, length: number): string => (length > 0 ? text.slice(-length) : "");
