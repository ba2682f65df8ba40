import type { ServiceName } from "@agent-backends/testing";
import { toolActions } from "../../services/listing/actions/index.ts";

/** A request that a service answers successfully. */
export interface WellMade {
  method: string;
  path: string;
  body?: object;
  /** Whether the route also accepts the body as a form. */
  hasForm?: boolean;
}

/** The run id of each request to a relay. A client that needs another id replaces it with one of the same length. */
export const wellMadeRunId = "run-00000000";

const run = {
  threadId: "t",
  runId: wellMadeRunId,
  messages: [{ id: "1", role: "user", content: "Hi" }],
  tools: [{ name: "f", description: "d", parameters: { type: "object" } }],
  context: [{ description: "d", value: "v" }],
  state: {},
  forwardedProps: {},
};
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };

const relay: WellMade[] = [
  { method: "POST", path: "/agent", body: run },
  {
    method: "POST",
    path: "/agent",
    body: {
      ...run,
      protocolVersion: "1.0",
      messages: [
        { id: "1", role: "user", content: [{ type: "text", text: "Hi" }] },
        { id: "2", role: "assistant", toolCalls: [call] },
        { id: "3", role: "tool", toolCallId: "c", content: "done" },
      ],
    },
  },
  { method: "GET", path: "/agent/capabilities" },
  { method: "GET", path: "/agent?runId=r&offset=-1" },
  { method: "GET", path: "/agent/runs/r" },
  { method: "DELETE", path: "/agent/runs/r" },
  { method: "GET", path: "/health" },
  { method: "GET", path: "/ready" },
];

const agUi = (query: string, parameters: object): WellMade[] => [
  {
    method: "POST",
    path: `/agui${query}`,
    body: { ...run, protocolVersion: "1.0", forwardedProps: parameters, state: parameters },
  },
  { method: "GET", path: "/agui/capabilities" },
  { method: "GET", path: "/agui?runId=r&offset=-1" },
  { method: "GET", path: "/agui/runs/r" },
  { method: "DELETE", path: "/agui/runs/r" },
];
const messages = [{ role: "user", content: "Hi" }];
const document = "/api/namespaces/n/documents/0123456789abcdef0123456789abcdef";
const job = "/api/jobs/01234567-89ab-4def-8123-456789abcdef";
const mcp = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

/** Requests for every route of each service. */
export const wellMadeRequests: Record<ServiceName, readonly WellMade[]> = {
  "relay-express": relay,
  "relay-nest": relay,
  knowledge: [
    {
      method: "POST",
      path: "/api/tools/ingest",
      body: { namespace: "n", sources: [{ type: "text", value: "A text.", title: "T" }, "another"] },
      hasForm: true,
    },
    {
      method: "POST",
      path: "/api/tools/ingest?async=true",
      body: { namespace: "n", sources: [{ type: "url", value: "http://127.0.0.1:9/" }] },
      hasForm: true,
    },
    { method: "POST", path: "/api/tools/readSitemap", body: { url: "http://127.0.0.1:9/sitemap.xml" } },
    { method: "GET", path: "/api/namespaces/n/changes" },
    { method: "POST", path: "/api/namespaces/n/import", body: { type: "header" } },
    { method: "POST", path: "/api/tools/searchDocs", body: { namespace: "n", query: "text", max_results: 3 } },
    {
      method: "POST",
      path: "/api/agents/knowledge/generate",
      body: { messages, namespace: "n", filter: { team: "t" } },
    },
    {
      method: "POST",
      path: "/api/tools/searchDocs",
      body: { namespaces: ["n", "m"], query: "text", filter: { tags: ["a"] } },
    },
    {
      method: "POST",
      path: "/stream",
      body: { thread_id: "t", run_id: "r", messages, tool_params: { namespace: "n" }, include_tool_events: true },
    },
    {
      method: "POST",
      path: "/v1/chat/completions",
      body: { model: "knowledge/n", messages, stream: true, stream_options: { include_usage: true }, n: 1 },
    },
    { method: "POST", path: "/v1/chat/completions", body: { model: "knowledge", messages, temperature: 0 } },
    { method: "GET", path: "/v1/models" },
    { method: "GET", path: "/v1/models/knowledge%2Fn" },
    ...agUi("?namespace=n&profile=ag-ui", { namespaces: ["n"], filter: { team: "t" } }),
    { method: "POST", path: "/mcp", body: { jsonrpc: "2.0", id: 1, method: "tools/list" } },
    { method: "POST", path: "/mcp", body: mcp("search_docs", { query: "text", namespace: "n" }) },
    { method: "POST", path: "/mcp", body: mcp("ask", { question: "What text?", namespace: "n" }) },
    { method: "POST", path: "/mcp", body: mcp("list_namespaces", { limit: 5 }) },
    { method: "POST", path: "/mcp", body: mcp("list_documents", { namespace: "n", source: "text:0", limit: 5 }) },
    {
      method: "POST",
      path: "/mcp",
      body: mcp("add_document", { value: "A text.", namespace: "n", metadata: { a: 1 } }),
    },
    { method: "GET", path: "/api/namespaces?limit=1000" },
    { method: "GET", path: "/api/namespaces/n/documents?limit=5" },
    {
      method: "GET",
      path: "/api/namespaces/n/documents?source=text:a&filter=%7B%22team%22%3A%22t%22%7D&ingested_after=2026-01-01",
    },
    {
      method: "DELETE",
      path: "/api/namespaces/n/documents?source=text:a&ingested_before=2026-01-01T00:00:00Z&limit=5",
    },
    { method: "GET", path: document },
    { method: "GET", path: `${document}/chunks?limit=5` },
    { method: "PATCH", path: document, body: { title: "T", metadata: { tags: ["a", 1] } } },
    { method: "DELETE", path: document },
    { method: "GET", path: "/api/namespaces/n/export" },
    { method: "POST", path: "/api/namespaces/n/import" },
    { method: "DELETE", path: "/api/namespaces/n" },
    { method: "GET", path: "/api/jobs?limit=5&status=done" },
    { method: "GET", path: job },
    { method: "DELETE", path: job },
    { method: "GET", path: `${job}/events` },
    { method: "GET", path: "/health" },
    { method: "GET", path: "/ready" },
  ],
  listing: [
    {
      method: "POST",
      path: "/agent",
      body: {
        messages: [{ role: "user", content: "top 3 launches yesterday" }],
        thread_id: "t",
        run_id: "r",
        tool_params: { timeframe: "today", tz: "UTC", limit: 3 },
      },
    },
    ...agUi("?limit=3&tz=UTC", { timeframe: "today", tz: "UTC", limit: 3 }),
    ...toolActions.map(({ name, tool }) => ({ method: "POST", path: `/tools/${name}`, body: tool.example })),
    { method: "POST", path: "/mcp", body: mcp("top_timeframe", { timeframe: "today" }) },
    { method: "GET", path: "/" },
    { method: "GET", path: "/health" },
    { method: "GET", path: "/ready" },
  ],
};
