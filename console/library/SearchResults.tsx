import type { SearchResponse } from "@agent-backends/contract";
import { formatCount } from "../design/format-count.ts";
import type { OpenChunk } from "../knowledge/open-chunk.ts";
import { chunksOfSearch } from "../knowledge/open-chunk.ts";
import { highlight } from "./highlight.ts";
import { SearchHit } from "./SearchHit.tsx";

/** What a search found, or that it found nothing. */
export function SearchResults({
  response,
  busy,
  onOpen,
}: {
  response: SearchResponse;
  busy: boolean;
  onOpen: (chunks: OpenChunk[], first: number) => void;
}) {
  const { namespace, query, results } = response;
  if (results.length === 0) {
    return (
      <p className="muted" role="status">
        Nothing in “{namespace}” matches “{query}”. Try other words, or look whether the document is in another
        namespace.
      </p>
    );
  }
  const hasWords = results.some(({ content }) => highlight(content, query).some(({ isMatch }) => isMatch));
  return (
    <>
      <p className="muted small" role="status">
        {hasWords
          ? `${formatCount(results.length, "chunk")}, the best first. `
          : `No chunk has a word of “${query}”. These are the closest by meaning. `}
        A score of 1 means first both by meaning and by words; scores order the chunks of one search and don’t compare
        searches.
      </p>
      <ol className="hits" aria-label="Hits" aria-busy={busy}>
        {results.map((hit, index) => (
          <SearchHit
            key={`${hit.metadata.document_id} ${hit.metadata.chunk}`}
            hit={hit}
            query={query}
            onOpen={() => onOpen(chunksOfSearch(response), index)}
          />
        ))}
      </ol>
    </>
  );
}
