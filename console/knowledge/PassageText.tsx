import { memo } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeComponents } from "../markdown/components.tsx";
import type { PassageRanges } from "../markdown/passage-marks.ts";
import { cutPieces, remarkPassageMarks } from "../markdown/passage-marks.ts";
import { joinLines } from "./join-lines.ts";
import { RecordTable } from "./RecordTable.tsx";

/** Everything else is stored as Markdown: pages, word processors' texts, sheets and slides are turned into it. */
const plainTypes = ["text/plain", "application/pdf"];
const recordTypes = ["text/csv", "text/tab-separated-values"];

/** A part of a document as its author would show it: Markdown rendered, records as a table, a PDF's lines joined, other text as it is. */
export const PassageText = memo(function PassageText({
  text,
  ranges,
  contentType,
}: {
  text: string;
  ranges: PassageRanges;
  /** The document's type; text that nothing is known of is shown as it is. */
  contentType: string | undefined;
}) {
  if (contentType !== undefined && recordTypes.includes(contentType)) {
    return (
      <div className="passage-text">
        <RecordTable text={text} ranges={ranges} />
      </div>
    );
  }
  if (contentType !== undefined && !plainTypes.includes(contentType)) {
    return (
      <div className="answer-text passage-text">
        <Markdown
          remarkPlugins={[remarkGfm, [remarkPassageMarks, { source: text, ranges }]]}
          components={safeComponents}
        >
          {text}
        </Markdown>
      </div>
    );
  }
  const isPdf = contentType === "application/pdf";
  const shown = isPdf ? joinLines(text) : text;
  return (
    <div className={isPdf ? "passage-text document-text document-text-joined" : "passage-text document-text"}>
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
