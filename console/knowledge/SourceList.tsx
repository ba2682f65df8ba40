import type { AssistantMessage, NumberedCitation } from "../chat/messages.ts";
import { CitationChip } from "../markdown/CitationChip.tsx";
import { markedNumbers } from "../markdown/marks.ts";

/** What an answer's numbers stand for. Where the text names none, the chips are here. */
export function SourceList({
  answer,
  onCitation,
}: {
  answer: AssistantMessage;
  onCitation: (citation: NumberedCitation) => void;
}) {
  const marked = markedNumbers(answer.text);
  return (
    <ol className="source-list small" aria-label="Sources">
      {answer.citations.map((citation) => (
        <li key={citation.n}>
          {marked.includes(citation.n) ? (
            <span className="source-number">{citation.n}</span>
          ) : (
            <CitationChip citation={citation} onOpen={() => onCitation(citation)} />
          )}
          <span className="truncate">
            {citation.title}
            {placeOf(citation) && <span className="muted"> · {placeOf(citation)}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Where in its document a passage stands, in words; empty where nothing is known but the document's title. */
export function placeOf({
  title,
  page,
  heading,
}: {
  title: string;
  page?: number | undefined;
  heading?: string | undefined;
}): string {
  return [page !== undefined && `page ${page}`, heading !== title && heading].filter(Boolean).join(" · ");
}
