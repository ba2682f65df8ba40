import type { ChunkRanges } from "../markdown/chunk-marks.ts";
import { cutPieces } from "../markdown/chunk-marks.ts";
import { ScrollingTable } from "../markdown/ScrollingTable.tsx";

const separators = [",", ";", "\t"];

/** A part of a CSV or TSV file as a table; a record is marked as a whole. */
export function RecordTable({ text, ranges }: { text: string; ranges: ChunkRanges }) {
  const [firstLine = ""] = text.split("\n", 1);
  const countOf = (one: string) => firstLine.split(one).length;
  const separator = separators.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
  return (
    <ScrollingTable>
      <tbody>
        {[...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => {
          const kinds = cutPieces(line, index, ranges).map(({ kind }) => kind);
          const isSupport = kinds.includes("support");
          return (
            <tr key={index} className={kinds.every((kind) => kind === "context") ? "context" : undefined}>
              {splitRecord(line, separator).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a record's fields have no other name than their place
                <td key={column}>{isSupport ? <mark>{cell}</mark> : cell}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </ScrollingTable>
  );
}

/** The fields of a record; a quoted one may hold the separator, and a doubled quote stands for one. */
function splitRecord(line: string, separator: string): string[] {
  const fields = [""];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) fields.push("");
    else fields[fields.length - 1] += character;
  }
  return fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replaceAll('""', '"'),
  );
}
