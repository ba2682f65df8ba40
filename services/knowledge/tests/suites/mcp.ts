import { readFile } from "node:fs/promises";
import { answer } from "@agent-backends/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, it } from "vitest";
import { provider, service } from "./service.ts";

const sources = [{ type: "markdown", value: "# Refunds\n\nCustomers get their money back within 30 days." }];
await service.ingest({ namespace: "shop", sources });
const client = new Client({ name: "test", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`)) as never);
afterAll(async () => {
  await client.close();
});

const call = async (name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult & {
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
    structuredContent?: any;
  };
const search = (args: Record<string, unknown>) => call("search_docs", args);
const joinText = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("");

describe("the knowledge service over MCP", () => {
  it("offers its tools, described for a model, with their limits", async () => {
    const { tools } = await client.listTools();
    const all = [
      "search_docs",
      "ask",
      "list_namespaces",
      "list_documents",
      "read_document",
      "add_document",
      "delete_document",
    ];
    expect(tools.map(({ name }) => name)).toEqual(all);
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\w{4}.*\./);
      for (const field of Object.values(inputSchema.properties ?? {})) expect(field).toHaveProperty("description");
      expect(annotations?.readOnlyHint).toBe(!/^(add|delete)/.test(name));
    }
    expect(tools[0]?.inputSchema).toMatchObject({
      required: ["query"],
      properties: {
        max_results: { type: "integer", minimum: 1, maximum: 50, default: 6 },
        namespace: { default: "default" },
        namespaces: { maxItems: 8, items: { maxLength: 128 } },
      },
    });
    expect(JSON.stringify(tools[0]?.inputSchema.properties?.filter)).toContain('"maxItems":64');
    expect(tools.at(-1)?.annotations).toMatchObject({ destructiveHint: true });
    // Clients check each result of the tests below with these.
    for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ type: "object" });
    expect(client.getInstructions()).toContain("list_namespaces");
    // No notices of changed tools.
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
  });

  it("is found with a slash behind its address, as many clients write it", async () => {
    const other = new Client({ name: "test", version: "1.0.0" });
    await other.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp/?from=test`)) as never);
    expect((await other.listTools()).tools).not.toEqual([]);
    await other.close();
  });

  it("gives the same chunks as the search route, as text and as data", async () => {
    const query = "When do I get my money back?";
    const result = await search({ namespace: "shop", query });
    const { body } = await service.search({ namespace: "shop", query });
    expect(result.structuredContent).toEqual(body);
    expect(joinText(result)).toContain("[1] Refunds, Refunds (markdown:0; document_id ");
    expect(joinText(result)).toContain("within 30 days");
  });

  it("tells a client that asks for it how long its call has taken, so that the client waits longer than it would", async () => {
    const { promise: thought, resolve } = Promise.withResolvers<void>();
    const frame = { choices: [{ index: 0, delta: { content: "Within 30 days [1]." }, finish_reason: "stop" }] };
    provider.script(answer.bytes([thought, `data: ${JSON.stringify(frame)}\n\n`]));
    const seconds: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => {
      if (seconds.push(progress) === 3) resolve();
    };
    const args = { question: "When do I get my money back?", namespace: "shop" };
    const options = { onprogress, resetTimeoutOnProgress: true, timeout: 30_000 };
    const result = await client.callTool({ name: "ask", arguments: args }, undefined, options);
    expect(joinText(result as CallToolResult)).toContain("Within 30 days [1].");
    expect(seconds.length).toBeGreaterThanOrEqual(3);
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
  });

  it("looks only at documents that fit its filter", async () => {
    const sourcesFor = async (filter: Record<string, unknown>) => {
      const { structuredContent } = await search({ namespace: "shop", query: "money back", filter });
      const { results } = structuredContent as { results: { metadata: { source: string } }[] };
      return results.map(({ metadata }) => metadata.source);
    };
    expect(await sourcesFor({ source: ["markdown:0", "else"] })).toEqual(["markdown:0"]);
    expect(await sourcesFor({ source: "else" })).toEqual([]);
  });

  it("says that nothing was found in an unknown namespace", async () => {
    const result = await search({ namespace: "nobody", query: "refunds" });
    expect([joinText(result), result.isError]).toEqual(["No chunk of the namespace matches the question.", undefined]);
  });

  it.each([
    ["search_docs", { query: " " }, "/query"],
    ["search_docs", { query: "x", max_results: 51 }, "/max_results"],
    ["search_docs", { query: "x", namespace: "a\u0000" }, "/namespace"],
    ["search_docs", {}, "`/query`: is missing"],
    ["search_docs", { query: "x", top_k: 3 }, "`/top_k`: isn't a known field; use `max_results`"],
    ["search_docs", { query: "x", filter: { chunk: 1 } }, "/filter"],
    ["ask", { query: "x" }, "use `question`"],
    ["list_documents", { collection: "x" }, "use `namespace`"],
    ["read_document", { document_id: "x", limit: 50_001 }, "/limit"],
    ["read_document", { id: "x" }, "use `document_id`"],
    ["read_document", { document_id: "x" }, 'There is no document "x"'],
    ["add_document", { text: "x" }, "use `value`"],
    ["add_document", { value: "x", type: "pdf" }, '"pdf"'],
    [
      "add_document",
      { value: "x", metadata: { long: Array.from({ length: 8 }, () => "x".repeat(500)) } },
      "4000 characters",
    ],
    ["delete_document", { document_id: "x" }, 'There is no document "x"'],
    ["find", {}, "use one of search_docs, ask"],
  ])("refuses a wrong call of %s with a problem: %j", async (tool, args, named) => {
    const result = await call(tool, args);
    expect([result.isError, joinText(result)]).toEqual([true, expect.stringContaining(named)]);
    expect(joinText(result).split(named)).toHaveLength(2);
    expect(result.structuredContent).toMatchObject({
      type: expect.stringContaining("problem:"),
      detail: expect.any(String),
    });
  });

  it("names ignored fields", async () => {
    const result = await search({ query: "x", colour: "red" });
    expect(joinText(result)).toContain("/colour: isn't a known field; it was ignored");
    expect(result.structuredContent).toMatchObject({ warnings: [{ pointer: "/colour" }] });
  });

  it("answers a question with citations", async () => {
    provider.script(answer.text("Within 30 days [1]."));
    const result = await call("ask", { namespace: "shop", question: "When do customers get their money back?" });
    expect(result.structuredContent).toMatchObject({
      content: "Within 30 days [1].",
      citations: [{ n: 1, source: "markdown:0" }],
    });
    expect(joinText(result)).toContain("[1] Refunds, Refunds (markdown:0; document_id ");
  });

  it("tells the model that an answer was cut short", async () => {
    provider.script(
      answer.chunks([{ choices: [{ index: 0, delta: { content: "Within" }, finish_reason: "length" }] }]),
    );
    const result = await call("ask", { namespace: "shop", question: "When do customers get their money back?" });
    expect(result.structuredContent).toMatchObject({ content: "Within", finish_reason: "length" });
    expect(joinText(result)).toContain("[The model provider cut the answer short.]");
  });

  it("adds, lists, reads in parts, updates and deletes a document", async () => {
    const value = `${"Gulls eat chips. ".repeat(60)}😀`;
    const added = await call("add_document", {
      namespace: "birds",
      value,
      id: "gulls",
      title: "Gulls",
      metadata: { sea: true },
    });
    const { document_id } = added.structuredContent.saved[0];
    expect(joinText(added)).toContain(document_id);
    expect(joinText(await call("add_document", { namespace: "birds", value, id: "gulls" }))).toMatch(/^Skipped/);

    expect(joinText(await call("list_namespaces"))).toMatch(/birds: 1 document, 1 chunk.*shop: 1 document,/s);
    const listed = await call("list_documents", { namespace: "birds", source: "text:gulls" });
    expect(listed.structuredContent.documents).toMatchObject([{ document_id, title: "Gulls" }]);
    expect(joinText(listed)).toContain(document_id);

    let read = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const part = await call("read_document", { namespace: "birds", document_id, offset, limit: 101 });
      expect(part.structuredContent).toMatchObject({ title: "Gulls", offset, metadata: { sea: true } });
      expect(part.structuredContent.text.isWellFormed()).toBe(true);
      read += part.structuredContent.text;
      offset = part.structuredContent.next_offset;
    }
    expect(read).toBe(value);

    const replaced = { namespace: "birds", value: "Gulls eat fish.", id: "gulls", on_conflict: "replace" };
    const { structuredContent } = await call("add_document", replaced);
    const { saved } = structuredContent;
    expect(saved).toMatchObject([{ replaced: 1 }]);
    expect(
      (await call("delete_document", { namespace: "birds", document_id: saved[0].document_id })).isError,
    ).toBeUndefined();
    expect(joinText(await call("list_documents", { namespace: "birds" }))).toBe("There are no such documents.");
  });

  it("names the code of a document that can't be added", async () => {
    const result = await call("add_document", { type: "url", value: "ftp://example.com/a" });
    expect([result.isError, joinText(result)]).toEqual([true, expect.stringContaining("(invalid_url)")]);
  });

  it("fetches an address that is added without a type, and says of one without a scheme that it is stored as text", async () => {
    const fetched = await call("add_document", { value: "http://127.0.0.1:1/page" });
    expect([fetched.isError, joinText(fetched)]).toEqual([
      true,
      expect.stringMatching(/\((forbidden_address|unreachable)\)/),
    ]);
    const stored = await call("add_document", { namespace: "named addresses", value: "www.example.com/page" });
    expect(joinText(stored)).toMatch(/^Stored as .*\n\n\/value: looks like an address/s);
    expect(stored.structuredContent).toMatchObject({ warnings: [{ pointer: "/value" }] });
  });

  it("answers the documented client", async () => {
    const guide = await readFile(new URL("../../../../docs/guides/mcp.md", import.meta.url), "utf8");
    const [, code = ""] = /```ts\n(.*?)```/s.exec(guide) ?? [];
    const logged: unknown[] = [];
    const values = {
      Client,
      StreamableHTTPClientTransport,
      process: { env: { MCP_URL: `${service.baseUrl}/mcp` } },
      console: { log: (value: unknown) => logged.push(value) },
    };
    const run = new Function(...Object.keys(values), `return (async () => {${code.replace(/^import .*$/gm, "")}})();`);
    await run(...Object.values(values));
    expect(logged).toEqual(["# Refunds\n\nCustomers get their money back within 30 days."]);
  });

  it("takes null for what a client leaves empty", async () => {
    const ask = async (message: object) => {
      const response = await fetch(`${service.baseUrl}/mcp`, {
        method: "POST",
        headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: null, error: null, ...message }),
      });
      return response.json();
    };
    const clientInfo = { name: "test", version: "1.0.0", title: null };
    const initialize = { protocolVersion: "2025-06-18", capabilities: { roots: null, experimental: null }, clientInfo };
    const namespaces = { name: "list_namespaces", arguments: null, _meta: null };
    const documents = { namespace: "shop", source: null, limit: null, cursor: null };
    expect(await ask({ method: "ping", params: null })).toMatchObject({ result: {} });
    expect(await ask({ method: "initialize", params: initialize })).toHaveProperty("result.serverInfo");
    expect(await ask({ method: "tools/list", params: { cursor: null } })).toHaveProperty("result.tools");
    expect(await ask({ method: "tools/call", params: namespaces })).toHaveProperty("result.structuredContent");
    expect(await call("list_documents", documents)).toMatchObject({
      structuredContent: { documents: [{ chunks: 1 }] },
    });
  });

  it("refuses pages of other sites", async () => {
    const response = await fetch(`${service.baseUrl}/mcp`, {
      method: "POST",
      headers: { origin: "https://evil.example", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    expect(response.status).toBe(403);
  });
});
