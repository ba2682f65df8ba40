import { replyEventSchema, toolEventSchema } from "@agent-backends/contract";
import { answer, parseSseEvents } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { postJson } from "../knowledge-process.ts";
import { provider, service } from "./service.ts";

const policy = { type: "text", title: "Refund policy", value: "Refunds are paid within 30 days." };
for (const namespace of ["policies", "default"]) {
  await service.ingest({ namespace, sources: [policy] });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into events whose shape they assert.
type Events = any[];
const question = { messages: [{ role: "user", content: "When are refunds paid?" }], thread_id: "t1", run_id: "r1" };

function stream(body: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.baseUrl}/stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...question, ...body }),
    ...(signal && { signal }),
  });
}

const parseEvents = (text: string): Events =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The search result that the model was given last. */
const given = () =>
  provider.chatRequests.at(-1)?.body.messages.find(({ role }: { role: string }) => role === "tool").content;

describe("the stream", () => {
  it("is about the documents that pass the filter, of several namespaces if it names them", async () => {
    const about = async (more: object) => {
      provider.script(answer.text("Within 30 days [1]."));
      await (await stream(more)).text();
      return JSON.parse(given()).results.length;
    };
    expect(await about({ namespaces: ["policies", "default"], tool_params: { namespace: "policies" } })).toBe(2);
    expect(await about({ namespaces: ["policies", "default"], filter: { title: "Refund policy" } })).toBe(2);
    expect(await about({ namespace: "policies", filter: { title: "Another" } })).toBe(0);
    expect((await stream({ namespace: "policies", namespaces: ["default"] })).status).toBe(422);
  });

  it("is newline-delimited JSON of exactly the five events, in order, with one message id", async () => {
    provider.script(answer.text("Within ", "30 ", "days [1]."));
    const response = await stream({ namespace: "policies" });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/x-ndjson",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      "access-control-allow-origin": "*",
    });
    const events = parseEvents(await response.text());
    const message_id = events[0].message_id;
    const run = { thread_id: "t1", run_id: "r1" };
    expect(message_id).toEqual(expect.any(String));
    expect(events).toEqual([
      { type: "text_start", message_id, ...run },
      { type: "text_delta", content: "Within ", message_id, ...run },
      { type: "text_delta", content: "30 ", message_id, ...run },
      { type: "text_delta", content: "days [1].", message_id, ...run },
      { type: "text_end", message_id, ...run },
      { type: "done", ...run },
    ]);
  });

  it("carries no mark that points to nothing, wherever the provider cuts it", async () => {
    provider.script(
      answer.text("Within ", "30 ", "days [", "1", "]", " or so[", "7", "]. See [the", " policy].", " [8]"),
    );
    const events = parseEvents(await (await stream({ namespace: "policies" })).text());
    const deltas = events.filter(({ type }) => type === "text_delta").map(({ content }) => content);
    expect(deltas.slice(0, 2)).toEqual(["Within ", "30 "]);
    expect(deltas.join("")).toBe("Within 30 days [1] or so. See [the policy].");
    expect(deltas).not.toContain("");
  });

  it("carries the same objects as server-sent events for those who accept them", async () => {
    provider.script(answer.text("Within 30 days."));
    const response = await stream({}, { Accept: "text/event-stream" });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = parseSseEvents(await response.text());
    expect(events.map(({ type }) => type)).toEqual(["text_start", "text_delta", "text_end", "done"]);
    for (const event of events) expect(replyEventSchema.parse(event)).toEqual(event);
  });

  it.each([
    ["text/event-stream, */*", "text/event-stream"],
    ["text/event-stream;q=0.1, application/x-ndjson;q=0.9", "application/x-ndjson"],
    ["application/x-ndjson;q=0.5, Text/Event-Stream; q=0.8", "text/event-stream"],
    ["text/event-stream;q=0", "application/x-ndjson"],
  ])("has the media type that its client prefers: %s", async (Accept, type) => {
    provider.script(answer.text("Within 30 days."));
    const response = await stream({}, { Accept });
    expect(response.headers.get("content-type")).toBe(type);
    await response.text();
  });

  it("carries tool events and citations for those who ask for them, also for further searches", async () => {
    provider.script([
      answer.toolCalls([{ id: "call_2", name: "searchDocs", args: { query: "refunds paid" } }]),
      answer.text("Within 30 days [1]."),
    ]);
    const events = parseEvents(await (await stream({ include_tool_events: true, namespace: "policies" })).text());
    const call = ["tool_call_start", "tool_call_args", "tool_call_end", "tool_result"];
    expect(events.map(({ type }) => type)).toEqual([
      ...call,
      ...call,
      "text_start",
      "text_delta",
      "citations",
      "text_end",
      "done",
    ]);
    for (const event of events) {
      const isReply = replyEventSchema.safeParse(event).success;
      if (!isReply) expect(toolEventSchema.parse(event)).toEqual(event);
    }
    expect(events[1].args).toEqual({ query: "When are refunds paid?" });
    expect(events[7]).toMatchObject({
      tool_call_id: "call_2",
      result: { results: [{ n: 1, title: "Refund policy" }] },
    });
    expect(events[10].citations).toMatchObject([{ title: "Refund policy", quote: "Refunds are paid within 30 days." }]);
  });

  it.each(["length", "content_filter", "stop"])(
    "says that the provider cut it short, with its citations: %s",
    async (reason) => {
      provider.script(
        answer.chunks([{ choices: [{ index: 0, delta: { content: "Within 30" }, finish_reason: reason }] }]),
      );
      const events = parseEvents(await (await stream({ include_tool_events: true, namespace: "policies" })).text());
      const citations = toolEventSchema.parse(events.at(-3));
      expect(citations).toEqual({ ...events.at(-3), type: "citations" });
      expect("finish_reason" in citations ? citations.finish_reason : "stop").toBe(reason);
      const messages = [{ role: "user", content: "When are refunds paid?" }];
      const { body } = await postJson(`${service.baseUrl}/api/agents/knowledge/generate`, { messages });
      expect(body.finish_reason ?? "stop").toBe(reason);
    },
  );

  it("takes null for what may be missing", async () => {
    provider.script(answer.text("Yes."));
    const body = { namespace: null, tool_params: null, include_tool_events: null };
    const events = parseEvents(await (await stream(body)).text());
    for (const event of events) expect(replyEventSchema.parse(event)).toEqual(event);
    expect(events.at(-1)).toEqual({ type: "done", thread_id: "t1", run_id: "r1" });
  });

  it.each([
    ["without ids", { thread_id: undefined, run_id: undefined }, ["/thread_id", "/run_id"]],
    ["with ids that are null or blank", { thread_id: null, run_id: " " }, ["/thread_id", "/run_id"]],
    ["without messages and without a run's id", { messages: undefined, run_id: undefined }, ["/messages", "/run_id"]],
    ["with an id that is no text", { thread_id: 7 }, ["/thread_id"]],
    ["with an id that is too long", { run_id: "r".repeat(501) }, ["/run_id"]],
  ])("%s is refused, naming each of them", async (_what, body, pointers) => {
    const response = await stream(body);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect([response.status, errors.map(({ pointer }) => pointer)]).toEqual([422, pointers]);
  });

  it.each([
    [
      "the payload's, before that of tool_params",
      { namespace: "policies", tool_params: { namespace: "nowhere" } },
      true,
    ],
    ["that of tool_params", { tool_params: { namespace: "nowhere" } }, false],
    ["that of toolParams", { namespace: " ", toolParams: { namespace: "nowhere" } }, false],
    ["the default one", { tool_params: { namespace: "" } }, true],
  ])("searches the namespace that is %s", async (_which, body, isFound) => {
    provider.script(answer.text("Yes."));
    await (await stream(body)).text();
    expect(JSON.parse(given()).results).toHaveLength(isFound ? 1 : 0);
  });

  it.each([
    ["refuses the call", () => answer.error(401, "Incorrect key sk-test-secret"), ["error"]],
    ["breaks off", () => answer.cutAfter("Within"), ["text_start", "text_delta", "error"]],
    ["stops without an end", () => answer.endAfter("Within"), ["text_start", "text_delta", "error"]],
  ])("ends with an error when the provider %s", async (_how, script, types) => {
    provider.script(script());
    const events = parseEvents(await (await stream({})).text());
    expect(events.map(({ type }) => type)).toEqual(types);
    const error = events.at(-1);
    expect(replyEventSchema.parse(error)).toEqual(error);
    expect(error).toMatchObject({ thread_id: "t1", run_id: "r1", message: expect.stringMatching(/\w/) });
    expect(JSON.stringify(events)).not.toContain("sk-test-secret");
    if (events.length > 1) expect(error.message_id).toBe(events[0].message_id);
  });

  it.each([
    [answer.error(401, "Incorrect API key"), "The model provider rejected the API key."],
    [answer.rateLimited(20), "The model provider's rate limit or credit is used up; try again in 20 s."],
    [
      answer.error(400, "Own words."),
      "The model provider rejected the request (status 400); its reason is in the service's log.",
    ],
  ])("says who failed, in the stream and in a problem", async (script, message) => {
    provider.script(script);
    expect(parseEvents(await (await stream({})).text()).at(-1)).toMatchObject({ type: "error", message });
    const { status, body } = await postJson(`${service.baseUrl}/api/agents/knowledge/generate`, {
      messages: [{ role: "user", content: "How long?" }],
    });
    expect([status, body.detail]).toEqual([502, message]);
  });

  it("ends with an error when the search fails, before the model is asked", async () => {
    provider.scriptEmbeddings(answer.error(400, "no embeddings today"));
    const asked = provider.chatRequests.length;
    const events = parseEvents(await (await stream({})).text());
    provider.scriptEmbeddings({ respond: (await import("@agent-backends/llm/offline")).respondWithLexicalEmbeddings });
    expect(events.map(({ type }) => type)).toEqual(["error"]);
    expect(provider.chatRequests).toHaveLength(asked);
  });

  it("stops asking the provider when the client leaves", async () => {
    provider.script(answer.hangAfter("Within "));
    const leaving = new AbortController();
    const asked = provider.chatRequests.length;
    const response = await stream({}, {}, leaving.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    const request = await provider.chatRequest(asked + 1).catch(() => undefined);
    leaving.abort();
    await (request ?? provider.chatRequests.at(-1))?.closed;
    expect(provider.chatRequests.at(-1)?.aborted).toBe(true);
  });

  it("carries heartbeats that clients ignore while it is silent", async () => {
    for (const [accept, heartbeat] of [
      ["application/x-ndjson", /^\n/m],
      ["text/event-stream", /^: keep-alive\n\n/m],
    ] as const) {
      const talk = Promise.withResolvers<void>();
      provider.script(
        answer.bytes([
          talk.promise,
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Late." }, finish_reason: "stop" }] })}\n\n`,
          "data: [DONE]\n\n",
        ]),
      );
      const response = await stream({}, { Accept: accept });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const first = await reader?.read();
      expect(first?.value).toMatch(heartbeat);
      talk.resolve();
      let rest = "";
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) rest += read.value;
      expect(rest).toContain("Late.");
    }
  });

  it("is slowed down by a client that does not read, and is whole when it reads at last", async () => {
    const delta = "x".repeat(16_000);
    let written = 0;
    const frames = async function* () {
      for (; written < 3_200; written += 1) {
        yield `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content: delta }, finish_reason: null }] })}\n\n`;
      }
      yield `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
    };
    provider.script(answer.bytes(frames()));
    const response = await stream({});
    let last = -1;
    const hasStopped = () => {
      const stopped = written > 0 && written === last;
      last = written;
      return stopped;
    };
    await expect.poll(hasStopped, { interval: 300 }).toBe(true);
    expect(written).toBeLessThan(2_800);
    const text = await response.text();
    expect(text.split(delta).length - 1).toBe(3_200);
    expect(text).toContain('"type":"done"');
  });
});
