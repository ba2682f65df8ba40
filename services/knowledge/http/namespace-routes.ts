import type { IncomingMessage } from "node:http";
import type { NamespacesResponse, namespacesQuerySchema } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute } from "@agent-backends/kit/fastify";
import type { z } from "zod";
import type { NamespaceStore, NamespaceSummary } from "../store/knowledge-store.ts";
import { addChangesRoute } from "./changes-route.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { addDocumentListRoutes } from "./document-list-routes.ts";
import { addDocumentRoutes, purgeQueue } from "./document-routes.ts";
import { listQueue, parseCursor, toPage } from "./pages.ts";
import { requireNamespace } from "./search-route.ts";
import { addTransferRoutes } from "./transfer-routes.ts";

/** Number of namespaces of one listing whose documents are counted concurrently. */
const describeConcurrency = 16;

export function addNamespaceRoutes(app: App, dependencies: KnowledgeDependencies): void {
  const { store, guard, ingests, jobs } = dependencies;
  app.addHook("preHandler", async ({ params, raw }) => {
    const { namespace } = params as { namespace?: string };
    if (namespace !== undefined) requireNamespace(raw, namespace);
  });

  addRoute(app, knowledgeOperations, "GET /api/namespaces", ({ raw, query }) =>
    listNamespaces(dependencies, query, raw),
  );

  addRoute(app, knowledgeOperations, "DELETE /api/namespaces/{namespace}", async (request, reply) => {
    const { namespace } = request.params;
    // End running ingests and jobs first: documents they store later would recreate the namespace.
    await Promise.all([ingests.endAll(namespace), jobs.cancelAll(namespace)]);
    const isDeleted = await store.deleteNamespace(namespace);
    // In a folder or an object store, nothing of the namespace is left. Database tables still contain its data.
    if (request.query.purge) await purgeQueue.add(guard.getClient(request.raw), () => store.purge(namespace));
    if (!isDeleted) throw problems.noNamespace(namespace);
    return reply.code(204).send();
  });

  addDocumentListRoutes(app, dependencies);
  addDocumentRoutes(app, dependencies);
  addTransferRoutes(app, dependencies);
  addChangesRoute(app, dependencies);
}

/** A page of the namespaces that the request's key may use. */
export async function listNamespaces(
  { store, guard }: KnowledgeDependencies,
  { limit, cursor }: z.output<typeof namespacesQuerySchema>,
  request: IncomingMessage,
): Promise<NamespacesResponse> {
  const principal = getPrincipal(request);
  const after = cursor === undefined ? undefined : parseCursor(cursor, 1)[0];
  const isListed = (name: string) => (after === undefined || name > after) && principal.canAccess(name);
  const found = await listQueue.add(guard.getClient(request), async () =>
    describeNamespaces(store, (await store.listNamespaces()).filter(isListed), limit + 1),
  );
  const { items, next_cursor } = toPage(found, limit, ({ namespace }) => [namespace]);
  return {
    namespaces: items.map(({ namespace, documents, chunks, embeddingModel }) => {
      return { namespace, documents, chunks, embedding_model: embeddingModel };
    }),
    next_cursor,
  };
}

/** The first namespaces that hold documents, at most `limit`. */
async function describeNamespaces(store: NamespaceStore, names: readonly string[], limit: number) {
  const summaries: NamespaceSummary[] = [];
  for (let start = 0; start < names.length && summaries.length < limit; start += describeConcurrency) {
    const described = names.slice(start, start + describeConcurrency).map((name) => store.describeNamespace(name));
    for (const summary of await Promise.all(described)) if (summary && summary.documents > 0) summaries.push(summary);
  }
  return summaries.slice(0, limit);
}
