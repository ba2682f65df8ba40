import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Provider } from "../provider.ts";
import type { AnswerPart, StreamAnswerOptions } from "./stream-answer.ts";
import { streamAnswer } from "./stream-answer.ts";

let provider: ScriptedProvider;
let client: Provider;
beforeEach(async () => {
  provider = await startScriptedProvider();
  client = new Provider({ baseUrl: provider.baseUrl, apiKey: "sk-test-secret-0123456789" });
});
afterEach(() => provider.close());

/** @param texts takes the text as it comes */
async function ask(more: Partial<StreamAnswerOptions> = {}, texts: string[] = []): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  const options: StreamAnswerOptions = {
    provider: client,
    model: "small",
    system: "Be brief.",
    messages: [{ role: "user", content: "How old is the duck?" }],
    signal: new AbortController().signal,
    ...more,
  };
  for await (const part of streamAnswer(options)) {
    parts.push(part);
    if (part.type === "text") texts.push(part.text);
  }
  return parts;
}

const joinText = (parts: AnswerPart[]) => parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

test("a provider that rejects stream_options is asked without them from then on", async () => {
  const refusal = answer.error(400, "Unrecognized request argument supplied: stream_options");
  provider.script(({ body }) => ("stream_options" in (body as object) ? refusal : answer.text("Nine.")));
  expect(joinText(await ask())).toBe("Nine.");
  expect(joinText(await ask())).toBe("Nine.");
  expect(provider.chatRequests.map(({ body }) => "stream_options" in body)).toEqual([true, false, false]);
});

test.each([
  [
    "a signature of each call",
    "Function call is missing a thought_signature in functionCall parts.",
    "thought_signature",
  ],
  [
    "the model's reasoning",
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "reasoning_content",
  ],
])("a provider that demands %s gets a placeholder, from then on at once", async (_what, refusal, placeholder) => {
  const isWhole = (body: unknown) => JSON.stringify(body).includes(placeholder);
  provider.script(({ body }) => (isWhole(body) ? answer.text("Nine.") : answer.error(400, refusal)));
  const messages: StreamAnswerOptions["messages"] = [
    { role: "user", content: "How old is the duck?" },
    { role: "assistant", content: "", toolCalls: [{ id: "c", name: "search", args: {} }] },
    { role: "tool", toolCallId: "c", toolName: "search", result: "nine" },
  ];
  for (let times = 0; times < 2; times += 1) expect(joinText(await ask({ messages }))).toBe("Nine.");
  expect(provider.chatRequests.map(({ body }) => isWhole(body))).toEqual([false, true, true]);
});

test("running totals of tokens are not added up", async () => {
  const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 7, completion_tokens } });
  provider.script(
    answer.chunks([chunk({ content: "Nine " }, null, usage(1)), chunk({ content: "years." }, "stop", usage(2))]),
  );
  const observer = { firstToken: vi.fn(), usage: vi.fn(), ended: vi.fn() };
  await ask({ observer });
  expect(observer.usage.mock.calls).toEqual([[{ input: 7, output: 2 }]]);
});

test("calls without index and id are told apart and get an id for the provider", async () => {
  const piece = (called: object) => chunk({ tool_calls: [{ function: called }] });
  provider.script([
    answer.chunks([
      piece({ name: "search", arguments: '{"query":' }),
      piece({ arguments: '"age"}' }),
      piece({ name: "search", arguments: '{"query":"duck"}' }),
      chunk({}, "tool_calls"),
    ]),
    answer.text("Nine."),
  ]);
  const search = {
    description: "Searches",
    inputSchema: z.object({ query: z.string() }),
    execute: async (args: unknown) => args,
  };
  const parts = await ask({ tools: { search }, maxToolRounds: 1 });
  expect(parts.flatMap((part) => (part.type === "tool-result" ? [part.result] : []))).toEqual([
    { query: "age" },
    { query: "duck" },
  ]);
  const body = provider.chatRequests[1]?.body as { messages: { tool_calls?: { id: string }[] }[] } | undefined;
  const ids = (body?.messages ?? []).flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
  expect(new Set(ids.filter(Boolean)).size).toBe(2);
});

test("calls whose ids the provider counts from 0 in each round get ids of their own", async () => {
  const call = { index: 0, id: "call_0", function: { name: "search", arguments: "{}" } };
  const calling = answer.chunks([chunk({ tool_calls: [call] }, "tool_calls")]);
  provider.script([calling, calling, answer.text("Nine.")]);
  const search = { description: "Searches", inputSchema: z.object({}), execute: async () => "found" };
  const parts = await ask({ tools: { search }, maxToolRounds: 2 });
  const ids = parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
  expect(ids).toEqual(["call_0", "call_1_0"]);
});

test("content in parts is joined, and further choices are left out", async () => {
  const parts = [
    { type: "text", text: "Ni" },
    { type: "text", text: "ne." },
  ];
  const other = { index: 1, delta: { content: "Ten." }, finish_reason: null };
  provider.script(
    answer.chunks([
      { choices: [other, { index: 0, delta: { content: parts }, finish_reason: null }] },
      chunk({}, "stop"),
    ]),
  );
  expect(joinText(await ask())).toBe("Nine.");
});

test("a connection that is closed without an answer is retried", async () => {
  provider.script(answer.text("Nine."));
  const { port: target } = new URL(provider.baseUrl);
  let connections = 0;
  const flaky = createServer((socket) => {
    socket.on("error", () => undefined);
    connections += 1;
    if (connections === 1) return socket.once("data", () => socket.destroy());
    const through = connect(Number(target), "127.0.0.1");
    through.on("error", () => undefined);
    return socket.pipe(through).pipe(socket);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => flaky.once("listening", resolve));
  try {
    const { port } = flaky.address() as AddressInfo;
    const { pathname } = new URL(provider.baseUrl);
    const parts = await ask({ provider: new Provider({ baseUrl: `http://127.0.0.1:${port}${pathname}`, apiKey: "" }) });
    expect(joinText(parts)).toBe("Nine.");
    expect(connections).toBe(2);
  } finally {
    flaky.close();
  }
});

test("a slow reader pauses the provider, and nothing is lost", async () => {
  const words = Array.from({ length: 5_000 }, (_, index) => `word${index} `);
  provider.script(answer.text(...words));
  const texts: string[] = [];
  for await (const part of streamAnswer({
    provider: new Provider({ baseUrl: provider.baseUrl, apiKey: "" }),
    model: "small",
    system: "",
    messages: [{ role: "user", content: "Tell me all." }],
    signal: new AbortController().signal,
  })) {
    if (part.type === "text") texts.push(part.text);
    if (texts.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(texts).toEqual(words);
});

const half = frame(chunk({ content: "half" }));
const done = "data: [DONE]\n\n";

test.each([
  ["in the place of a chunk", frame({ object: "error", message: "engine died", code: 500 }), "engine died"],
  ["in FastAPI's form", frame({ detail: "engine died" }), "engine died"],
  ["in Alibaba's form", frame({ code: "DataInspectionFailed", message: "unfit output" }), "unfit output"],
  [
    "in MiniMax's form",
    frame({ choices: null, base_resp: { status_code: 1008, status_msg: "no credit" } }),
    "no credit",
  ],
  ["in an event of that name", 'event: error\ndata: {"message":"overloaded"}\n\n', "overloaded"],
  ["in a field of that name, as llama.cpp wrote it", 'error: {"code":500,"message":"overloaded"}\n\n', "overloaded"],
  ["as plain words in an event of that name", "event: error\ndata: overloaded\n\n", "overloaded"],
  ["in a choice", frame({ choices: [{ delta: {}, finish_reason: "error", error: { message: "lost" } }] }), "lost"],
  ["in a finish reason", frame(chunk({}, "network_error")), "The model provider's answer broke off before its end."],
  ["without data:", '{"error":{"message":"out of memory"}}\n\n', "out of memory"],
  ["without data: in two reads", ['{"error":{"message":"out', { pauseMs: 20 }, ' of memory"}}\n\n'], "out of memory"],
])("an error %s is the end, though [DONE] follows", async (_where, error, message) => {
  provider.script(answer.bytes([half, ...[error].flat(), done]));
  const texts: string[] = [];
  await expect(ask({}, texts)).rejects.toMatchObject({ name: "ProviderError", kind: "invalid", message });
  expect(texts).toEqual(["half"]);
});

test('a finish reason that is the text "null" doesn\'t end an answer', async () => {
  provider.script(
    answer.bytes([frame(chunk({ content: "Nine " }, "null")), frame(chunk({ content: "years." }, "stop"))]),
  );
  expect(joinText(await ask())).toBe("Nine years.");
  provider.script(answer.bytes([frame(chunk({ content: "Nine " }, "null"))]));
  await expect(ask()).rejects.toMatchObject({ kind: "cut" });
});

test("an error without data: and a line end is told of", async () => {
  provider.script(answer.bytes([half, '{"error":{"message":"out of memory"}}']));
  await expect(ask()).rejects.toMatchObject({ kind: "invalid", message: "out of memory" });
});

test.each([
  ["events without data", ["data:\n\n", frame(chunk({ content: "Nine." }, "stop")), "data: \n\n", done]],
  [
    "a whole completion in place of chunks",
    [frame({ object: "chat.completion", choices: [{ message: { content: "Nine." }, finish_reason: "stop" }] })],
  ],
  ["lines of JSON in place of events", [`${JSON.stringify(chunk({ content: "Nine." }, "stop"))}\n`]],
  ["a space after [DONE]", [frame(chunk({ content: "Nine." })), "data: [DONE] \n\n"]],
  ["reasoning as an object", [frame(chunk({ reasoning: { steps: 1 }, content: "Nine." }, "stop")), done]],
  [
    "thoughts and bare strings among the parts of its content",
    [frame(chunk({ content: [{ type: "thinking", text: null }, "Ni", { type: "text", text: "ne." }] }, "stop")), done],
  ],
  [
    "thoughts in tags in front",
    [frame(chunk({ content: "<think>Hm" })), frame(chunk({ content: ".</think>\n\nNine." }, "stop"))],
  ],
  [
    "deltas, and all of it again as a message",
    [
      frame(chunk({ content: "Ni" })),
      frame(chunk({ content: "ne." })),
      frame({ choices: [{ message: { content: "Nine." }, finish_reason: "stop" }] }),
    ],
  ],
  [
    "reasoning in deltas, and the answer as a message",
    [
      frame(chunk({ reasoning_content: "Nine." })),
      frame({ choices: [{ message: { content: "Nine." }, finish_reason: "stop" }] }),
    ],
  ],
  [
    "pieces of it as messages",
    [
      frame({ choices: [{ message: { content: "Ni" } }] }),
      frame({ choices: [{ message: { content: "ne." }, finish_reason: "stop" }] }),
    ],
  ],
  [
    "an index as text",
    [frame({ choices: [{ index: "0", delta: { content: "Nine." }, finish_reason: "stop" }] }), done],
  ],
  ["an empty error", [frame(chunk({ content: "Nine." }, "stop", { error: "" })), done]],
  ["an error that is false", [frame(chunk({ content: "Nine." }, "stop", { error: false })), done]],
  ["junk after its finish reason", [frame(chunk({ content: "Nine." }, "stop")), "data: bye\n\n"]],
  [
    "two deltas in one chunk",
    [frame({ choices: [{ delta: { content: "Ni" } }, { delta: { content: "ne." }, finish_reason: "stop" }] })],
  ],
])("an answer with %s is read", async (_what, pieces) => {
  provider.script(answer.bytes(pieces));
  expect(joinText(await ask())).toBe("Nine.");
});

test("a rejection for another reason does not trigger the fallback", async () => {
  provider.script(answer.error(403, "Your plan does not allow stream_options."));
  await expect(ask()).rejects.toMatchObject({ kind: "refused" });
  expect(provider.chatRequests).toHaveLength(1);
});

test("an answer with its finish reason ends soon although the connection stays open and silent", async () => {
  provider.script(answer.bytes([frame(chunk({ content: "Nine." }, "stop")), ": alive\n\n"], { end: "hang" }));
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const texts: string[] = [];
    const answering = ask({}, texts);
    await vi.waitFor(() => expect(texts).toEqual(["Nine."]), { timeout: 30_000 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(joinText(await answering)).toBe("Nine.");
  } finally {
    vi.useRealTimers();
  }
});

test("a provider that sends keep-alives may take the whole timeout for the first event", async () => {
  const nine = frame(chunk({ content: "Nine." }, "stop"));
  provider.script(answer.bytes([": processing\n\n", { pauseMs: 500 }, nine + done]));
  const timeouts = { firstTokenTimeoutMs: 10_000, idleTimeoutMs: 150 };
  expect(joinText(await ask({ provider: new Provider({ baseUrl: provider.baseUrl, apiKey: "", ...timeouts }) }))).toBe(
    "Nine.",
  );
});

test("a provider that only sends keep-alives times out", async () => {
  async function* comments() {
    for (;;) {
      yield ": processing\n\n";
      yield { pauseMs: 20 };
    }
  }
  provider.script(answer.bytes(comments()));
  const timeouts = { firstTokenTimeoutMs: 150, idleTimeoutMs: 10_000 };
  const asking = ask({ provider: new Provider({ baseUrl: provider.baseUrl, apiKey: "", ...timeouts }) });
  await expect(asking).rejects.toMatchObject({
    kind: "timed_out",
    message: "The model provider did not answer in time.",
  });
});
