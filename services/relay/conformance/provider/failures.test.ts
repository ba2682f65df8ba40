import type { Socket } from "node:net";
import { createServer } from "node:net";
import { answer, parseSseEvents } from "@agent-backends/testing";
import { expect, test, vi } from "vitest";
import { describeBoth, readTextPieces } from "../support/harness.ts";
import { judge } from "../support/judge.ts";
import { postAgent, runInput } from "../support/run-inputs.ts";

const key = "sk-test-key-of-the-relay";
const text = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const pieces = (long: string) => long.match(/[\s\S]{1,65536}/g) ?? [];

describeBoth("a provider that fails before it answers", (bench) => {
  test.each<[string, Parameters<typeof bench.provider.script>[0], string | RegExp]>([
    ["refuses the key", answer.error(401, `Incorrect API key provided: ${key}.`), /Incorrect API key/],
    [
      "does not know the model",
      answer.error(404, "The model `gpt-4o` does not exist"),
      "The model `gpt-4o` does not exist",
    ],
    ["has its rate limit reached", answer.rateLimited(60), "Rate limit reached."],
    ["breaks", answer.error(500, "The server had an error"), "The server had an error"],
    ["breaks with a text", answer.status(503, "overloaded"), "overloaded"],
    ["breaks without a word", answer.status(500, ""), /status 500/],
    ["stands behind a gateway that shows a page", answer.html(502), /status 502/],
    ["shows a page with status 200", answer.html(200), /did not answer with a stream/],
    ["answers an error with status 200", answer.error(200, "No capacity"), "No capacity"],
    ["does not stream", answer.status(200, { object: "chat.completion" }), /did not answer with a stream/],
    ["closes the connection", answer.drop(), /could not be reached/],
  ])("because it %s ends the run with an error", async (_what, script, message) => {
    bench.provider.script(script);
    const response = await postAgent(bench.relay.url, runInput());
    expect(response.status).toBe(200);
    const text = await response.text();
    const events = text
      .split("\n\n")
      .filter(Boolean)
      .map((frame) => JSON.parse(frame.slice(6)) as object);
    expect(events).toEqual([
      { type: "RUN_STARTED", threadId: "thread-1", runId: "run-1" },
      {
        type: "RUN_ERROR",
        message: typeof message === "string" ? message : expect.stringMatching(message),
      },
    ]);
    expect(text).not.toMatch(/sk-test|127\.0\.0\.1|10\.0\.0\.7|<h1>/);
    expect(JSON.stringify(bench.relay.log)).not.toContain(key);
  });

  test.each([301, 302, 303, 307, 308])(
    "because it redirects with %i ends the run, and nobody else is asked",
    async (status) => {
      const location = `${bench.provider.baseUrl}/chat/completions?elsewhere`;
      bench.provider.script([answer.status(status, "", { location }), answer.text("elsewhere")]);
      expect((await bench.run()).at(-1)).toEqual({ type: "RUN_ERROR", message: expect.stringContaining("redirect") });
      expect(bench.provider.requests).toHaveLength(1);
    },
  );

  test("because it can't be reached ends the run with an error", async () => {
    await bench.restart({ baseUrl: "http://127.0.0.1:9/v1" });
    expect(await bench.run()).toEqual([
      { type: "RUN_STARTED", threadId: "thread-1", runId: "run-1" },
      { type: "RUN_ERROR", message: "The model provider could not be reached." },
    ]);
  });

  test("because its name is unknown ends the run with an error", async () => {
    await bench.restart({ baseUrl: "http://provider.invalid/v1" });
    expect((await bench.run()).slice(1)).toEqual([
      { type: "RUN_ERROR", message: "The model provider could not be reached." },
    ]);
  });

  test("because no connection is made ends the run in time", async () => {
    // This server accepts connections, but never answers the TLS handshake.
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as { port: number };
    await bench.restart({ baseUrl: `https://127.0.0.1:${port}/v1`, connectTimeoutMs: 60 });
    expect((await bench.run()).at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The model provider could not be reached in time.",
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  test("because its headers come, but nothing else, ends the run in time", async () => {
    await bench.restart({ firstTokenTimeoutMs: 150 });
    bench.provider.script(answer.bytes([], { end: "hang" }));
    expect((await bench.run()).at(-1)?.message).toBe("The model provider did not answer in time.");
    const request = await bench.provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  test("because it never answers ends the run in time", async () => {
    await bench.restart({ firstTokenTimeoutMs: 150 });
    bench.provider.script(answer.hang());
    expect((await bench.run()).at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The model provider did not answer in time.",
    });
    const request = await bench.provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
  });
});

describeBoth("a provider that fails in the middle of its answer", (bench) => {
  const begun = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"];

  test.each([
    ["breaks the connection", answer.cutAfter("a"), /broke off/],
    ["ends too early", answer.endAfter("a"), /broke off/],
    [
      "tells of an error",
      answer.chunks([{ choices: [{ delta: { content: "a" } }] }, { error: { message: "Overloaded" } }]),
      /^Overloaded$/,
    ],
    [
      "sends something else",
      answer.bytes(['data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: <html>\n\n']),
      /not JSON/,
    ],
    ["sends an event over 1 MiB", answer.bytes([text("a"), ...pieces(text("x".repeat(1024 * 1024)))]), /too large/],
    [
      "sends a line without end",
      answer.bytes([text("a"), ...pieces("x".repeat(1024 * 1024 + 1))], { end: "hang" }),
      /too large/,
    ],
  ])("and %s ends the run with an error, and not as finished", async (_what, script, message) => {
    bench.provider.script(script);
    const events = await bench.run();
    expect(events.map(({ type }) => type)).toEqual([...begun, "RUN_ERROR"]);
    expect(events.at(-1)?.message).toMatch(message);
  });

  test("and falls silent ends the run in time", async () => {
    await bench.restart({ idleTimeoutMs: 150 });
    bench.provider.script(answer.hangAfter("a"));
    const events = await bench.run();
    expect(events.map(({ type }) => type)).toEqual([...begun, "RUN_ERROR"]);
    expect(events.at(-1)?.message).toMatch(/silent/);
    const request = await bench.provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  test("and falls silent has what it began closed first in the whole protocol", async () => {
    await bench.restart({ idleTimeoutMs: 150 });
    const call = { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{" } }] };
    const deltas = [{ content: "a" }, call, { reasoning: "hm" }].map((delta) => ({ choices: [{ delta }] }));
    bench.provider.script(
      answer.bytes(
        deltas.map((json) => `data: ${JSON.stringify(json)}\n\n`),
        { end: "hang" },
      ),
    );
    const events = await bench.run({ protocolVersion: "1.0" });
    await judge(events, "ag-ui");
    expect(events.at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The model provider fell silent in the middle of its answer.",
      code: "provider_timed_out",
    });
  });

  test("but after its finish reason has still finished", async () => {
    const finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`;
    bench.provider.script(answer.bytes([finish], { end: "cut" }));
    expect((await bench.run()).map(({ type }) => type)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  });

  test("but says nothing more after its finish reason and stays, has finished soon", async () => {
    await bench.restart({});
    const finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`;
    bench.provider.script(answer.bytes([text("a") + finish], { end: "hang" }));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const answered = readTextPieces(await postAgent(bench.relay.url, runInput()));
      let seen = "";
      while (!seen.includes(`"delta":"a"`)) seen += (await answered.next()).value;
      await vi.advanceTimersByTimeAsync(4_000);
      for (let piece = await answered.next(); !piece.done; piece = await answered.next()) seen += piece.value;
      expect(parseSseEvents(seen).at(-1)?.type).toBe("RUN_FINISHED");
    } finally {
      vi.useRealTimers();
    }
  });

  test("logs why, once", async () => {
    bench.provider.script(answer.endAfter("a"));
    await bench.run();
    expect(bench.relay.log).toMatchObject([{ code: "provider_cut", msg: expect.stringContaining("broke off") }]);
  });
});
