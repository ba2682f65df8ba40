import { memo } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { ChunkRanges } from "../markdown/chunk-marks.ts";
import { cutPieces, remarkChunkMarks } from "../markdown/chunk-marks.ts";
import { safeComponents } from "../markdown/components.tsx";
import { joinLines } from "./join-lines.ts";
import { RecordTable } from "./RecordTable.tsx";

/** Everything else is stored as Markdown: pages, word processors' texts, sheets and slides are turned into it. */
const plainTypes = ["text/plain", "application/pdf"];
const recordTypes = ["text/csv", "text/tab-separated-values"];

/** A part of a document as its author would show it: Markdown rendered, records as a table, a PDF's lines joined, other text as it is. */
export const ChunkText = memo(function ChunkText({
  text,
  ranges,
  contentType,
}: {
  text: string;
  ranges: ChunkRanges;
  /** The document's type; text that nothing is known of is shown as it is. */
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
      <div className="answer-text chunk-text">
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
