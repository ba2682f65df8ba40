import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { genericProviderMessage } from "../errors/safe-message.ts";
import { Provider } from "../provider.ts";
import type { AnswerTool } from "./messages.ts";
import type { AnswerPart, StreamAnswerOptions } from "./stream-answer.ts";
import { streamAnswer } from "./stream-answer.ts";

const apiKey = "sk-test-secret-0123456789";
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

let provider: ScriptedProvider;
let client: Provider;
beforeEach(async () => {
  provider = await startScriptedProvider();
  client = new Provider({ baseUrl: provider.baseUrl, apiKey });
});
afterEach(() => provider.close());

const ask = (more: Partial<StreamAnswerOptions> = {}) =>
  streamAnswer({
    provider: client,
    model: "small",
    system: "Be brief.",
    messages: [{ role: "user", content: "How old is the duck?" }],
    signal: new AbortController().signal,
    ...more,
  });

const collect = async (parts: AsyncIterable<AnswerPart>) => {
  const all: AnswerPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
};

const joinText = (parts: AnswerPart[]) => parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const failure = async (more: Partial<StreamAnswerOptions> = {}) => {
  const error: unknown = await collect(ask(more)).catch((reason) => reason);
  expect(error).toMatchObject({ name: "ProviderError" });
  expect(String((error as Error).message)).not.toContain(apiKey);
  return error as Error & { kind: string; status?: number; retryAfterMs?: number };
};

describe("an answer", () => {
  it("comes delta by delta from a request with the system prompt, the key, the model and the temperature", async () => {
    provider.script(answer.text("Nine ", "years."));
    expect(await collect(ask({ temperature: 0.3 }))).toEqual([
      { type: "text", text: "Nine " },
      { type: "text", text: "years." },
    ]);
    const [request] = provider.chatRequests;
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(request?.body).toMatchObject({
      model: "small",
      stream: true,
      temperature: 0.3,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "How old is the duck?" },
      ],
    });
    expect(request?.body).not.toHaveProperty("tools");
  });

  it("is requested without credentials if the key is empty", async () => {
    await collect(ask({ provider: new Provider({ baseUrl: provider.baseUrl, apiKey: "" }) }));
    expect(provider.chatRequests[0]?.headers.authorization).toBeUndefined();
  });

  it("arrives while the provider is still writing", async () => {
    const gate = Promise.withResolvers<void>();
    const pieces = [frame(chunk({ content: "first" })), gate.promise, frame(chunk({ content: "second" }, "stop"))];
    provider.script(answer.bytes(pieces));
    const parts = ask()[Symbol.asyncIterator]();
    expect((await parts.next()).value).toEqual({ type: "text", text: "first" });
    gate.resolve();
    expect((await parts.next()).value).toEqual({ type: "text", text: "second" });
    expect((await parts.next()).done).toBe(true);
  });

  it.each([
    ["CRLF line ends and comments", `: hi\r\n\r\n${frame(chunk({ content: "ok" }, "stop")).replaceAll("\n", "\r\n")}`],
    ["a byte at a time", `${frame(chunk({ content: "ok" }))}${frame(chunk({}, "stop"))}data: [DONE]\n\n`],
    ["[DONE] without a finish reason", `${frame(chunk({ content: "ok" }))}data: [DONE]\n\n`],
    ["a finish reason without [DONE]", `${frame(chunk({ content: "ok" }))}${frame(chunk({}, "stop"))}`],
    ["a last event without its empty line", `${frame(chunk({ content: "ok" }))}data: [DONE]`],
    [
      "chunks without choices",
      `${frame({ id: "x" })}${frame({ choices: [] })}${frame(chunk({ content: "ok" }, "stop"))}`,
    ],
  ])("is read from a stream with %s", async (what, text) => {
    provider.script(answer.bytes(what === "a byte at a time" ? text : [text]));
    expect(joinText(await collect(ask()))).toBe("ok");
  });

  it("ends at [DONE] though the provider keeps the connection open", async () => {
    const text = `${frame(chunk({ content: "ok" }, "stop"))}data: [DONE]\n\n`;
    provider.script(answer.bytes([text], { end: "hang" }));
    expect(joinText(await collect(ask()))).toBe("ok");
  });

  it("carries the conversation's earlier tool calls and their results", async () => {
    await collect(
      ask({
        messages: [
          { role: "user", content: "How old?" },
          { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "search", args: { query: "age" } }] },
          { role: "tool", toolCallId: "c1", toolName: "search", result: { results: [{ n: 1, content: "nine" }] } },
        ],
      }),
    );
    expect(provider.chatRequests[0]?.body.messages.slice(2)).toMatchObject([
      {
        role: "assistant",
        tool_calls: [{ id: "c1", type: "function", function: { name: "search", arguments: '{"query":"age"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: '{"results":[{"n":1,"content":"nine"}]}' },
    ]);
  });
});

describe("an answer with tools", () => {
  const search = (execute: AnswerTool["execute"]): Record<string, AnswerTool> => ({
    search: { description: "Searches", inputSchema: z.object({ query: z.string() }), execute },
  });
  const call = answer.toolCalls([{ id: "c1", name: "search", args: ['{"query"', ':"age"}'] }]);

  it("runs the tool that the model calls and gives it the result", async () => {
    provider.script([call, answer.text("Nine [1].")]);
    const parts = await collect(ask({ tools: search(async (args) => ({ found: args })), maxToolRounds: 3 }));
    expect(parts).toEqual([
      { type: "tool-call", id: "c1", name: "search", args: { query: "age" } },
      { type: "tool-result", id: "c1", name: "search", result: { found: { query: "age" } } },
      { type: "text", text: "Nine [1]." },
    ]);
    const [first, second] = provider.chatRequests;
    expect(first?.body.tools[0].function).toMatchObject({ name: "search", parameters: { required: ["query"] } });
    expect(second?.body.messages.at(-1)).toEqual({
      role: "tool",
      tool_call_id: "c1",
      content: '{"found":{"query":"age"}}',
    });
  });

  it("offers no tools in the last round, so that the model has to answer", async () => {
    provider.script((request) => ((request.body as { tools?: unknown }).tools ? call : answer.text("Enough.")));
    let runs = 0;
    const parts = await collect(ask({ tools: search(async () => ++runs), maxToolRounds: 2 }));
    expect(runs).toBe(2);
    expect(joinText(parts)).toBe("Enough.");
    expect(provider.chatRequests.map(({ body }) => "tools" in body)).toEqual([true, true, false]);
  });

  it("is an error when the model calls tools instead of answering to the end", async () => {
    provider.script(call);
    const error = await failure({ tools: search(async () => "x"), maxToolRounds: 1 });
    expect([error.kind, error.message]).toEqual(["invalid", "The model gave no answer."]);
    expect(provider.chatRequests).toHaveLength(2);
  });

  it("tells the model about a call that does not fit the tool", async () => {
    provider.script([answer.toolCalls([{ id: "c1", name: "search", args: "{broken" }]), answer.text("Sorry.")]);
    const parts = await collect(ask({ tools: search(async () => "never"), maxToolRounds: 1 }));
    expect(parts.map((part) => part.type)).toEqual(["tool-call", "tool-result", "text"]);
  });

  it("fails with the tool's own error, without another request", async () => {
    provider.script(call);
    const broken = new Error("the store is gone");
    const tools = search(async () => {
      throw broken;
    });
    await expect(collect(ask({ tools, maxToolRounds: 3 }))).rejects.toBe(broken);
  });
});

describe("an answer within bounds", () => {
  const bounds = { tokens: 5, totalMs: 60_000 };

  it("may take all of its tokens", async () => {
    provider.script(answer.text("one ", "two ", "three ", "four ", "five"));
    expect(joinText(await collect(ask({ bounds })))).toBe("one two three four five");
  });

  it("is cut off when the model does not end", async () => {
    provider.script(answer.text(..."and so on and so on and so on".split(" ")));
    const { kind, message } = await failure({ bounds });
    expect([kind, message]).toEqual(["invalid", "The model's answer is over the limit of 5 tokens."]);
  });

  it("counts the tokens of all rounds together", async () => {
    provider.script(answer.toolCalls([{ id: "c1", name: "search", args: ["{", '"query"', ":", '"x"', "}"] }]));
    const tools = { search: { description: "", inputSchema: z.object({ query: z.string() }), execute: async () => 1 } };
    expect((await failure({ bounds, tools, maxToolRounds: 3 })).message).toContain("over the limit of 5 tokens");
  });

  it("times out while the caller holds a tool's result", async () => {
    const calls = answer.toolCalls([{ id: "c1", name: "search", args: "{}" }]);
    provider.script([calls, answer.hang()]);
    const tools = { search: { description: "", inputSchema: z.object({}), execute: async () => "found" } };
    const answering = (async () => {
      for await (const part of ask({ tools, maxToolRounds: 1, bounds: { tokens: 5, totalMs: 500 } })) {
        if (part.type === "tool-result") await new Promise((resolve) => setTimeout(resolve, 600));
      }
    })();
    await expect(answering).rejects.toMatchObject({ kind: "timed_out" });
    expect(provider.chatRequests).toHaveLength(1);
  });

  it("times out although the provider keeps writing", async () => {
    provider.script(answer.hangAfter("half"));
    const { kind, message } = await failure({ bounds: { tokens: 5, totalMs: 200 } });
    expect([kind, message]).toEqual(["timed_out", "The answer took longer than 1 s."]);
    const request = await provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
  });
});

describe("a provider that fails", () => {
  it("is retried after a 429 as soon as it allows", async () => {
    provider.script([answer.rateLimited(0), answer.error(503, "busy", { "retry-after-ms": "1" }), answer.text("ok")]);
    expect(joinText(await collect(ask()))).toBe("ok");
    expect(provider.chatRequests).toHaveLength(3);
  });

  it("is retried a limited number of times", async () => {
    provider.script(answer.rateLimited(0));
    const error = await failure();
    expect([error.kind, error.status, error.message]).toEqual(["http_status", 429, "Rate limit reached."]);
    expect(provider.chatRequests).toHaveLength(3);
  });

  it("is not retried if it asks for a long delay, which the caller is told", async () => {
    provider.script(answer.rateLimited(3600));
    expect((await failure()).retryAfterMs).toBe(3_600_000);
    expect(provider.chatRequests).toHaveLength(1);
  });

  it("is not retried for a request that it would reject again", async () => {
    provider.script(answer.error(401, `Incorrect API key provided: ${apiKey}. See https://keys.example/x.`));
    const error = await failure();
    expect([error.kind, error.status]).toEqual(["refused", 401]);
    expect(error.message).toBe("Incorrect API key provided: [removed]. See [removed]");
    expect(provider.chatRequests).toHaveLength(1);
  });

  it.each([
    ["a gateway's page", answer.html(404), "The model provider answered with status 404."],
    ["a page in the place of a stream", answer.html(200), "The model provider did not answer with a stream."],
    ["JSON in the place of a stream", answer.status(200, { error: "out of order" }), "out of order"],
    ["a redirect", answer.status(307, "", { location: "http://elsewhere.example/" }), /redirect/],
    [
      "an error in the stream",
      answer.chunks([chunk({ content: "a" }), { error: { message: "overloaded" } }]),
      "overloaded",
    ],
    ["a hostile error", answer.chunks([{ error: { message: `${apiKey} http://10.0.0.1/` } }]), genericProviderMessage],
    ["data that is not JSON", answer.bytes(["data: oops\n\n"]), /not a chat completion/],
    ["data of another shape", answer.chunks([{ choices: "many" }]), "The model gave no answer."],
    ["a broken connection", answer.cutAfter("half"), /broke off/],
    ["an end without a finish reason", answer.endAfter("half"), /broke off/],
    ["an event that breaks off", answer.bytes([frame(chunk({ content: "half" })), 'data: {"cho']), /broke off/],
    ["an empty body", answer.bytes([]), /broke off/],
    ["an empty answer", answer.text(), "The model gave no answer."],
  ])("by %s is an error that can be shown", async (_what, script, message) => {
    const printed = vi.spyOn(console, "error");
    provider.script(script);
    expect((await failure()).message).toMatch(message);
    expect(provider.chatRequests).toHaveLength(1);
    expect(printed).not.toHaveBeenCalled();
  });

  it("is unreachable when it is down", async () => {
    await provider.close();
    const error = await failure();
    expect([error.kind, error.message]).toEqual(["unreachable", "The model provider could not be reached."]);
  });

  it.each([
    ["before its answer", answer.hang()],
    ["before its first token", answer.bytes([], { end: "hang" })],
    ["in its answer", answer.hangAfter("half")],
  ])("times out when it is silent %s, and its connection is closed", async (_when, script) => {
    provider.script(script);
    const timeouts = { firstTokenTimeoutMs: 150, idleTimeoutMs: 150 };
    const error = await failure({ provider: new Provider({ baseUrl: provider.baseUrl, apiKey, ...timeouts }) });
    expect(error.kind).toBe("timed_out");
    const request = await provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it("keeps what came before it broke off", async () => {
    provider.script(answer.cutAfter("one ", "two"));
    const texts: string[] = [];
    const reading = (async () => {
      for await (const part of ask()) if (part.type === "text") texts.push(part.text);
    })();
    await expect(reading).rejects.toMatchObject({ kind: "cut" });
    expect(texts.join("")).toBe("one two");
  });
});

describe("a caller that goes away", () => {
  it.each([
    ["before the answer", answer.hang()],
    ["in the middle of it", answer.hangAfter("half")],
    ["while a retry is waited for", answer.rateLimited(9)],
  ])("ends the provider's request at once %s", async (_when, script) => {
    provider.script(script);
    const caller = new AbortController();
    const answering = collect(ask({ signal: caller.signal }));
    const request = await provider.chatRequest();
    setTimeout(() => caller.abort(new Error("the client left")), 50);
    await expect(answering).rejects.toThrow("the client left");
    await request.closed;
    expect(provider.chatRequests).toHaveLength(1);
  });

  it("ends it by leaving the loop", async () => {
    provider.script(answer.hangAfter("half"));
    for await (const _part of ask()) break;
    const request = await provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it.each(["tool-call", "tool-result"] as const)("while it holds a %s causes no further request", async (held) => {
    const calls = answer.toolCalls([{ id: "c1", name: "search", args: "{}" }]);
    provider.script([calls, answer.hang()]);
    const ran = vi.fn(async () => "found");
    const tools = { search: { description: "", inputSchema: z.object({}), execute: ran } };
    const caller = new AbortController();
    const answering = (async () => {
      for await (const part of ask({ tools, maxToolRounds: 1, signal: caller.signal })) {
        if (part.type === held) caller.abort(new Error("the client left"));
      }
    })();
    await expect(answering).rejects.toThrow("the client left");
    expect(provider.chatRequests).toHaveLength(1);
    expect(ran).toHaveBeenCalledTimes(held === "tool-call" ? 0 : 1);
  });

  it("sends no request if the client has already disconnected", async () => {
    await expect(collect(ask({ signal: AbortSignal.abort(new Error("gone")) }))).rejects.toThrow("gone");
    expect(provider.requests).toHaveLength(0);
  });
});
