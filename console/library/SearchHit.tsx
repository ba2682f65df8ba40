import type { SearchResponse } from "@agent-backends/contract";
import { formatPlace } from "../knowledge/place.ts";
import { highlight } from "./highlight.ts";

export function SearchHit({
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
