import { memo } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { ScrollingTable, safeComponents } from "../markdown/safe-components.tsx";
import type { ChunkRanges } from "./chunk-marks.ts";
import { cutPieces, remarkChunkMarks } from "./chunk-marks.ts";
import { joinLines } from "./join-lines.ts";

/** The service converts all other types to Markdown. */
const plainTypes = ["text/plain", "application/pdf"];
const recordTypes = ["text/csv", "text/tab-separated-values"];

/** A part of a document: Markdown rendered, CSV as a table, PDF with wrapped lines joined, other text unchanged. */
export const ChunkText = memo(function ChunkText({
  text,
  ranges,
  contentType,
}: {
  text: string;
  ranges: ChunkRanges;
  /** The document's type. Text of an unknown type is shown unchanged. */
  contentType: string | undefined;
}) {
  if (contentType !== undefined && recordTypes.includes(contentType)) {
    return (
      <div className="chunk-text">
        <RecordTable text={text} ranges={ranges} />
      </div>
    );
  }
  if (contentType !== undefined && !plainTypes.includes(contentType)) {
    return (
      <div className="stack answer-text chunk-text" dir="auto">
        <Markdown remarkPlugins={[remarkGfm, [remarkChunkMarks, { source: text, ranges }]]} components={safeComponents}>
          {text}
        </Markdown>
      </div>
    );
  }
  const isPdf = contentType === "application/pdf";
  const shown = isPdf ? joinLines(text) : text;
  return (
    <div className={isPdf ? "chunk-text document-text document-text-joined" : "chunk-text document-text"}>
      {cutPieces(shown, 0, ranges).map(({ text: piece, kind, start }) =>
        kind === "support" ? (
          <mark key={start}>{piece}</mark>
        ) : (
          <span key={start} className={kind}>
            {piece}
          </span>
        ),
      )}
    </div>
  );
});

const separators = [",", ";", "\t"];

/** A part of a CSV or TSV file as a table. Records are marked as a whole. */
function RecordTable({ text, ranges }: { text: string; ranges: ChunkRanges }) {
  const [firstLine = ""] = text.split("\n", 1);
  const countFields = (one: string) => firstLine.split(one).length;
  const separator = separators.reduce((best, one) => (countFields(one) > countFields(best) ? one : best));
  return (
    <ScrollingTable>
      <tbody>
        {[...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => {
          const kinds = cutPieces(line, index, ranges).map(({ kind }) => kind);
          const isSupport = kinds.includes("support");
          return (
            <tr key={index} className={kinds.every((kind) => kind === "context") ? "context" : undefined}>
              {splitRecord(line, separator).map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a record are identified by their position
                <td key={column}>{isSupport ? <mark>{cell}</mark> : cell}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </ScrollingTable>
  );
}

/** Splits a record into fields. Quoted fields may contain the separator; a doubled quote is a quote. */
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
