import { Button } from "../design/Button.tsx";
import { Notice } from "../design/Notice.tsx";
import { DocumentRow } from "./DocumentRow.tsx";
import { DocumentsSkeleton } from "./DocumentsSkeleton.tsx";
import { UndoBar } from "./UndoBar.tsx";
import { useDeletions } from "./use-deletions.ts";
import { useDocuments } from "./use-documents.ts";

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
    <section className="card documents" aria-label="Documents">
      <div className="row documents-head">
        <h2>Documents</h2>
        {shown && shown.length > 0 && (
          <span className="muted small">
            {shown.length}
            {hasMore && "+"} in “{namespace}”
          </span>
        )}
      </div>
      {error && <Notice danger>{error.message}</Notice>}
      {deletions.error && <Notice danger>{deletions.error.message}</Notice>}
      {!shown && loading && <DocumentsSkeleton />}
      {shown?.length === 0 && (
        <p className="muted documents-empty">
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
      <UndoBar documents={deletions.undoable} onUndo={deletions.undo} />
    </section>
  );
}
