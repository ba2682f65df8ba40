import { z } from "zod";
import { knowledgeRunQuerySchema } from "../ag-ui-agents.ts";
import * as knowledge from "../knowledge/index.ts";
import { agUiOperations } from "./ag-ui.ts";
import { mcpOperations, serviceOperations } from "./common.ts";
import type { Operations } from "./operation.ts";
import { answerHeaders } from "./operation.ts";

const question = { messages: [{ role: "user", content: "How long do customers have to return a product?" }] };

export const knowledgeOperations = {
  "POST /api/tools/ingest": {
    id: "ingest",
    tag: "Ingest",
    summary: "Store texts, web pages and files",
    description:
      "Content that the namespace has already is skipped. An item is stored whole or not at all, and one item's failure never affects another.",
    access: "write",
    takes: "ingest",
    query: knowledge.ingestQuerySchema,
    body: {
      schema: knowledge.ingestRequestSchema,
      form: knowledge.ingestFormSchema,
      examples: {
        Markdown: {
          sources: [
            {
              type: "markdown",
              id: "returns",
              title: "Returns",
              value: "# Returns\n\nYou have 30 days to return a product.",
            },
          ],
        },
        "several texts": {
          namespace: "support",
          sources: [
            "Parcels take a week.",
            { type: "text", value: "We answer within a day.", metadata: { team: "help" } },
          ],
          on_conflict: "replace",
        },
      },
    },
    answers: {
      200: { description: "No item has an error.", json: knowledge.ingestResponseSchema },
      202: {
        description: "With `async=true`: the job that does it.",
        headers: ["Location"],
        json: knowledge.jobAcceptedSchema,
      },
      207: { description: "Some items were saved, others have errors.", json: knowledge.ingestResponseSchema },
      400: { description: "All items have errors.", json: knowledge.ingestResponseSchema },
    },
    problems: ["conflict"],
  },
  "POST /api/tools/readSitemap": {
    id: "readSitemap",
    tag: "Ingest",
    summary: "List the pages of a sitemap",
    description: "Nothing is stored. Send the pages as sources of an ingest.",
    access: "write",
    takes: "ingest",
    body: { schema: knowledge.sitemapRequestSchema, examples: { sitemap: { url: "https://example.com/sitemap.xml" } } },
    answers: { 200: { description: "Its pages.", json: knowledge.sitemapResponseSchema } },
  },
  "POST /api/tools/searchDocs": {
    id: "searchDocs",
    tag: "Search",
    summary: "Search the documents of a namespace",
    description: "By meaning and by words. An unknown namespace has no results.",
    access: "read",
    takes: "search",
    body: {
      schema: knowledge.searchRequestSchema,
      examples: { query: { query: "returns", max_results: 3 }, filter: { query: "answers", filter: { team: "help" } } },
    },
    answers: { 200: { description: "The best chunks, best first.", json: knowledge.searchResponseSchema } },
    problems: ["conflict", "provider-failed"],
  },
  "POST /api/agents/knowledge/generate": {
    id: "generate",
    tag: "Answers",
    summary: "Answer a question with citations",
    access: "ask",
    takes: "stream",
    body: { schema: knowledge.generateRequestSchema, examples: { question } },
    answers: {
      200: { description: "The whole answer.", headers: answerHeaders, json: knowledge.generateResponseSchema },
    },
    problems: ["no-message", "conflict", "provider-failed"],
  },
  "POST /stream": {
    id: "stream",
    tag: "Answers",
    summary: "Answer a question as a stream",
    description:
      "`text_start`, `text_delta`…, `text_end`, `done`. A failure at any point sends `error` and ends the stream. With `include_tool_events` it also has the librarian's searches and, before `text_end`, the citations.",
    access: "ask",
    takes: "stream",
    headers: { Accept: "`text/event-stream` for server-sent events. Else the events are newline-delimited JSON." },
    body: {
      schema: knowledge.streamRequestSchema,
      examples: {
        question: { thread_id: "thread-1", run_id: "run-1", ...question },
        "with citations": { thread_id: "thread-1", run_id: "run-2", ...question, include_tool_events: true },
      },
    },
    answers: {
      200: {
        description: "The events.",
        headers: answerHeaders,
        stream: { event: z.union([knowledge.replyEventSchema, knowledge.toolEventSchema]), formats: ["ndjson", "sse"] },
      },
    },
    problems: ["no-message"],
  },
  "POST /v1/chat/completions": {
    id: "createChatCompletion",
    tag: "OpenAI",
    summary: "Answer a question in OpenAI's shapes",
    description:
      "A namespace is the model `knowledge/{namespace}`, and `knowledge` the default one. `stream: true` streams.",
    access: "ask",
    takes: "stream",
    body: {
      schema: knowledge.chatCompletionRequestSchema,
      examples: {
        question: { model: "knowledge", ...question },
        stream: { model: "knowledge", ...question, stream: true, stream_options: { include_usage: true } },
      },
    },
    answers: {
      200: {
        description: "The whole answer, or its events.",
        headers: answerHeaders,
        json: knowledge.chatCompletionSchema,
        stream: {
          event: z.union([knowledge.chatCompletionChunkSchema, knowledge.chatCompletionErrorSchema]),
          formats: ["sse"],
          end: "[DONE]",
        },
      },
    },
    problems: ["no-message", "not-found", "conflict", "provider-failed"],
  },
  "GET /v1/models": {
    id: "listModels",
    tag: "OpenAI",
    summary: "List the namespaces that the key may use, as models",
    access: "ask",
    answers: { 200: { description: "The models.", json: knowledge.modelsResponseSchema } },
  },
  "GET /v1/models/{model}": {
    id: "getModel",
    tag: "OpenAI",
    summary: "Read a model",
    access: "ask",
    parameters: knowledge.modelParametersSchema,
    answers: { 200: { description: "The model.", json: knowledge.modelSchema } },
  },
  "GET /api/jobs": {
    id: "listJobs",
    tag: "Jobs",
    summary: "List the client's ingest jobs, newest first",
    access: "read",
    query: knowledge.jobsQuerySchema,
    answers: { 200: { description: "A page of jobs.", json: knowledge.jobsResponseSchema } },
  },
  "GET /api/jobs/{id}": {
    id: "getJob",
    tag: "Jobs",
    summary: "Read a job and the stage of each item",
    access: "read",
    parameters: knowledge.jobParametersSchema,
    answers: { 200: { description: "The job.", json: knowledge.jobSchema } },
  },
  "GET /api/jobs/{id}/events": {
    id: "followJob",
    tag: "Jobs",
    summary: "Follow a job",
    description: "One event for each change of an item, and the whole job at the end.",
    access: "read",
    takes: "stream",
    parameters: knowledge.jobParametersSchema,
    answers: { 200: { description: "The events.", stream: { event: knowledge.jobEventSchema, formats: ["sse"] } } },
  },
  "DELETE /api/jobs/{id}": {
    id: "cancelJob",
    tag: "Jobs",
    summary: "Cancel a job",
    description: "What is stored stays.",
    access: "write",
    parameters: knowledge.jobParametersSchema,
    answers: { 200: { description: "The job as it ended.", json: knowledge.jobSchema } },
  },
  "GET /api/namespaces": {
    id: "listNamespaces",
    tag: "Documents",
    summary: "List the namespaces that the key may use",
    access: "read",
    query: knowledge.namespacesQuerySchema,
    answers: { 200: { description: "A page of namespaces.", json: knowledge.namespacesResponseSchema } },
  },
  "GET /api/namespaces/{namespace}/documents": {
    id: "listDocuments",
    tag: "Documents",
    summary: "List the documents of a namespace",
    access: "read",
    parameters: knowledge.namespaceParametersSchema,
    query: knowledge.documentsQuerySchema,
    answers: { 200: { description: "A page of documents, oldest first.", json: knowledge.documentsResponseSchema } },
  },
  "GET /api/namespaces/{namespace}/documents/{id}": {
    id: "getDocument",
    tag: "Documents",
    summary: "Read a document",
    access: "read",
    takes: "document",
    parameters: knowledge.documentParametersSchema,
    answers: { 200: { description: "The document with its text.", json: knowledge.documentResponseSchema } },
  },
  "GET /api/namespaces/{namespace}/documents/{id}/chunks": {
    id: "listChunks",
    tag: "Documents",
    summary: "List the chunks of a document",
    access: "read",
    parameters: knowledge.documentParametersSchema,
    query: knowledge.chunksQuerySchema,
    answers: { 200: { description: "A page of chunks.", json: knowledge.chunksResponseSchema } },
  },
  "PATCH /api/namespaces/{namespace}/documents/{id}": {
    id: "changeDocument",
    tag: "Documents",
    summary: "Change a document's title or metadata",
    access: "write",
    parameters: knowledge.documentParametersSchema,
    body: {
      schema: knowledge.documentChangeSchema,
      examples: { "title and metadata": { title: "Returning products", metadata: { team: "help" } } },
    },
    answers: { 200: { description: "The document without its text.", json: knowledge.changedDocumentResponseSchema } },
  },
  "DELETE /api/namespaces/{namespace}/documents/{id}": {
    id: "deleteDocument",
    tag: "Documents",
    summary: "Delete a document",
    access: "write",
    parameters: knowledge.documentParametersSchema,
    query: knowledge.deletionQuerySchema,
    answers: { 204: { description: "It is deleted for all its sources." } },
  },
  "DELETE /api/namespaces/{namespace}/documents": {
    id: "deleteDocuments",
    tag: "Documents",
    summary: "Delete the documents that meet conditions",
    description: "Needs `source`, `filter`, `ingested_after` or `ingested_before`.",
    access: "write",
    parameters: knowledge.namespaceParametersSchema,
    query: knowledge.deleteDocumentsQuerySchema,
    answers: { 200: { description: "How many were deleted.", json: knowledge.deleteDocumentsResponseSchema } },
  },
  "GET /api/namespaces/{namespace}/changes": {
    id: "listChanges",
    tag: "Documents",
    summary: "List the documents that were added, changed or deleted",
    description:
      "Since a cursor, each document once, with what it is now. The cursor for the next request is in the last line. Without a cursor all documents are `added`.",
    access: "read",
    takes: "stream",
    parameters: knowledge.namespaceParametersSchema,
    query: knowledge.changesQuerySchema,
    answers: {
      200: { description: "The lines.", stream: { event: knowledge.changeEventSchema, formats: ["ndjson"] } },
    },
    problems: ["gone"],
  },
  "GET /api/namespaces/{namespace}/export": {
    id: "exportNamespace",
    tag: "Documents",
    summary: "Export a namespace with its vectors",
    description: "Lines for an import. Only a file that ends with its `trailer` is whole.",
    access: "read",
    takes: "document",
    parameters: knowledge.namespaceParametersSchema,
    answers: { 200: { description: "The lines.", stream: { event: knowledge.exportLineSchema, formats: ["ndjson"] } } },
  },
  "POST /api/namespaces/{namespace}/import": {
    id: "importNamespace",
    tag: "Documents",
    summary: "Import an exported namespace",
    description:
      "Content that the namespace has already is skipped. Each document is stored whole or not at all, as the file arrives.",
    access: "write",
    takes: "ingest",
    parameters: knowledge.namespaceParametersSchema,
    query: knowledge.importQuerySchema,
    lines: knowledge.exportLineSchema,
    answers: { 200: { description: "How much was stored.", json: knowledge.importResponseSchema } },
    problems: ["conflict", "provider-failed"],
  },
  "DELETE /api/namespaces/{namespace}": {
    id: "deleteNamespace",
    tag: "Documents",
    summary: "Delete a namespace with all its documents",
    access: "write",
    parameters: knowledge.namespaceParametersSchema,
    query: knowledge.deletionQuerySchema,
    answers: { 204: { description: "It is deleted, and its text is off the disk." } },
  },
  ...agUiOperations(knowledgeRunQuerySchema),
  ...mcpOperations,
  ...serviceOperations({ embedding_model: z.string() }),
} satisfies Operations;
