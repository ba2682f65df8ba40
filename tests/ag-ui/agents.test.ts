import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BaseEvent, Message } from "@ag-ui/client";
import { HttpAgent } from "@ag-ui/client";
import type { Citation, RelayProfile } from "@agent-backends/contract";
import { agentOnlyEventSchema, listingActions } from "@agent-backends/contract";
import {
  answer,
  parseSseEvents,
  serviceMains,
  startListingSite,
  startRedisServer,
  startScriptedProvider,
  startService,
} from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../../services/relay/conformance/support/judge.ts";
import { judge } from "../../services/relay/conformance/support/judge.ts";

const text = "Refunds are paid within 30 days after the parcel is back.";
const folder = await createTemporaryFolder();
const [provider, site, redis] = await Promise.all([startScriptedProvider(), startListingSite(), startRedisServer()]);
const root = join(import.meta.dirname, "../..");
const [knowledge, listing] = await Promise.all([
  startService(join(root, serviceMains.knowledge), {
    LLM_BASE_URL: provider.baseUrl,
    KNOWLEDGE_STORE: join(folder, "store"),
    RUNS_URL: redis.url,
  }),
  startService(join(root, serviceMains.listing), {
    LLM_BASE_URL: provider.baseUrl,
    ...site.variables,
    RUNS_URL: "memory:",
    RUN_ORPHAN_MS: "60000",
    SHUTDOWN_GRACE_MS: "100",
  }),
]);

await post(knowledge.baseUrl, "/api/tools/ingest", {
  namespace: "shop",
  sources: [{ type: "text", title: "Refund policy", value: text }],
});
beforeEach(() => {
  provider.requests.length = 0;
});
afterAll(async () => {
  await Promise.all([knowledge.end("SIGKILL"), listing.end("SIGKILL")]);
  await Promise.all([provider.close(), site.close(), redis.stop()]);
});

function post(baseUrl: string, path: string, body: unknown): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
}

const says = (content: string): Message => ({ id: crypto.randomUUID(), role: "user", content });

/** Runs the official client, which checks the events, and throws at the first wrong one. */
async function runAgent(
  url: string,
  initialMessages: Message[],
  parameters: Parameters<HttpAgent["runAgent"]>[0] = {},
  state: object = {},
) {
  const agent = new HttpAgent({ url, threadId: "thread-1", initialMessages, initialState: state });
  const events: BaseEvent[] = [];
  const { newMessages } = await agent.runAgent(
    { runId: crypto.randomUUID(), ...parameters },
    { onEvent: ({ event }) => void events.push(event) },
  );
  await judge(events as Event[], "ag-ui");
  return { newMessages, messages: agent.messages, events: events as Event[] };
}

/** Runs an input to its end, and has its events judged by the clients of the profile. */
async function run(baseUrl: string, profile: RelayProfile, content: string, fields: object = {}) {
  const input = { threadId: "t", runId: crypto.randomUUID(), messages: [says(content)], ...fields };
  const response = await post(baseUrl, `/agui?profile=${profile}`, input);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = parseEvents(await response.text());
  await judge(events, profile);
  return events;
}

function findCitations(events: Event[]): { citations: Citation[]; messageId: string } {
  const event = agentOnlyEventSchema.parse(events.find(({ type }) => type === "CUSTOM"));
  if (event.type !== "CUSTOM") throw new Error("There are no citations.");
  return event.value;
}

/** Events of runs that are kept have ids. */
const parseEvents = (sent: string) => parseSseEvents<Event>(sent.replaceAll(/^id: \d+\n/gm, ""));

const listTypes = (events: Event[]) => events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);

describe("the librarian", () => {
  const url = `${knowledge.baseUrl}/agui`;

  test("answers the official client with its searches and exact quotes", async () => {
    provider.script([
      answer.toolCalls([{ id: "call_a", name: "searchDocs", args: { query: "parcel" } }], { text: "Let me see." }),
      answer.text("Within 30 ", "days [1]."),
    ]);
    const forwardedProps = { namespace: "shop" };
    const { events, newMessages } = await runAgent(url, [says("When are refunds paid?")], { forwardedProps });
    expect(newMessages).toMatchObject([
      { role: "assistant", toolCalls: [{ function: { name: "searchDocs" } }] },
      { role: "tool", content: expect.stringContaining(text) },
      { role: "assistant", content: "Let me see.", toolCalls: [{ function: { arguments: '{"query":"parcel"}' } }] },
      { role: "tool" },
      { role: "assistant", content: "Within 30 days [1]." },
    ]);
    const { citations, messageId } = findCitations(events);
    expect(messageId).toBe(newMessages.at(-1)?.id);
    expect(citations).toMatchObject([{ n: 1, title: "Refund policy", quote: text }]);
    expect(text.slice(citations[0]?.start, citations[0]?.end)).toBe(text);
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    // Of both calls of the model, and of the questions' vectors.
    const [usage] = (events.at(-1) as { usage?: { outputTokens: number }[] }).usage ?? [];
    expect(usage).toMatchObject({ outputTokens: 10, totalTokens: expect.any(Number) });
  });

  test("says that an answer was cut short", async () => {
    const cut = { choices: [{ index: 0, delta: { content: "Within" }, finish_reason: "length" }] };
    provider.script(answer.chunks([cut]));
    const events = await run(knowledge.baseUrl, "ag-ui", "Refunds?");
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", metadata: { finishReason: "length" } });
  });

  test("loses no event for a reader who is slow, and lets no other one wait for it", async () => {
    const pieces = Array.from({ length: 300 }, (_, number) => `${number} ${"x".repeat(10_000)} `);
    provider.script(answer.text(...pieces));
    const input = { threadId: "t", runId: "slow/1", protocolVersion: "1.0", messages: [says("Refunds?")] };
    // Reads nothing but the head of a response that no buffer between them can hold.
    const slow = await post(knowledge.baseUrl, "/agui", input);
    const path = `/agui/runs/${encodeURIComponent(input.runId)}`;
    const whole = await (await fetch(knowledge.baseUrl + path)).text();
    const events = parseEvents(whole);
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
    expect(events.map(({ delta }) => delta ?? "").join("")).toContain(pieces.join("").trimEnd());
    expect(await slow.text()).toBe(whole);
    // As TanStack AI's client asks, which can't set headers.
    const from = `${knowledge.baseUrl}/agui?runId=${encodeURIComponent(input.runId)}&offset=${events.length - 1}`;
    expect(parseEvents(await (await fetch(from)).text())).toEqual(events.slice(-1));
    expect((await fetch(`${knowledge.baseUrl}/agui`)).status).toBe(422);
  });

  test("takes the namespace from the address, forwardedProps or the state, in this order", async () => {
    const found = async (query: string, forwardedProps: unknown, state: unknown) => {
      provider.script(answer.text("Within 30 days [1]."));
      const { events } = await runAgent(url + query, [says("Refunds?")], { forwardedProps }, state as object);
      return findCitations(events).citations.length;
    };
    expect(await found("", {}, { namespace: "shop", filters: "the application's own" })).toBe(1);
    expect(await found("", { namespace: "shop" }, { namespace: "other" })).toBe(1);
    expect(await found("?namespace=other", { namespace: "shop" }, {})).toBe(0);
    expect(await found("?namespace=shop", { filter: { title: ["Another"] } }, {})).toBe(0);
  });

  test("gives the model the context, and reads the text of parts", async () => {
    provider.script(answer.text("Yes [1]."));
    const parts = [
      { type: "text", text: "Are refunds " },
      { type: "image", source: { type: "url", value: "https://example.com/a.png" } },
      { type: "text", text: "paid?" },
    ];
    const fields = { messages: [{ id: "m", role: "user", content: parts }] };
    const context = [{ description: "The customer", value: "Ada" }];
    const events = await run(knowledge.baseUrl, "ag-ui", "", { ...fields, context });
    const { messages } = provider.chatRequests.at(-1)?.body ?? {};
    expect(messages[1]).toMatchObject({ role: "system", content: expect.stringContaining("The customer: Ada") });
    expect(messages[2]).toEqual({ role: "user", content: "Are refunds paid?" });
    expect(events[1]).toMatchObject({ type: "CUSTOM", value: { pointer: "/messages/0/content/1" } });
  });

  test.each(["ag-ui-0", "contract"] as const)("speaks %s", async (profile) => {
    provider.script(answer.text("Within 30 days [1]."));
    const events = await run(knowledge.baseUrl, profile, "Refunds?", { forwardedProps: { namespace: "shop" } });
    const messages = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
    const calls = ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"];
    const isContract = profile === "contract";
    expect(listTypes(events)).toEqual(
      ["RUN_STARTED", isContract ? [] : calls, messages, isContract ? [] : "CUSTOM", "RUN_FINISHED"].flat(),
    );
  });

  test("ends a run that fails with RUN_ERROR, after closing what is open", async () => {
    provider.script(answer.chunks([{ choices: [{ index: 0, delta: { content: "With" } }] }], { done: false }));
    const events = await run(knowledge.baseUrl, "ag-ui", "Refunds?");
    expect(listTypes(events).slice(-2)).toEqual(["TEXT_MESSAGE_END", "RUN_ERROR"]);
    expect(events.at(-1)).toMatchObject({ code: "provider-failed", message: expect.stringMatching(/provider/) });
  });

  test("refuses what is no run input before the stream", async () => {
    const refused = async (body: object, query = "") => {
      const response = await post(knowledge.baseUrl, `/agui${query}`, { threadId: "t", runId: "r", ...body });
      const { errors } = (await response.json()) as { errors?: { pointer: string }[] };
      return [response.status, ...(errors ?? []).map(({ pointer }) => pointer)];
    };
    const messages = [says("Refunds?")];
    expect(await refused({ messages: [] })).toEqual([422, "/messages"]);
    expect(await refused({ messages: [...messages, { id: "a", role: "assistant", content: "No." }] })).toEqual([
      422,
      "/messages",
    ]);
    expect(await refused({ messages: [says(" ")] })).toEqual([400]);
    expect(await refused({ messages, forwardedProps: { namspace: "shop" } })).toEqual([
      422,
      "/forwardedProps/namspace",
    ]);
    expect(await refused({ messages, state: { namespace: 7 } })).toEqual([422, "/state/namespace"]);
    expect(await refused({ messages, namespace: "shop" })).toEqual([422, "/namespace"]);
    expect(await refused({ messages }, "?profile=ag-ui-2")).toEqual([422, "/profile"]);
  });

  test("ends its work when the client goes", async () => {
    provider.script(answer.bytes([], { end: "hang" }));
    const gone = new AbortController();
    const input = { threadId: "t", runId: "r", messages: [says("Refunds?")] };
    const headers = { "Content-Type": "application/json" };
    await fetch(url, { method: "POST", headers, body: JSON.stringify(input), signal: gone.signal });
    const asked = await provider.chatRequest();
    gone.abort();
    await asked.closed;
    expect(asked.aborted).toBe(true);
  });
});

describe("the analyst", () => {
  const url = `${listing.baseUrl}/agui`;
  const confetti = { name: "confetti", description: "Shows confetti.", parameters: { type: "object" } };

  test("answers the official client with its call, the list and words", async () => {
    provider.script(answer.text("These lead."));
    const { newMessages } = await runAgent(`${url}?limit=2`, [says("What are the top launches of yesterday?")], {
      forwardedProps: { tz: "Europe/Zurich", limit: 5 },
    });
    expect(newMessages).toMatchObject([
      { role: "assistant", toolCalls: [{ function: { name: "top_timeframe" } }] },
      { role: "tool" },
      { role: "assistant", content: expect.stringMatching(/yesterday.*These lead\.$/s) },
    ]);
    const result = JSON.parse((newMessages[1] as { content: string }).content);
    expect(result).toMatchObject({ action: "top_timeframe", limit: 2, timeframe: { tz: "Europe/Zurich" } });
  });

  test("lets a client that offers the tool show confetti, and adds nothing when it has", async () => {
    provider.script(answer.text("Well done!"));
    const asked = [says("Confetti in #ff0000, please!")];
    const { events, messages } = await runAgent(url, asked, { tools: [confetti] });
    const [call] = (messages[1] as { toolCalls: { id: string; function: { arguments: string } }[] }).toolCalls;
    expect(messages[1]).toMatchObject({ role: "assistant", content: "Well done!" });
    expect(JSON.parse(call?.function.arguments ?? "")).toMatchObject({ action: "CONFETTI", colors: ["#FF0000"] });
    expect(events.at(-1)).toMatchObject({ outcome: { type: "success", pendingToolCallIds: [call?.id] } });
    const shown: Message = { id: "shown", role: "tool", toolCallId: call?.id ?? "", content: "shown" };
    const { newMessages } = await runAgent(url, [...messages, shown], { tools: [confetti] });
    expect(newMessages).toEqual([]);
  });

  test("gives other clients the confetti as the result of its own call", async () => {
    const { newMessages } = await runAgent(url, [says("Confetti, please!")]);
    expect(newMessages).toMatchObject([
      { role: "assistant", toolCalls: [{ function: { name: "confetti" } }] },
      { role: "tool", content: expect.stringContaining('"action":"CONFETTI"') },
      { role: "assistant" },
    ]);
  });

  test.each(["ag-ui-0", "contract"] as const)("speaks %s", async (profile) => {
    const events = await run(listing.baseUrl, profile, "Confetti, please!", { tools: [confetti] });
    expect(listTypes(events).filter((type) => type.startsWith("TOOL_CALL"))).toEqual(
      ["TOOL_CALL_START", "TOOL_CALL_ARGS", profile === "contract" ? [] : "TOOL_CALL_END"].flat(),
    );
  });
});

test("the documented client prints the answer and its quotes", async () => {
  const example = join(import.meta.dirname, "example.ts");
  const documented = await readFile(join(root, "docs/guides/ag-ui.md"), "utf8");
  expect(documented).toContain(`\`\`\`ts\n${await readFile(example, "utf8")}\`\`\`\n`);
  provider.script(answer.text("Within 30 days [1]."));
  const env = { ...process.env, AGENT_URL: `${knowledge.baseUrl}/agui` };
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
  expect(stdout).toBe(`Within 30 days [1].\n[1] Refund policy: "${text}"\n`);
});

test("capabilities name the tools", async () => {
  const listTools = async ({ baseUrl }: { baseUrl: string }) => {
    const capabilities = (await (await fetch(`${baseUrl}/agui/capabilities`)).json()) as {
      tools: { items: { name: string }[]; clientProvided: boolean };
    };
    return [capabilities.tools.clientProvided, ...capabilities.tools.items.map(({ name }) => name)];
  };
  expect(await listTools(knowledge)).toEqual([false, "searchDocs"]);
  expect(await listTools(listing)).toEqual([true, ...listingActions.filter((action) => action !== "advice")]);
});

describe("a run that is kept", () => {
  const input = (runId: string) => ({
    threadId: "t",
    runId,
    protocolVersion: "1.0",
    messages: [says("Advice, please.")],
  });
  const toRunPath = (runId: string) => `${listing.baseUrl}/agui/runs/${runId}`;
  const listIds = (sent: string) => [...sent.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

  /** Starts a run whose provider waits in the middle of its answer, and leaves it. */
  async function leave(runId: string) {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    provider.script(answer.bytes([frame("One "), promise, frame("two."), "data: [DONE]\n\n"]));
    const gone = new AbortController();
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(input(runId)), signal: gone.signal };
    const { body } = await fetch(`${listing.baseUrl}/agui`, init);
    let seen = "";
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    while (!seen.includes("One")) seen += (await reader?.read())?.value;
    gone.abort();
    return { seen, goOn };
  }

  test("goes on without its client, which reads the rest later", async () => {
    const { seen, goOn } = await leave("left");
    const last = listIds(seen).at(-1) ?? 0;
    const resumed = fetch(toRunPath("left"), { headers: { "Last-Event-ID": String(last) } });
    goOn();
    const rest = await (await resumed).text();
    const whole = await (await fetch(toRunPath("left"))).text();
    expect(seen + rest).toBe(whole);
    expect(listIds(whole)).toEqual(listIds(whole).map((_, at) => at + 1));
    const events = parseEvents(whole);
    await judge(events, "ag-ui");
    expect(events.map(({ delta }) => delta).join("")).toBe("One two.");
    // The client sends its request again, or reads what it has read.
    const headers = { "Content-Type": "application/json", "Last-Event-ID": String(last) };
    const init = { method: "POST", headers, body: JSON.stringify(input("left")) };
    expect(await (await fetch(`${listing.baseUrl}/agui`, init)).text()).toBe(rest);
    // The official client only accepts a run from its start.
    const { threadId, runId, messages } = input("left");
    const again = { url: `${listing.baseUrl}/agui`, threadId, initialMessages: messages };
    const agent = new HttpAgent({ ...again, headers: { "Last-Event-ID": "-1" } });
    expect((await agent.runAgent({ runId })).newMessages).toMatchObject([{ content: "One two." }]);
    const all = { "Last-Event-ID": String(listIds(whole).length) };
    expect((await fetch(toRunPath("left"), { headers: all })).status).toBe(204);
    expect((await post(listing.baseUrl, "/agui", input("left"))).status).toBe(409);
    expect((await fetch(toRunPath("unknown"))).status).toBe(404);
  });

  test("ends when somebody stops it, and its model's work too", async () => {
    await leave("stopped");
    const asked = await provider.chatRequest();
    expect((await fetch(toRunPath("stopped"), { method: "DELETE" })).status).toBe(204);
    const events = parseEvents(await (await fetch(toRunPath("stopped"))).text());
    await judge(events, "ag-ui");
    expect(events.at(-1)).toMatchObject({ outcome: { type: "cancelled" }, metadata: { code: "stopped" } });
    await asked.closed;
    expect(asked.aborted).toBe(true);
  });

  test("ends with an error when the service does", async () => {
    provider.script(answer.bytes([], { end: "hang" }));
    const response = await post(listing.baseUrl, "/agui", input("shutdown"));
    listing.process.kill("SIGTERM");
    const events = parseEvents(await response.text());
    await judge(events, "ag-ui");
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", message: expect.stringContaining("shutting down") });
    expect(await listing.exited).toBe(0);
  });
});
