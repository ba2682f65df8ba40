import { listingActions } from "@agent-backends/contract";
import { answer } from "@agent-backends/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toolActions } from "../../actions/index.ts";
import { readJson } from "../answers.ts";
import { provider, service, site } from "./service.ts";

const client = new Client({ name: "test", version: "1.0.0" });
beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`)) as never));
afterAll(() => client.close());
beforeEach(() => {
  site.posts = [
    { id: "a", name: "Inkotter", votesCount: 52, featuredAt: "2026-03-01T12:00:00Z" },
    { id: "b", name: "Mossgrid", votesCount: 98, featuredAt: "2026-03-01T12:00:00Z" },
  ];
  site.hits = [{ objectID: "h", name: "Tidyhound", votes_count: 3, slug: "tidyhound" }];
  provider.script(answer.text("Launch ", "on a Tuesday."));
});

const call = async (name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;
const joinText = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("");

describe("the listing service over MCP", () => {
  it("offers its actions, described for a model and marked as reading only", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...listingActions]);
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      expect(description).toMatch(/\w{4}/);
      expect(inputSchema.type).toBe("object");
      expect(outputSchema?.type).toBe(name === "advice" ? undefined : "object");
      expect(annotations?.readOnlyHint).toBe(true);
    }
    expect(client.getInstructions()).toContain("top_timeframe");
    expect(tools[1]?.inputSchema).toMatchObject({
      required: ["timeframe"],
      properties: { timeframe: { type: "string" }, tz: { type: "string" }, limit: { type: "number" } },
    });
  });

  it.each(toolActions.map(({ name, tool }) => ({ name, example: tool.example })))(
    "gives the same payload as POST /tools/$name",
    async ({ name, example }) => {
      const response = await service.post(`/tools/${name}`, example);
      expect(response.status).toBe(200);
      const { timestamp: _, ...payload } = await readJson(response);
      const { structuredContent } = await call(name, { ...example });
      expect(structuredContent).toMatchObject({ ...payload, ...(payload.as_of && { as_of: expect.any(String) }) });
    },
  );

  it("top: the leaders as a table and as data", async () => {
    const result = await call("top", { limit: 1000 });
    expect(joinText(result)).toContain("| 1 | [Mossgrid]");
    expect(result.structuredContent).toMatchObject({ action: "top", limit: 20, posts: [{ id: "b" }, { id: "a" }] });
  });

  it("top_timeframe: the launches of a day, which it names", async () => {
    const result = await call("top_timeframe", { timeframe: "2026-03-01", tz: "UTC", limit: 1 });
    expect(joinText(result)).toContain("Launches of Sunday 1 March 2026 (UTC). Source: the stand-in.");
    expect(result.structuredContent).toMatchObject({ posts: [{ id: "b" }], timeframe: { tz: "UTC" } });
  });

  it("search: hits of the index", async () => {
    const result = await call("search", { query: "time tracking" });
    expect(result.structuredContent).toMatchObject({ action: "search", hits: [{ id: "h", name: "Tidyhound" }] });
  });

  it("confetti: the payload", async () => {
    const result = await call("confetti", { colors: ["#fff"], particleCount: 5 });
    expect(result.structuredContent).toMatchObject({ action: "CONFETTI", colors: ["#fff"], particleCount: 20 });
    expect(JSON.parse(joinText(result))).toEqual(result.structuredContent);
  });

  it("advice: the model's words, by the launch prompt", async () => {
    expect(joinText(await call("advice", { message: "When should I launch?" }))).toBe("Launch on a Tuesday.");
    const { messages } = provider.chatRequests.at(-1)?.body ?? {};
    expect(messages[0].content).toMatch(/advice on launching/);
    expect(messages[1]).toEqual({ role: "user", content: "When should I launch?" });
  });

  it("says that the source did not answer instead of an empty list", async () => {
    site.behaviour = { kind: "down" };
    const result = await call("top");
    expect(result.isError).toBeUndefined();
    expect(joinText(result)).toContain("That does not mean that there are none.");
    expect(result.structuredContent).toMatchObject({ status: "unavailable", posts: [] });
  });

  it.each([
    ["an unknown timeframe", "top_timeframe", { timeframe: "the other day" }, "the other day"],
    ["an unknown timezone", "top_timeframe", { timeframe: "today", tz: "Mars/Olympus" }, "Mars/Olympus"],
    ["a blank query", "search", { query: " " }, "/query"],
    ["a colour that is none", "confetti", { colors: ["red"] }, "/colors/0"],
    ["a missing argument", "search", {}, "`/query`: is missing"],
    ["an argument of the wrong kind", "top", { limit: "5" }, "limit"],
    ["an unknown tool", "nothing", {}, "nothing"],
  ])("refuses %s with an error that the model can read", async (_what, tool, args, named) => {
    const result = await call(tool, args);
    expect(result.isError).toBe(true);
    expect(joinText(result)).toContain(named);
    expect(site.requests).toHaveLength(0);
  });

  it("says what is wrong with the provider, and nothing secret", async () => {
    provider.script(answer.error(400, "The model `x` does not exist. Key sk-test-secret."));
    const result = await call("advice", { message: "When?" });
    expect(result.isError).toBe(true);
    expect(joinText(result)).toMatch(/\w/);
    expect(JSON.stringify(result)).not.toMatch(/sk-test-secret|127\.0\.0\.1/);
  });

  it("a client that cancels a call, waits no longer, or leaves, ends the work for it", async () => {
    site.behaviour = { kind: "slow" };
    const leaving = new AbortController();
    const yesterday = { name: "top_timeframe", arguments: { timeframe: "2026-02-28" } };
    const left = client.callTool(yesterday, undefined, { signal: leaving.signal });
    await expect.poll(() => site.requests.length).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => site.requests[0]?.aborted).toBe(true);
    const gone = new Client({ name: "gone", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`));
    await gone.connect(transport as never);
    const cut = gone.callTool({ name: "top_timeframe", arguments: { timeframe: "2026-03-01" } });
    await expect.poll(() => site.requests.length).toBe(2);
    await gone.close();
    await expect(cut).rejects.toThrow();
    await expect.poll(() => site.requests[1]?.aborted).toBe(true);
    const late = { name: "top_timeframe", arguments: { timeframe: "2026-03-02" } };
    await expect(client.callTool(late, undefined, { timeout: 500 })).rejects.toThrow("timed out");
    await expect.poll(() => site.requests[2]?.aborted).toBe(true);
  });

  it("a client cancels no call of another one, whose requests have the same ids", async () => {
    site.behaviour = { kind: "slow" };
    const other = new Client({ name: "other", version: "1.0.0" });
    await other.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`)) as never);
    const call = other.callTool({ name: "top_timeframe", arguments: { timeframe: "2026-02-27" } });
    await expect.poll(() => site.requests.length).toBe(1);
    for (let requestId = 0; requestId < 20; requestId += 1) {
      await client.notification({ method: "notifications/cancelled", params: { requestId } });
    }
    expect(site.requests[0]?.aborted).toBe(false);
    await other.close();
    await expect(call).rejects.toThrow();
  });
});

describe("POST /mcp", () => {
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const send = (body: unknown, further: Record<string, string> = {}) =>
    service.post("/mcp", body, { headers: { ...headers, ...further } });

  it.each([
    ["text that is not JSON", "{", 400, -32_700],
    ["JSON that is no message", "{}", 400, -32_600],
    ["a list of what is no message", "[1]", 400, -32_600],
    ["a text", '"ping"', 400, -32_600],
    ["JSON of too many values", `{"params":[${"1,".repeat(5_000)}1]}`, 413, -32_600],
    ["JSON of too many levels", "[".repeat(30_000), 413, -32_600],
    ["a batch of too many messages", JSON.stringify(Array(11).fill({})), 400, -32_600],
    [
      "a message with a long id",
      JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(1_001), method: "ping" }),
      400,
      -32_600,
    ],
  ])("answers %s in the protocol's words", async (_what, body, status, code) => {
    const response = await send(body);
    expect(response.status).toBe(status);
    expect(await readJson(response)).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });

  it("answers an unknown method in the protocol's words", async () => {
    expect(await readJson(await send({ ...ping, method: "no/such" }))).toMatchObject({
      id: 1,
      error: { code: -32_601 },
    });
  });

  it.each(["http://localhost:3000", "https://mcp.example.com"])("serves pages of %s", async (origin) => {
    const response = await send(ping, { origin });
    expect([response.status, await readJson(response)]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }]);
  });

  it.each(["https://evil.example", "null"])("refuses pages of %s", async (origin) => {
    const response = await send(ping, { origin });
    expect(response.status).toBe(403);
    expect(await readJson(response)).toMatchObject({
      error: { message: expect.stringContaining("MCP_ALLOWED_HOSTS") },
    });
  });

  it("offers no GET stream", async () => {
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(`${service.baseUrl}/mcp`, { method, headers });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });
});
