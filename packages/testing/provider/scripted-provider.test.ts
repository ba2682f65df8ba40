import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer } from "./answers.ts";
import type { ScriptedProvider } from "./scripted-provider.ts";
import { startScriptedProvider } from "./scripted-provider.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider.close());

const ask = (body: object, init: RequestInit = {}) =>
  fetch(`${provider.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer test-key" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...body }),
    ...init,
  });

const dataOf = (text: string) => text.split("\n\n").flatMap((frame) => (frame ? [frame.replace("data: ", "")] : []));

describe("the scripted provider", () => {
  it("streams scripted text as OpenAI does, and records what it was asked", async () => {
    provider.script(answer.text("Hel", "lo"));
    const frames = dataOf(await (await ask({ stream: true })).text());
    expect(frames.at(-1)).toBe("[DONE]");
    const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame).choices[0]);
    expect(chunks.map((choice) => choice.delta.content ?? "").join("")).toBe("Hello");
    expect(chunks.at(-1).finish_reason).toBe("stop");
    expect(provider.chatRequests[0]).toMatchObject({
      method: "POST",
      url: "/v1/chat/completions",
      headers: { authorization: "Bearer test-key" },
      body: { model: "m", stream: true },
      aborted: false,
    });
  });

  it("answers whole when no stream is asked for, with tool calls too", async () => {
    provider.script(answer.toolCalls([{ id: "c1", name: "search", args: { query: "x" } }]));
    const whole = JSON.parse(await (await ask({})).text());
    expect(whole.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ id: "c1", function: { name: "search", arguments: '{"query":"x"}' } }] },
    });
  });

  it("plays a list of answers in order and repeats the last, or chooses by the request", async () => {
    provider.script([answer.rateLimited(0), answer.text("second")]);
    const first = await ask({});
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "0"]);
    for (let call = 0; call < 2; call++)
      expect(JSON.parse(await (await ask({})).text()).choices[0].message.content).toBe("second");
    provider.script((request, index) => answer.text(`${index}: ${(request.body as { model: string }).model}`));
    expect(JSON.parse(await (await ask({ model: "other" })).text()).choices[0].message.content).toBe("0: other");
  });

  it("writes raw bytes in the given pieces, waiting where told", async () => {
    const gate = Promise.withResolvers<void>();
    provider.script(answer.bytes(["data: {", gate.promise, '"a":1}\n\n'], { headers: { "x-test": "1" } }));
    const response = await ask({ stream: true });
    expect(response.headers.get("x-test")).toBe("1");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("data: {");
    gate.resolve();
    expect((await reader?.read())?.value).toBe('"a":1}\n\n');
  });

  it("breaks off in the middle of a stream", async () => {
    provider.script(answer.cutAfter("half"));
    const response = await ask({ stream: true });
    await expect(response.text()).rejects.toThrow();
    expect(provider.chatRequests[0]?.aborted).toBe(false);
  });

  it.each([
    ["before the headers", answer.hang()],
    ["in the middle of a stream", answer.hangAfter("half")],
  ])("stays silent %s, and sees when the caller gives up", async (_where, script) => {
    provider.script(script);
    const caller = new AbortController();
    const call = ask({ stream: true }, { signal: caller.signal }).then((response) => response.text());
    const request = await provider.chatRequest();
    caller.abort();
    await expect(call).rejects.toThrow("aborted");
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  it("embeds by itself, or fails as told", async () => {
    const embed = () =>
      fetch(`${provider.baseUrl}/embeddings`, {
        method: "POST",
        body: JSON.stringify({ model: "e", input: ["a", "b"] }),
      });
    const { data } = JSON.parse(await (await embed()).text());
    expect(data).toHaveLength(2);
    provider.scriptEmbeddings(answer.error(500, "no embeddings today"));
    expect((await embed()).status).toBe(500);
    expect(provider.embeddingRequests).toHaveLength(2);
  });
});
