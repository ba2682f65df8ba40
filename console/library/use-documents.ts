import type { DocumentSummary } from "@agent-backends/client";
import { useEffect, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { explainError, knowledgeAt } from "../connections/clients.ts";
import { useResource } from "../connections/use-resource.ts";

const pageSize = 50;

/** The documents of a namespace, in the service's order. `loadMore` adds a page. */
export function useDocuments(namespace: string, version: string) {
  const { knowledge } = useConnections().connections;
  const [pages, setPages] = useState(1);
  const { value, error, loading } = useResource(
    async (signal) => {
      const documents: DocumentSummary[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < pages; page++) {
        const answer = await knowledgeAt(knowledge).documentsPage(namespace, { limit: pageSize, cursor }, { signal });
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

/** Deletes documents after a delay during which it can be undone. Leaving the view or the page deletes them at once. */
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
        const deletion = knowledgeAt(knowledge).deleteDocument(namespace, id, { keepalive: true });
        deletion.then(onDeleted, (failure: unknown) => {
          show(id);
          setError(explainError(failure));
        });
      });
    },
    undo(id: string) {
      pending.cancel(id);
      forget(id);
      show(id);
    },
  };
}

/** Time during which a deletion can be undone, in milliseconds. */
export const undoTimeMs = 6_000;

/** Deletions that run after a delay unless they are cancelled. */
export class PendingDeletions {
  readonly #pending = new Map<string, { timer: ReturnType<typeof setTimeout>; run: () => void }>();

  add(id: string, run: () => void, delayMs = undoTimeMs): void {
    const onTimeout = () => {
      if (this.#pending.delete(id)) run();
    };
    this.#pending.set(id, { timer: setTimeout(onTimeout, delayMs), run });
  }

  cancel(id: string): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
  }

  /** Runs all pending deletions now. */
  flush(): void {
    for (const { timer, run } of this.#pending.values()) {
      clearTimeout(timer);
      run();
    }
    this.#pending.clear();
  }
}
