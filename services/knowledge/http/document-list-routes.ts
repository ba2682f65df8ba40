import type { IncomingMessage } from "node:http";
import type { DeleteDocumentsResponse, DocumentsResponse, documentsQuerySchema } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute } from "@agent-backends/kit/fastify";
import type { z } from "zod";
import type { StoredDocument } from "../store/document.ts";
import type { DocumentConditions, DocumentPage } from "../store/knowledge-store.ts";
import { listSpellings } from "../store/source-spellings.ts";
import { removeSource } from "../store/sources.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { purgeQueue, toSummary } from "./document-routes.ts";
import { listQueue, parseCursor, toPage } from "./pages.ts";

type Query = z.output<typeof documentsQuerySchema>;

/** Lists and deletes the documents of a namespace that match the given conditions. */
export function addDocumentListRoutes(app: App, dependencies: KnowledgeDependencies): void {
  const { store, guard } = dependencies;
  addRoute(app, knowledgeOperations, "GET /api/namespaces/{namespace}/documents", ({ raw, params, query }) =>
    listDocuments(dependencies, params.namespace, query, raw),
  );

  addRoute(app, knowledgeOperations, "DELETE /api/namespaces/{namespace}/documents", async (request) => {
    const { namespace } = request.params;
    const page = toDocumentPage(request.query);
    if (Object.values(page.where).every((condition) => condition === undefined)) throw problems.noConditions();
    const found = await listQueue.add(guard.getClient(request.raw), () => store.listDocuments(namespace, page));
    const { items, next_cursor } = toPage(found, request.query.limit, toCursor);
    const counts = await deleteAll(namespace, items, page.where.source);
    if (request.query.purge) await purgeQueue.add(guard.getClient(request.raw), () => store.purge(namespace));
    return { ...counts, next_cursor } satisfies DeleteDocumentsResponse;
  });

  /** If a document has other sources too, only the named source is removed from it. */
  async function deleteAll(namespace: string, documents: readonly StoredDocument[], source: string | undefined) {
    if (source === undefined) {
      const hashes = documents.map(({ hash }) => hash);
      // A document that another request deleted first counts neither as deleted nor as kept.
      return { deleted: await store.deleteDocuments(namespace, hashes), kept: 0 };
    }
    let deleted = 0;
    for (const { id } of documents) {
      for (const name of listSpellings(source)) deleted += Number(await removeSource(store, namespace, id, name));
    }
    return { deleted, kept: documents.length - deleted };
  }
}

export async function listDocuments(
  { store, guard }: KnowledgeDependencies,
  namespace: string,
  query: Query,
  request: IncomingMessage,
): Promise<DocumentsResponse> {
  const page = toDocumentPage(query);
  const found = await listQueue.add(guard.getClient(request), () => store.listDocuments(namespace, page));
  const { items, next_cursor } = toPage(found, query.limit, toCursor);
  return { documents: items.map(toSummary), next_cursor };
}

/** Requests one document more than the limit, which shows whether there is a next page. */
function toDocumentPage({ limit, cursor, source, filter, ingested_after, ingested_before }: Query) {
  const [ingestedAt, id] = cursor === undefined ? [] : parseCursor(cursor, 2);
  const after = ingestedAt !== undefined && id !== undefined ? { ingestedAt, id } : undefined;
  const where: DocumentConditions = {
    source,
    filter: filter && Object.keys(filter).length > 0 ? filter : undefined,
    ingestedAfter: ingested_after,
    ingestedBefore: ingested_before,
  };
  return { limit: limit + 1, after, where } satisfies DocumentPage;
}

const toCursor = ({ ingestedAt, id }: StoredDocument): string[] => [ingestedAt, id];
