import { once } from "node:events";
import { limits } from "@agent-backends/contract";
import { answer, postWithoutReading } from "@agent-backends/testing";
import { afterEach, expect, test, vi } from "vitest";
import { describeBoth, eventually } from "./support/harness.ts";
import { judge } from "./support/judge.ts";
import { runInput } from "./support/run-inputs.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const deltas = (...contents: object[]) => contents.map((delta) => ({ choices: [{ index: 0, delta }] }));
const words = (...contents: string[]) => deltas(...contents.map((content) => ({ content })));
const done = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

describeBoth("a run that takes too long", (bench) => {
  test("ends with an error, and so does the provider's request", async () => {
    await bench.restart({ runTimeoutMs: 200 });
    bench.provider.script(answer.hangAfter("a"));
    const events = await bench.run({ protocolVersion: "1.0" });
    await judge(events, "ag-ui");
    const message = "The run took longer than this relay allows; ask for a shorter answer.";
    expect(events.at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      outcome: { type: "cancelled" },
      metadata: { code: "run_timed_out", message },
    });
    const request = await bench.provider.chatRequest();
    await request.closed;
    expect(request.aborted).toBe(true);
    expect(bench.relay.log).toMatchObject([{ code: "run_timed_out", msg: expect.stringContaining("run failed") }]);
    bench.provider.script(answer.hang());
    expect(await bench.run()).toMatchObject([{ type: "RUN_STARTED" }, { type: "RUN_ERROR", message }]);
  });

  test("and whose client does not read gives its place back", async () => {
    vi.spyOn(limits, "unreadMs", "get").mockReturnValue(100 as never);
    await bench.restart({ runTimeoutMs: 300 });
    const piece = `data: ${JSON.stringify(words("on ".repeat(1_000))[0])}\n\n`.repeat(64);
    bench.provider.script({
      async respond({ signal }, reply) {
        reply.start();
        while (!signal.aborted) await Promise.race([reply.write(piece), once(signal, "abort")]);
      },
    });
    const slow = await postWithoutReading(`${bench.relay.url}/agent`, runInput());
    await bench.provider.chatRequest();
    await eventually(() => bench.relay.running() === 0, "the client's connection was closed");
    expect(bench.relay.log).toMatchObject([{ code: "run_timed_out" }]);
    slow.leave();
  });

  test("though the provider goes on talking ends all the same", async () => {
    await bench.restart({ runTimeoutMs: 500 });
    bench.provider.script({
      async respond({ signal }, reply) {
        reply.start();
        const frame = `data: ${JSON.stringify(words("on ")[0])}\n\n`;
        while (!signal.aborted) {
          await reply.write(frame);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      },
    });
    const events = await bench.run();
    expect(events.filter(({ type }) => type === "TEXT_MESSAGE_CONTENT").length).toBeGreaterThan(0);
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", message: expect.stringMatching(/took longer/) });
  });
});

describeBoth("an answer of too many tokens", (bench) => {
  const call = (args: string) => ({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: args } }] });

  test.each<[string, object[]]>([
    ["text", words("a", "b", "c", "d")],
    ["reasoning", deltas({ reasoning: "a" }, { reasoning: "b" }, { reasoning: "c" }, { reasoning: "d" })],
    ["arguments", deltas(call("{"), call('"a":'), call("1"), call("}"))],
    ["all kinds", deltas({ reasoning: "a" }, { content: "b" }, call("{"), call("}"))],
  ])("in %s ends with an error, whatever was relayed until then", async (_of, chunks) => {
    await bench.restart({ maxTokens: 3 });
    bench.provider.script(answer.chunks([...chunks, done]));
    const events = await bench.run({ protocolVersion: "1.0" });
    await judge(events, "ag-ui");
    const message = "The answer is longer than this relay allows; ask for a shorter one.";
    expect(events.at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      outcome: { type: "cancelled" },
      metadata: { code: "too_many_tokens", message },
    });
    expect((await bench.run()).at(-1)).toEqual({ type: "RUN_ERROR", message });
    bench.provider.script(answer.chunks([...chunks.slice(1), done]));
    expect((await bench.run({ protocolVersion: "1.0" })).at(-1)).toMatchObject({ outcome: { type: "success" } });
  });
});
