import type { ReactNode } from "react";
import type { DocumentSummary } from "../library/use-documents.ts";
import { Button } from "./Button.tsx";
import { Icon } from "./Icon.tsx";

/** Something that went wrong, or that the user should know. */
export function Notice({ danger, children, action }: { danger?: boolean; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={danger ? "notice notice-danger" : "notice"} role={danger ? "alert" : undefined}>
      <Icon name="warning" />
      <div className="stack">
        <div>{children}</div>
        {action && <div className="row">{action}</div>}
      </div>
    </div>
  );
}

/** Stands where a text will be. */
export function Skeleton() {
  return (
    <div className="skeleton-text" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton skeleton-short" />
    </div>
  );
}

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
