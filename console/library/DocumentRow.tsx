import { Button } from "../design/Button.tsx";
import { formatCount } from "../design/format-count.ts";
import { formatSource } from "../knowledge/place.ts";
import type { DocumentSummary } from "./use-deletions.ts";

const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

export function DocumentRow({
  document,
  onOpen,
  onDelete,
}: {
  document: DocumentSummary;
  onOpen: () => void;
  onDelete: () => void;
}) {
  const { title, source, chunks, ingested_at } = document;
  const from = formatSource(source);
  const about = [from !== title && from, formatCount(chunks, "chunk"), dates.format(new Date(ingested_at))];
  return (
    <li className="document-row">
      <button type="button" className="document-open" onClick={onOpen}>
        <span className="document-title">{title}</span>
        <span className="muted small document-about">{about.filter(Boolean).join(" · ")}</span>
      </button>
      <Button look="quiet" small icon="trash" iconOnly title={`Delete ${title}`} onClick={onDelete}>
        {`Delete ${title}`}
      </Button>
    </li>
  );
}
