import type { IncomingMessage } from "node:http";
import type { Citation, IngestResponse, SearchResponse } from "@agent-backends/contract";
import {
  addDocumentRequestSchema,
  askRequestSchema,
  defaultNamespace,
  deleteDocumentRequestSchema,
  deleteDocumentResponseSchema,
  documentsResponseSchema,
  generateResponseSchema,
  ingestResponseSchema,
  knowledgeLimits,
  listDocumentsRequestSchema,
  namespacesQuerySchema,
  namespacesResponseSchema,
  problems,
  readDocumentRequestSchema,
  readDocumentResponseSchema,
  searchRequestSchema,
  searchResponseSchema,
} from "@agent-backends/contract";
import type { McpTool } from "@agent-backends/kit/mcp";
import { defineMcpTool } from "@agent-backends/kit/mcp";
import { z } from "zod";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { listDocuments } from "./document-list-routes.ts";
import { deleteDocument, readText } from "./document-routes.ts";
import { ingestSource } from "./ingest-route.ts";
import { generate } from "./librarian-routes.ts";
import { listNamespaces } from "./namespace-routes.ts";
import { requireNamespace, search } from "./search-route.ts";

const { searchResults, textCharacters, documentsPerPage, namespacesPerPage, namespacesPerSearch, queryCharacters } =
  knowledgeLimits;

const range = ({ min, max, default: usual }: { min: number; max: number; default: number }, what: string) =>
  z.int().min(min).max(max).default(usual).describe(what);
const cursor = z.string().optional().describe("The next_cursor of the page before; leave it out for the first page.");
const namespace = z
  .string()
  .max(knowledgeLimits.namespaceCharacters)
  .default(defaultNamespace)
  .describe("The collection of documents. list_namespaces names those there are.");
const documentId = z.string().describe("The document_id that search_docs, list_documents or add_document returned.");
const singleValue = z.union([z.string(), z.number(), z.boolean()]);
const fieldValue = z.union([singleValue, z.array(singleValue).max(knowledgeLimits.filterValues)]);
const searchScopeInputs = {
  namespace,
  namespaces: z
    .array(z.string().max(knowledgeLimits.namespaceCharacters))
    .max(namespacesPerSearch)
    .optional()
    .describe("Several collections instead of one."),
  filter: z
    .record(z.string(), fieldValue)
    .optional()
    .describe(
      'Only documents with these fields, each with this value or one of these: "source", "content_type", "title", or a field of ' +
        'their metadata. Example: {"team": ["legal", "sales"]}.',
    ),
};

/** What a model should know before it chooses a tool. */
export const mcpInstructions =
  "Answers questions from stored documents. Use ask for an answer with citations, or search_docs and read_document to read the sources " +
  'yourself. Documents are in namespaces: without one, a call uses "default"; list_namespaces names the others. Cite what you use by title.';

/** The routes of the service as MCP tools. A tool and its route call the same function. */
export function createMcpTools(dependencies: KnowledgeDependencies): McpTool[] {
  const { store } = dependencies;
  return [
    defineMcpTool({
      name: "search_docs",
      title: "Search documents",
      description:
        "Finds the chunks of stored documents that fit a question by meaning and by words, best first. Each has its title, place, " +
        "document_id, offsets and a score. Use it to look something up or to gather evidence; read_document shows what is around a chunk.",
      input: z.object({
        query: z.string().max(queryCharacters).describe("What to look for: a question or keywords, in any language."),
        max_results: range(searchResults, "How many chunks to return."),
        min_score: z.number().min(0).max(1).optional().describe("Leaves out chunks with a lower similarity."),
        ...searchScopeInputs,
      }),
      request: searchRequestSchema,
      response: searchResponseSchema,
      access: { scope: "read", takes: "search" },
      async run(input, call) {
        const data = await search(dependencies, input, call);
        return { text: formatHits(data.results), data };
      },
    }),
    defineMcpTool({
      name: "ask",
      title: "Ask the librarian",
      description:
        "Answers a question from the stored documents alone, with citations [n]. It says so when they don't contain the answer. " +
        "Use search_docs instead to read the sources yourself.",
      input: z.object({
        question: z
          .string()
          .max(queryCharacters)
          .describe("One self-contained question. Earlier questions aren't remembered."),
        ...searchScopeInputs,
      }),
      request: askRequestSchema,
      response: generateResponseSchema,
      access: { scope: "ask", takes: "stream" },
      async run({ question, ...where }, call) {
        const messages = [{ role: "user" as const, content: question }];
        const data = await generate(dependencies, { messages, ...where }, call);
        const cut = data.finish_reason === undefined ? [] : ["[The model provider cut the answer short.]"];
        return { text: [data.content, ...cut, ...data.citations.map(formatCitation)].join("\n"), data };
      },
    }),
    defineMcpTool({
      name: "list_namespaces",
      title: "List namespaces",
      description:
        "Lists the collections of documents that may be searched, with the numbers of their documents and chunks.",
      input: z.object({ limit: range(namespacesPerPage, "How many namespaces to return."), cursor }),
      request: namespacesQuerySchema,
      response: namespacesResponseSchema,
      access: { scope: "read" },
      async run(input, { request }) {
        const data = await listNamespaces(dependencies, input, request);
        const lines = data.namespaces.map(
          (one) => `${one.namespace}: ${formatCount(one.documents, "document")}, ${formatCount(one.chunks, "chunk")}`,
        );
        return { text: formatList(lines, "There are no namespaces with documents.", data.next_cursor), data };
      },
    }),
    defineMcpTool({
      name: "list_documents",
      title: "List documents",
      description:
        "Lists the documents of a namespace, oldest first, each with its document_id, title, source and number of chunks.",
      input: z.object({
        namespace,
        source: z
          .string()
          .optional()
          .describe('Only documents of this source, such as "file:a.pdf" or "url:https://…".'),
        limit: range(documentsPerPage, "How many documents to return."),
        cursor,
      }),
      request: listDocumentsRequestSchema,
      response: documentsResponseSchema,
      access: { scope: "read" },
      async run({ namespace: given, ...query }, { request }) {
        const data = await listDocuments(dependencies, useNamespace(given, request), query, request);
        const lines = data.documents.map(
          (one) => `${one.document_id}: ${one.title} (${one.source}), ${formatCount(one.chunks, "chunk")}`,
        );
        return { text: formatList(lines, "There are no such documents.", data.next_cursor), data };
      },
    }),
    defineMcpTool({
      name: "read_document",
      title: "Read a document",
      description:
        "Returns the text of one document, a part at a time. To read what is around a chunk of search_docs, start somewhat before " +
        "its start offset. While next_offset isn't null there is more: call again with it as offset.",
      input: z.object({
        document_id: documentId,
        namespace,
        offset: z.int().min(0).default(0).describe("The character to start at."),
        limit: range(textCharacters, "How many characters to return."),
      }),
      request: readDocumentRequestSchema,
      response: readDocumentResponseSchema,
      access: { scope: "read", takes: "document" },
      async run({ namespace: given, document_id: id, offset = 0, limit = textCharacters.default }, { request }) {
        const data = await readText(store, { namespace: useNamespace(given, request), id }, { offset, limit });
        const rest = data.next_offset === null ? "" : `\n\n[There is more: offset ${data.next_offset}]`;
        return { text: `${data.title} (${data.source})\n\n${data.text}${rest}`, data };
      },
    }),
    defineMcpTool({
      name: "add_document",
      title: "Add a document",
      description:
        "Stores a text, a Markdown document or a web page, so that search_docs and ask find it. Content that is already stored in the " +
        "namespace is skipped. With an id and on_conflict replace, a later call updates the document.",
      input: z.object({
        value: z.string().describe("The text itself or, for the type url, the address of the page."),
        type: z
          .enum(["text", "markdown", "url"])
          .optional()
          .describe("What the value is. Default: url for an address that starts with http:// or https://, else text."),
        title: z.string().optional().describe("Shown in citations; otherwise the document's own title."),
        id: z
          .string()
          .max(knowledgeLimits.itemIdCharacters)
          .optional()
          .describe("Your name for a text, to replace it later."),
        namespace,
        metadata: z
          .record(z.string(), fieldValue)
          .optional()
          .describe('Fields to filter by, such as {"team": "legal"}.'),
        on_conflict: z
          .enum(["keep", "replace"])
          .default("keep")
          .describe("What happens to other content of the same source."),
      }),
      request: addDocumentRequestSchema,
      response: ingestResponseSchema,
      access: { scope: "write", takes: "ingest" },
      // The tool fetches the page of a URL.
      openWorld: true,
      isDestructive: true,
      async run(input, call) {
        const data = await ingestSource(dependencies, input, call);
        return { text: formatIngest(data), data };
      },
    }),
    defineMcpTool({
      name: "delete_document",
      title: "Delete a document",
      description: "Deletes one document for good, also where several sources have it. It can't be undone.",
      input: z.object({ document_id: documentId, namespace }),
      request: deleteDocumentRequestSchema,
      response: deleteDocumentResponseSchema,
      access: { scope: "write" },
      isDestructive: true,
      async run({ namespace: given, document_id }, { request }) {
        const name = useNamespace(given, request);
        await deleteDocument(dependencies, { namespace: name, id: document_id }, { request, purge: false });
        return {
          text: `The document ${document_id} is deleted.`,
          data: { namespace: name, document_id, deleted: true },
        };
      },
    }),
  ];
}

/** @throws ProblemError `forbidden` */
function useNamespace(given: string | undefined, request: IncomingMessage): string {
  const name = given ?? defaultNamespace;
  requireNamespace(request, name);
  return name;
}

const formatCount = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;

function formatHits(results: SearchResponse["results"]): string {
  if (results.length === 0) return "No chunk of the namespace matches the question.";
  return results
    .map(({ title, content, metadata }, index) => {
      const { source, document_id, start, end } = metadata;
      return `[${index + 1}] ${formatPlace({ title, ...metadata })} (${source}; document_id ${document_id}, characters ${start} to ${end})\n${content}`;
    })
    .join("\n\n");
}

function formatPlace(place: Pick<Citation, "title" | "heading" | "page" | "sheet" | "slide">): string {
  const { title, heading, page, sheet, slide } = place;
  return [title, heading, page && `page ${page}`, sheet && `sheet ${sheet}`, slide && `slide ${slide}`]
    .filter(Boolean)
    .join(", ");
}

const formatCitation = (citation: Citation): string =>
  `[${citation.n}] ${formatPlace(citation)} (${citation.source}; document_id ${citation.document_id})`;

function formatList(lines: readonly string[], none: string, next: string | null): string {
  if (lines.length === 0) return none;
  return [...lines, ...(next === null ? [] : [`[There is more: cursor ${next}]`])].join("\n");
}

/** @throws ProblemError `invalid-input` if the document wasn't stored */
function formatIngest({ saved, skipped, errors }: IngestResponse): string {
  const [failed] = errors;
  if (failed) throw problems.notStored(failed.error, failed.code);
  const [stored] = saved;
  if (stored) return `Stored as document_id ${stored.document_id} in ${formatCount(stored.chunks, "chunk")}.`;
  const { hash, replaced } = skipped[0] ?? {};
  const deleted = replaced
    ? ` Deleted, because it had the same id and other content: ${formatCount(replaced, "document")}.`
    : "";
  return `Skipped: the namespace already has this content, with the hash ${hash}.${deleted}`;
}
