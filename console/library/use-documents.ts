import type { DocumentsResponse } from "@agent-backends/contract";
import { useEffect, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { deleteDocument, listDocuments } from "../connections/knowledge-api.ts";
import { useResource } from "../connections/use-resource.ts";

/** The documents of a namespace, newest pages first as the service gives them, as far as they have been asked for. */
export function useDocuments(namespace: string, version: string) {
  const { knowledge } = useConnections().connections;
  const [pages, setPages] = useState(1);
  const { value, error, loading } = useResource(
    async (signal) => {
      const documents: DocumentSummary[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages; page++) {
        const answer = await listDocuments(knowledge, namespace, signal, cursor);
        documents.push(...answer.documents);
        cursor = answer.next_cursor ?? undefined;
        if (cursor === undefined) break;
      }
      return { documents, hasMore: cursor !== undefined };
    },
    [knowledge, namespace, version, pages],
  );
  return { ...value, error, loading, loadMore: () => setPages((count) => count + 1) };
}

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

/** How long a deletion can be undone, in milliseconds. */
const undoTimeMs = 6_000;

/** Deletions that are carried out after a while, unless they are undone before. */
export class PendingDeletions {
  readonly #pending = new Map<string, { timer: ReturnType<typeof setTimeout>; carryOut: () => void }>();

  add(id: string, carryOut: () => void, delayMs = undoTimeMs): void {
    const now = () => {
      if (this.#pending.delete(id)) carryOut();
    };
    this.#pending.set(id, { timer: setTimeout(now, delayMs), carryOut });
  }

  undo(id: string): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
  }

  /** Carries out at once what is pending: there will be no later. */
  flush(): void {
    for (const { timer, carryOut } of this.#pending.values()) {
      clearTimeout(timer);
      carryOut();
    }
    this.#pending.clear();
  }
}
