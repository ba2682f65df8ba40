import type { SearchResponse } from "@agent-backends/client";
import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { knowledgeAt } from "../connections/clients.ts";
import { useResource } from "../connections/use-resource.ts";
import { Button } from "../design/Button.tsx";
import { SearchInput } from "../design/Field.tsx";
import { formatCount } from "../design/format.ts";
import { Notice } from "../design/Notice.tsx";
import type { OpenChunk } from "../documents/open-chunk.ts";
import { formatPlace, toFoundChunks } from "../documents/open-chunk.ts";
import { foldWord, isFormOf, minStemLength, splitWords, wordSegmenter } from "../markdown/words.ts";

type OnOpen = (chunks: OpenChunk[], first: number) => void;

const maxResults = 10;

/** Searches a namespace by meaning and by words. */
export function SearchDocuments({ namespace, onOpen }: { namespace: string; onOpen: OnOpen }) {
  const { knowledge } = useConnections().connections;
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const { value, error, loading } = useResource(
    async (signal) => {
      if (query === "") return undefined;
      return knowledgeAt(knowledge).search({ namespace, query, max_results: maxResults }, { signal });
    },
    [knowledge, namespace, query],
  );
  return (
    <section className="card card-body stack" aria-label="Search">
      <form
        className="row search-form"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(text.trim());
        }}
      >
        <SearchInput
          label="Search the library"
          placeholder="Search by meaning"
          value={text}
          onChange={(changed) => {
            setText(changed);
            if (changed === "") setQuery("");
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

function SearchResults({ response, busy, onOpen }: { response: SearchResponse; busy: boolean; onOpen: OnOpen }) {
  const { namespace, query, results } = response;
  if (results.length === 0) {
    return (
      <p className="muted" role="status">
        Nothing in “{namespace}” matches “{query}”. Try other words, or check whether the document is in another
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
        A score of 1 means first both by meaning and by words. Scores order the chunks of one search. Scores of
        different searches can’t be compared.
      </p>
      <ol aria-label="Hits" aria-busy={busy}>
        {results.map((hit, index) => (
          <SearchHit
            key={`${hit.metadata.document_id} ${hit.metadata.chunk}`}
            hit={hit}
            query={query}
            onOpen={() => onOpen(toFoundChunks(response), index)}
          />
        ))}
      </ol>
    </>
  );
}

function SearchHit({
  hit: { title, content, score, metadata },
  query,
  onOpen,
}: {
  hit: SearchResponse["results"][number];
  query: string;
  onOpen: () => void;
}) {
  const place = formatPlace({ ...metadata, title });
  return (
    <li className="hit">
      <div className="row nowrap">
        <button type="button" className="bare-button hit-title truncate" onClick={onOpen}>
          {title}
        </button>
        {place && <span className="muted small truncate">{place}</span>}
        <span className="badge push">
          <span className="visually-hidden">Score </span>
          {score.toFixed(2)}
        </span>
      </div>
      <p className="hit-text small">
        {highlight(stripMarkup(content), query).map(({ text, isMatch, start }) =>
          isMatch ? <mark key={start}>{text}</mark> : <span key={start}>{text}</span>,
        )}
      </p>
    </li>
  );
}

/** Removes the Markdown of headings, tables and emphasis. */
function stripMarkup(content: string): string {
  return content
    .replace(/^[|:\s-]+$/gm, "")
    .replace(/^#{1,6} |\*\*|__|`/gm, "")
    .replace(/^\| *| *\|$/gm, "")
    .replace(/ *\| */g, " · ");
}

/** A piece of a text. `start` is its offset in UTF-16 units. */
interface HighlightedPiece {
  text: string;
  isMatch: boolean;
  start: number;
}

/** Marks the words of a query in a text, ignoring case, accents and short endings. */
export function highlight(text: string, query: string): HighlightedPiece[] {
  const all = splitWords(query).map(foldWord);
  // Short words are everywhere, so they count only if the query has no longer ones.
  const long = all.filter((word) => word.length >= minStemLength);
  const wanted = long.length > 0 ? long : all;
  const pieces: HighlightedPiece[] = [];
  for (const { segment, index, isWordLike } of wordSegmenter.segment(text)) {
    const isMatch = Boolean(isWordLike) && wanted.some((word) => isFormOf(word, foldWord(segment)));
    const last = pieces.at(-1);
    if (last && last.isMatch === isMatch && !isMatch) last.text += segment;
    else pieces.push({ text: segment, isMatch, start: index });
  }
  return pieces;
}
