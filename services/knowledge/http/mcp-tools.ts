import { defaultNamespace, knowledgeLimits, namespaceSchema, searchRequestSchema } from "@agent-backends/contract";
import { noteNamespace, parseInput } from "@agent-backends/kit";
import type { McpTool } from "@agent-backends/kit/mcp";
import { z } from "zod";
import type { Hit } from "../search/hybrid-search.ts";
import { searchNamespace } from "../search/hybrid-search.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { toSearchResult } from "./search-route.ts";

const { min, max, default: usual } = knowledgeLimits.searchResults;
const filterValues = [{ type: "string" }, { type: "number" }, { type: "boolean" }];

/** The search of `POST /api/tools/searchDocs` as an MCP tool. */
export function createMcpTools(dependencies: KnowledgeDependencies): McpTool[] {
  return [createSearchTool(dependencies)];
}

function createSearchTool(dependencies: KnowledgeDependencies): McpTool {
  return {
    name: "search_docs",
    title: "Search documents",
    description:
      "Chunks of a namespace's documents that fit a question by meaning and by words, best first, each with its title, its place and a score.",
    input: z.object({
      query: z.string().describe("The question, in words."),
      namespace: z.string().optional().describe(`The collection to search; default "${defaultNamespace}".`),
      max_results: z.number().int().optional().describe(`How many chunks, ${min} to ${max}; default ${usual}.`),
      filter: z
        .unknown()
        .optional()
        .meta({
          type: "object",
          additionalProperties: { anyOf: [...filterValues, { type: "array", items: { anyOf: filterValues } }] },
          description:
            'Only chunks of documents with these fields, each with this value or one of these: "source", "content_type", "title", or a field given at ingest.',
        }),
    }),
    openWorld: false,
    scope: "read",
    namespaceOf(input) {
      const parsed = namespaceSchema.safeParse((input as { namespace?: unknown } | undefined)?.namespace);
      return parsed.success ? (parsed.data ?? defaultNamespace) : undefined;
    },
    async run(input, signal, request) {
      const {
        namespace = defaultNamespace,
        query,
        max_results: limit = usual,
        filter,
      } = parseInput(searchRequestSchema, input);
      noteNamespace(namespace);
      const caller = { client: dependencies.guard.getClient(request), signal };
      const hits = await searchNamespace(dependencies, { namespace, query, limit, filter, caller });
      return { text: textOf(hits), data: { namespace, query, results: hits.map(toSearchResult) } };
    },
  };
}

function textOf(hits: readonly Hit[]): string {
  if (hits.length === 0) return "No chunk of the namespace fits the question.";
  return hits
    .map(({ document, heading, page, text }, index) => {
      const place = [document.title, heading, page !== undefined && `page ${page}`].filter(Boolean).join(", ");
      return `[${index + 1}] ${place} (${document.source})\n${text}`;
    })
    .join("\n\n");
}
