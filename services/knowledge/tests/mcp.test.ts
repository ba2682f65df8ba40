import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postJson } from "./knowledge-process.ts";
import { startUnderTest } from "./under-test.ts";

const { service } = await startUnderTest();
let client: Client;
beforeAll(async () => {
  const sources = [{ type: "markdown", value: "# Refunds\n\nCustomers get their money back within 30 days." }];
  await postJson(`${service.baseUrl}/api/tools/ingest`, { namespace: "shop", sources });
  client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`)) as never);
});
afterAll(async () => {
  await client.close();
});

const search = async (args: Record<string, unknown>) =>
  (await client.callTool({ name: "search_docs", arguments: args })) as CallToolResult;
const textOf = ({ content }: CallToolResult) => content.map((part) => (part.type === "text" ? part.text : "")).join("");

describe("the knowledge service over MCP", () => {
  it("offers its search", async () => {
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([{ name: "search_docs", inputSchema: { type: "object", required: ["query"] } }]);
  });

  it("gives the same chunks as the search route, as text and as data", async () => {
    const query = "When do I get my money back?";
    const result = await search({ namespace: "shop", query });
    const { body } = await postJson(`${service.baseUrl}/api/tools/searchDocs`, { namespace: "shop", query });
    expect(result.structuredContent).toEqual(body);
    expect(textOf(result)).toContain("[1] Refunds, Refunds (markdown:0)\n");
    expect(textOf(result)).toContain("within 30 days");
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
    expect([textOf(result), result.isError]).toEqual(["No chunk of the namespace fits the question.", undefined]);
  });

  it.each([
    ["a blank query", { query: " " }, "/query"],
    ["too many results", { query: "x", max_results: 51 }, "/max_results"],
    ["a namespace with control characters", { query: "x", namespace: "a\u0000" }, "/namespace"],
    ["no query", {}, "query"],
    ["a filter for what is no field", { query: "x", filter: { chunk: 1 } }, "/filter"],
  ])("refuses %s with an error that the model can read", async (_what, args, named) => {
    const result = await search(args);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(named)]);
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
