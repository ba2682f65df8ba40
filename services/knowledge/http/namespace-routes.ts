import type { DocumentsResponse, NamespacesResponse } from "@agent-backends/contract";
import {
  documentParametersSchema,
  documentsQuerySchema,
  knowledgeLimits,
  namespaceParametersSchema,
  namespacesQuerySchema,
  problems,
} from "@agent-backends/contract";
import { FairQueue, noteNamespace } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { z } from "zod";
import type { NamespaceStore, NamespaceSummary } from "../store/knowledge-store.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { addDocumentRoute, toSummary } from "./document-route.ts";

/** The engine reads a table for each namespace of a list, in threads that searches need as well. */
const lists = new FairQueue({
  concurrency: knowledgeLimits.lists,
  concurrencyPerClient: knowledgeLimits.listsPerClient,
});

export function addNamespaceRoutes(app: App, { store, guard }: KnowledgeDependencies): void {
  app.addHook("preHandler", async ({ params, raw }) => {
    const { namespace } = params as { namespace?: string };
    if (namespace === undefined) return;
    noteNamespace(namespace);
    getPrincipal(raw).requireNamespace(namespace);
  });

  const read = { access: { scope: "read" } } as const;
  const write = { access: { scope: "write" } } as const;

  app.get("/api/namespaces", { schema: { querystring: namespacesQuerySchema }, config: read }, async (request) => {
    const { limit, cursor } = request.query;
    const principal = getPrincipal(request.raw);
    const after = cursor === undefined ? undefined : parseCursor(cursor, 1)[0];
    const isListed = (name: string) => (after === undefined || name > after) && principal.reaches(name);
    const found = await lists.add(guard.getClient(request.raw), async () =>
      describeNamespaces(store, (await store.listNamespaces()).filter(isListed), limit + 1),
    );
    const { items, next_cursor } = toPage(found, limit, ({ namespace }) => [namespace]);
    return {
      namespaces: items.map(({ namespace, documents, chunks, embeddingModel }) => {
        return { namespace, documents, chunks, embedding_model: embeddingModel };
      }),
      next_cursor,
    } satisfies NamespacesResponse;
  });

  app.delete(
    "/api/namespaces/:namespace",
    { schema: { params: namespaceParametersSchema }, config: write },
    async (request, reply) => {
      const { namespace } = request.params;
      if (!(await store.deleteNamespace(namespace))) throw problems.noNamespace(namespace);
      return reply.code(204).send();
    },
  );

  app.get(
    "/api/namespaces/:namespace/documents",
    { schema: { params: namespaceParametersSchema, querystring: documentsQuerySchema }, config: read },
    async (request) => {
      const { limit, cursor } = request.query;
      const [ingestedAt, id] = cursor === undefined ? [] : parseCursor(cursor, 2);
      const after = ingestedAt !== undefined && id !== undefined ? { after: { ingestedAt, id } } : {};
      const found = await lists.add(guard.getClient(request.raw), () =>
        store.listDocuments(request.params.namespace, { limit: limit + 1, ...after }),
      );
      const { items, next_cursor } = toPage(found, limit, (document) => [document.ingestedAt, document.id]);
      return { documents: items.map(toSummary), next_cursor } satisfies DocumentsResponse;
    },
  );

  addDocumentRoute(app, store);

  app.delete(
    "/api/namespaces/:namespace/documents/:id",
    { schema: { params: documentParametersSchema }, config: write },
    async (request, reply) => {
      const { namespace, id } = request.params;
      if (!(await store.deleteDocument(namespace, id))) {
        throw problems.noDocument(id, namespace);
      }
      return reply.code(204).send();
    },
  );
}

/** The first namespaces that hold documents, at most `limit`. */
async function describeNamespaces(store: NamespaceStore, names: readonly string[], limit: number) {
  const summaries: NamespaceSummary[] = [];
  for (const name of names) {
    if (summaries.length === limit) break;
    const summary = await store.describeNamespace(name);
    if (summary && summary.documents > 0) summaries.push(summary);
  }
  return summaries;
}

/** The sort keys of a page's last item; the next page starts after it. */
type Cursor = string[];

/** Expects one item more than the page's limit if there is a next page. */
function toPage<Item>(found: Item[], limit: number, toCursor: (item: Item) => Cursor) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last ? encodeCursor(toCursor(last)) : null };
}

const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** @throws ProblemError 422 unless the text is a cursor of `length` keys */
function parseCursor(text: string, length: number): Cursor {
  try {
    return z
      .array(z.string())
      .length(length)
      .parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch (cause) {
    throw problems.invalidCursor(cause);
  }
}
