import type { SearchResponse } from "@agent-backends/contract";
import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { searchDocuments } from "../connections/knowledge-api.ts";
import { useResource } from "../connections/use-resource.ts";
import { Button } from "../design/Button.tsx";
import { formatCount } from "../design/format.ts";
import { Notice } from "../design/Notice.tsx";
import type { OpenChunk } from "../documents/open-chunk.ts";
import { chunksOfSearch, formatPlace } from "../documents/open-chunk.ts";
import { highlight } from "../markdown/words.ts";

/** Search by meaning and by words in a namespace. */
export function SearchDocuments({
  namespace,
  onOpen,
}: {
  namespace: string;
  onOpen: (chunks: OpenChunk[], first: number) => void;
}) {
  const { knowledge } = useConnections().connections;
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const { value, error, loading } = useResource(
    async (signal) => (query === "" ? undefined : searchDocuments(knowledge, namespace, query, signal)),
    [knowledge, namespace, query],
  );
  return (
    <section className="card search" aria-label="Search">
      <form
        className="row search-form"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(text.trim());
        }}
      >
        <input
          type="search"
          className="input"
          aria-label="Search the library"
          placeholder={`Search “${namespace}” by meaning`}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (event.target.value === "") setQuery("");
          }}
        />
        <Button type="submit" icon="search">
          Search
        </Button>
      </form>
      {query !== "" && error && <Notice danger>{error.message}</Notice>}
      {query !== "" && !value && loading && <span className="skeleton" />}
      {query !== "" && value && <SearchResults response={value} busy={loading} onOpen={onOpen} />}
    </section>
  );
}

/** What a search found, or that it found nothing. */
function SearchResults({
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

function SearchHit({
  hit,
  query,
  onOpen,
}: {
  hit: SearchResponse["results"][number];
  query: string;
  onOpen: () => void;
}) {
  const place = formatPlace({ ...hit.metadata, title: hit.title });
  return (
    <li className="hit">
      <div className="row hit-head">
        <button type="button" className="hit-title" onClick={onOpen}>
          {hit.title}
        </button>
        {place && <span className="muted small truncate">{place}</span>}
        <span className="badge push">
          <span className="visually-hidden">Score </span>
          {hit.score.toFixed(2)}
        </span>
      </div>
      <p className="hit-text small">
        {highlight(withoutMarkup(hit.content), query).map(({ text, isMatch, start }) =>
          isMatch ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
        )}
      </p>
    </li>
  );
}

/** A chunk in short, without the marks that make headings, tables and emphasis. */
function withoutMarkup(content: string): string {
  return content
    .replace(/^[|:\s-]+$/gm, "")
    .replace(/^#{1,6} |\*\*|__|`/gm, "")
    .replace(/^\| *| *\|$/gm, "")
    .replace(/ *\| */g, " · ");
}
