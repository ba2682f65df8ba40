import type { DocumentSummary } from "@agent-backends/client";
import { StatusLink } from "../connections/StatusLink.tsx";
import { Button, IconButton } from "../design/Button.tsx";
import { formatCount } from "../design/format.ts";
import { Notice, UndoBars } from "../design/Notice.tsx";
import { formatSource } from "../documents/open-chunk.ts";
import { useDeletions, useDocuments } from "./use-documents.ts";

/** The documents of a namespace, which can be opened and deleted. */
export function Documents({
  namespace,
  version,
  onOpen,
  onDeleted,
}: {
  namespace: string;
  /** Changes when the list may have changed. */
  version: string;
  onOpen: (documentId: string) => void;
  onDeleted: () => void;
}) {
  const { documents, hasMore, error, loading, loadMore } = useDocuments(namespace, version);
  const deletions = useDeletions(namespace, onDeleted);
  const shown = documents?.filter(({ document_id }) => !deletions.hidden.has(document_id));
  return (
    <section className="card card-body stack" aria-label="Documents">
      <div className="row documents-head">
        <h2>Documents</h2>
        {shown && shown.length > 0 && (
          <span className="muted small">
            {shown.length}
            {hasMore && "+"} in “{namespace}”
          </span>
        )}
      </div>
      {error && (
        <Notice danger action={<StatusLink />}>
          {error.message}
        </Notice>
      )}
      {deletions.error && <Notice danger>{deletions.error.message}</Notice>}
      {!shown && loading && (
        <div className="stack" role="status">
          <span className="visually-hidden">Loading documents</span>
          <span className="skeleton" />
          <span className="skeleton skeleton-short" />
          <span className="skeleton" />
        </div>
      )}
      {shown?.length === 0 && (
        <p className="muted">
          Nothing is in “{namespace}” yet. Drop a file or paste a text, and ask the Knowledge agent about it.
        </p>
      )}
      {shown && shown.length > 0 && (
        <ul>
          {shown.map((document) => (
            <DocumentRow
              key={document.document_id}
              document={document}
              onOpen={() => onOpen(document.document_id)}
              onDelete={() => deletions.remove(document)}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button small disabled={loading} onClick={loadMore}>
          Show more
        </Button>
      )}
      <UndoBars
        deleted={deletions.undoable.map(({ document_id: id, title }) => ({ id, title }))}
        onUndo={deletions.undo}
      />
    </section>
  );
}

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

function DocumentRow({
  document: { title, source, chunks, ingested_at },
  onOpen,
  onDelete,
}: {
  document: DocumentSummary;
  onOpen: () => void;
  onDelete: () => void;
}) {
  const from = formatSource(source);
  const about = [from !== title && from, formatCount(chunks, "chunk"), dateFormat.format(new Date(ingested_at))];
  return (
    <li className="row nowrap document-row">
      <button type="button" className="bare-button document-open" onClick={onOpen}>
        <span className="document-title">{title}</span>
        <span className="muted small document-about">{about.filter(Boolean).join(" · ")}</span>
      </button>
      <IconButton icon="trash" label={`Delete ${title}`} onClick={onDelete} />
    </li>
  );
}
