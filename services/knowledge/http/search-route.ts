import type { SearchResponse } from "@agent-backends/contract";
import { defaultNamespace, knowledgeLimits, searchRequestSchema } from "@agent-backends/contract";
import { clientSignal, noteNamespace } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import type { Hit } from "../search/hybrid-search.ts";
import { searchNamespace } from "../search/hybrid-search.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";

export function addSearchRoute(app: App, dependencies: KnowledgeDependencies): void {
  const searched = {
    schema: { body: searchRequestSchema },
    config: { access: { scope: "read", takes: "search" } },
  } as const;
  app.post("/api/tools/searchDocs", searched, async (request, reply) => {
    const {
      namespace = defaultNamespace,
      query,
      max_results: limit = knowledgeLimits.searchResults.default,
      filter,
    } = request.body;
    noteNamespace(namespace);
    getPrincipal(request.raw).requireNamespace(namespace);
    const signal = clientSignal(reply.raw, dependencies.lifecycle);
    const caller = { client: dependencies.guard.getClient(request.raw), signal };
    const hits = await searchNamespace(dependencies, { namespace, query, limit, filter, caller });
    return { namespace, query, results: hits.map(toSearchResult) } satisfies SearchResponse;
  });
}

/** A hit as clients see it. */
export function toSearchResult(hit: Hit): SearchResponse["results"][number] {
  const { document, index, start, end, page, slide, sheet, heading, tableHeader } = hit;
  return {
    title: document.title,
    content: hit.text,
    hash: document.hash,
    score: hit.score,
    metadata: {
      ...document.metadata,
      source: document.source,
      document_id: document.id,
      chunk: index,
      start,
      end,
      ingested_at: document.ingestedAt,
      ...(page !== undefined && { page }),
      ...(slide !== undefined && { slide }),
      ...(sheet !== undefined && { sheet }),
      ...(heading !== undefined && { heading }),
      ...(tableHeader !== undefined && { table_header: tableHeader }),
      ...(document.url !== undefined && { url: document.url }),
      ...(document.filename !== undefined && { filename: document.filename }),
      ...(document.contentType !== undefined && { content_type: document.contentType }),
    },
  };
}
