import { useState } from "react";
import { useConnections } from "../connections/context.ts";
import { listDocuments } from "../connections/knowledge-api.ts";
import { useResource } from "../stream/use-resource.ts";
import type { DocumentSummary } from "./use-deletions.ts";

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
