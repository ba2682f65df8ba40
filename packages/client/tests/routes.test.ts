import { KnowledgeClient, ListingClient, RelayClient } from "@agent-backends/client";
import { listingTools } from "@agent-backends/contract";
import type { Operations } from "@agent-backends/contract/openapi";
import { knowledgeOperations, listingOperations, relayOperations } from "@agent-backends/contract/openapi";
import { expect, test } from "vitest";
import type { z } from "zod";
import { collect, json, ScriptedService } from "./scripted-service.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
const runMessages = [{ id: "1", role: "user" as const, content: "Hello" }];
const filter = { team: "legal", year: [2025, 2026] };
const page = { limit: 7, cursor: "next" };
const jobId = "0b5e5c1e-8f5c-4d8e-9c55-0d8f2a3b4c5d";

const knowledgeCalls: ((client: KnowledgeClient) => unknown)[] = [
  (client) => client.ingest({ sources: ["A text"], metadata: { team: "legal" }, on_conflict: "replace" }),
  (client) => client.startIngest({ namespace: "n", sources: [{ type: "url", value: "https://a.example" }] }),
  (client) => client.readSitemap({ url: "https://a.example/sitemap.xml" }),
  (client) => client.search({ query: "q", namespaces: ["a", "b"], filter, max_results: 3, min_score: 0.2 }),
  (client) => client.generate({ messages, filter }),
  (client) => collect(client.stream({ messages, include_tool_events: true })),
  (client) => collect(client.jobs({ ...page, status: "done" })),
  (client) => client.getJob(jobId),
  (client) => collect(client.followJob(jobId, { maxAttempts: 1 })),
  (client) => client.cancelJob(jobId),
  (client) => collect(client.namespaces(page)),
  (client) => client.namespacesPage(page),
  (client) => collect(client.documents("n", { ...page, source: "file:a", filter, ingested_after: "2026-11-01" })),
  (client) => client.documentsPage("n", page),
  (client) => client.getDocument("n", "d"),
  (client) => collect(client.chunks("n", "d", page)),
  (client) => client.updateDocument("n", "d", { title: "New", metadata: { team: "legal" } }),
  (client) => client.deleteDocument("n", "d", { purge: true }),
  (client) => client.deleteDocuments("n", { filter, purge: true, limit: 10 }),
  (client) => client.deleteNamespace("n", { purge: true }),
  (client) => collect(client.changes("n", { since: "c", wait: 3 }, { maxAttempts: 1 })),
  (client) => client.exportNamespace("n"),
  (client) => client.importNamespace("n", new Blob(["{}"]), { reembed: true }),
  (client) => client.health(),
  (client) => client.ready(),
];

const listingCalls: ((client: ListingClient) => unknown)[] = [
  (client) => collect(client.stream({ messages, thread_id: "t", run_id: "r", tool_params: { tz: "UTC", limit: 3 } })),
  (client) => client.top({ limit: 3 }),
  (client) => client.topTimeframe({ timeframe: "yesterday", tz: "UTC", limit: 3 }),
  (client) => client.search({ query: "notes", limit: 3 }),
  (client) => client.confetti({ colors: ["#fff"], particleCount: 100, reason: "party" }),
  ...Object.entries(listingTools).map(
    ([name, { examples }]) =>
      (client: ListingClient) =>
        client.tool(name as "top", Object.values(examples)[0]),
  ),
  (client) => client.health(),
  (client) => client.ready(),
];

const relayCalls: ((client: RelayClient) => unknown)[] = [
  (client) => collect(client.stream({ messages: runMessages, context: [], state: {} }, { profile: "ag-ui" })),
  (client) => collect(client.resume("r", { lastEventId: "3" })),
  (client) => client.stop("r"),
  (client) => client.capabilities(),
  (client) => client.health(),
  (client) => client.ready(),
];

/** Routes for clients of other protocols, for people, and those that another route does as well. */
const leftOut = /^(GET \/|GET \/openapi\.json|GET \/docs.*|.* \/(mcp|v1|agui)(\/.*)?|GET \/agent\/runs\/\{runId\})$/;

test.each([
  ["KnowledgeClient", knowledgeOperations, KnowledgeClient, knowledgeCalls],
  ["ListingClient", listingOperations, ListingClient, listingCalls],
  ["RelayClient", relayOperations(true), RelayClient, relayCalls],
] as const)(
  "%s has every route of its service, and sends what the route accepts",
  async (_, described, Client, calls) => {
    const operations: Operations = described;
    const called = new Set<string>();
    for (const call of calls as readonly ((client: unknown) => unknown)[]) {
      const service = new ScriptedService(json({ next_cursor: null }));
      // What becomes of this answer is a matter of other tests.
      await Promise.resolve(call(new Client(service.options))).catch(() => undefined);
      const [request] = service.requests;
      const { pathname, searchParams } = new URL(request?.url ?? "");
      const line = `${request?.method} ${pathname.replace(/^\/base/, "")}`;
      const found = Object.entries(operations).find(([route]) =>
        new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(line),
      );
      expect(found, line).toBeDefined();
      const [route, { query, body }] = found ?? ["", {} as Operations["GET /"]];
      called.add(route);
      const parameters = Object.fromEntries(searchParams);
      if (query)
        expect(Object.keys(query.parse(parameters) as object)).toEqual(expect.arrayContaining(Object.keys(parameters)));
      else expect(parameters).toEqual({});
      const schema: z.ZodType | undefined = body?.schema;
      if (schema) schema.parse(JSON.parse(request?.body ?? ""));
    }
    const missing = Object.keys(operations).filter((route) => !called.has(route) && !leftOut.test(route));
    expect(missing, "add a method to the client, a call to this file, types to scripts/docs/client-types.ts").toEqual(
      [],
    );
  },
);
