import type { DocumentsResponse } from "@agent-backends/contract";
import { useEffect, useState } from "react";
import { useConnections } from "../connections/context.ts";
import { deleteDocument } from "../connections/knowledge-api.ts";
import { PendingDeletions } from "./pending-deletions.ts";

export type DocumentSummary = DocumentsResponse["documents"][number];

/** Deletes documents of a namespace so that it can be undone for a while. Leaving carries out what is pending. */
export function useDeletions(namespace: string, onDeleted: () => void) {
  const { knowledge } = useConnections().connections;
  const [pending] = useState(() => new PendingDeletions());
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [undoable, setUndoable] = useState<DocumentSummary[]>([]);
  const [error, setError] = useState<Error>();

  useEffect(() => {
    const flush = () => pending.flush();
    addEventListener("pagehide", flush);
    return () => {
      removeEventListener("pagehide", flush);
      flush();
    };
  }, [pending]);

  const show = (id: string) => setHidden((before) => new Set([...before].filter((one) => one !== id)));
  const forget = (id: string) => setUndoable((before) => before.filter(({ document_id }) => document_id !== id));
  return {
    hidden,
    undoable,
    error,
    remove(document: DocumentSummary) {
      const id = document.document_id;
      setError(undefined);
      setHidden((before) => new Set(before).add(id));
      setUndoable((before) => [...before, document]);
      pending.add(id, () => {
        forget(id);
        deleteDocument(knowledge, namespace, id).then(onDeleted, (failure: Error) => {
          show(id);
          setError(failure);
        });
      });
    },
    undo({ document_id: id }: DocumentSummary) {
      pending.undo(id);
      forget(id);
      show(id);
    },
  };
}
