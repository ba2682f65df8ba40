import type { IncomingMessage } from "node:http";
import type { ChunkPlace, SearchRequest, SearchResponse } from "@agent-backends/contract";
import { defaultNamespace, knowledgeLimits } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { clientSignal, noteNamespace } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute } from "@agent-backends/kit/fastify";
import type { Hit, SearchedNamespaces } from "../search/hybrid-search.ts";
import { searchNamespace } from "../search/hybrid-search.ts";
import type { ChunkPosition, FoundChunk } from "../store/document.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";

/** Maximum number of other places of the same text that a result lists. */
const maxOtherPlaces = 10;

export function addSearchRoute(app: App, dependencies: KnowledgeDependencies): void {
  addRoute(app, knowledgeOperations, "POST /api/tools/searchDocs", ({ raw, body }, reply) =>
    search(dependencies, body, { request: raw, signal: clientSignal(reply.raw, dependencies.lifecycle) }),
  );
}

/** A request that is being answered, with a signal that aborts when its client disconnects. */
export interface Call {
  request: IncomingMessage;
  signal: AbortSignal;
}

export async function search(
  dependencies: KnowledgeDependencies,
  body: SearchRequest,
  { request, signal }: Call,
): Promise<SearchResponse> {
  const { query, max_results: limit = knowledgeLimits.searchResults.default, filter, min_score: minScore } = body;
  const namespace = requireNamespaces(request, body);
  const caller = { client: dependencies.guard.getClient(request), signal };
  const hits = await searchNamespace(dependencies, { namespace, query, limit, filter, minScore, caller });
  return { ...toNamespaceFields(namespace), query, results: hits.map(toSearchResult) };
}

/** The namespaces that a request searches. @throws ProblemError `forbidden` if the request's key may not use one of them */
export function requireNamespaces(
  request: IncomingMessage,
  { namespace = defaultNamespace, namespaces }: { namespace?: string | undefined; namespaces?: string[] | undefined },
): SearchedNamespaces {
  const searched = namespaces ?? namespace;
  for (const name of [searched].flat()) requireNamespace(request, name);
  return searched;
}

/** Adds the namespace to the log record of the request. @throws ProblemError `forbidden` if the request's key may not use it */
export function requireNamespace(request: IncomingMessage, name: string): void {
  noteNamespace(name);
  getPrincipal(request).requireNamespace(name);
}

/** The searched namespaces in the form that a response contains. */
export function toNamespaceFields(searched: SearchedNamespaces): { namespace: string; namespaces?: string[] } {
  if (typeof searched === "string") return { namespace: searched };
  return { namespace: searched[0] ?? defaultNamespace, namespaces: searched };
}

const toOtherPlace = ({ document, index, start, end }: FoundChunk) => {
  return { title: document.title, source: document.source, document_id: document.id, chunk: index, start, end };
};

/** A hit in the form that clients see. */
export function toSearchResult(hit: Hit): SearchResponse["results"][number] {
  const { document } = hit;
  return {
    title: document.title,
    content: hit.text,
    hash: document.hash,
    score: hit.score,
    ...(hit.similarity !== undefined && { similarity: hit.similarity }),
    ...(hit.alsoIn && { also_in: hit.alsoIn.slice(0, maxOtherPlaces).map(toOtherPlace) }),
    ...(hit.namespace !== undefined && { namespace: hit.namespace }),
    metadata: {
      ...document.metadata,
      source: document.source,
      document_id: document.id,
      ...toPlace(hit),
      ingested_at: document.ingestedAt,
      ...(document.url !== undefined && { url: document.url }),
      ...(document.filename !== undefined && { filename: document.filename }),
      ...(document.contentType !== undefined && { content_type: document.contentType }),
    },
  };
}

/** The place of a chunk in the form that clients see. */
export function toPlace({ index, start, end, page, slide, sheet, heading, tableHeader }: ChunkPosition): ChunkPlace {
  return {
    chunk: index,
    start,
    end,
    ...(page !== undefined && { page }),
    ...(slide !== undefined && { slide }),
    ...(sheet !== undefined && { sheet }),
    ...(heading !== undefined && { heading }),
    ...(tableHeader !== undefined && { table_header: tableHeader }),
  };
}
