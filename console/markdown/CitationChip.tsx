import type { NumberedCitation } from "../conversations/messages.ts";

/** The number of a chunk, as a button that opens it. */
export function CitationChip({ citation, onOpen }: { citation: NumberedCitation; onOpen: () => void }) {
  const page = citation.page === undefined ? "" : `, page ${citation.page}`;
  return (
    <button type="button" className="chip" title={citation.title + page} onClick={onOpen}>
      {citation.n}
    </button>
  );
}
