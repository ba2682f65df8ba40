import { Button } from "../design/Button.tsx";
import type { DocumentSummary } from "./use-deletions.ts";

/** What has just been deleted, as long as that can be undone. */
export function UndoBar({
  documents,
  onUndo,
}: {
  documents: DocumentSummary[];
  onUndo: (document: DocumentSummary) => void;
}) {
  return (
    <div className="undo-bars" role="status">
      {documents.map((document) => (
        <div key={document.document_id} className="undo-bar">
          <span className="truncate">Deleted “{document.title}”</span>
          <Button small onClick={() => onUndo(document)}>
            Undo
          </Button>
        </div>
      ))}
    </div>
  );
}
