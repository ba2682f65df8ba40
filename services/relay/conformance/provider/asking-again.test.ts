import { limits } from "@agent-backends/contract";
import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth } from "../support/harness.ts";
import { postAgent, runInput } from "../support/run-inputs.ts";

const types = (events: { type: string }[]) => events.map(({ type }) => type);
const refusal = (message: string, param?: string) => answer.status(400, { error: { message, param: param ?? null } });

describeBoth("a provider that is asked again", (bench) => {
  test("because its rate limit was reached answers after the wait it named", async () => {
    bench.provider.script([answer.error(429, "Slow down.", { "retry-after-ms": "20" }), answer.text("Hello")]);
    expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(bench.provider.chatRequests).toHaveLength(2);
    expect(bench.provider.chatRequests[0]?.body).toEqual(bench.provider.chatRequests[1]?.body);
  });

  test.each([
    ["in seconds", "0"],
    ["as a date", () => new Date().toUTCString()],
  ])("after the wait that it named %s answers, also when it is overloaded", async (_how, wait) => {
    const headers = { "retry-after": typeof wait === "string" ? wait : wait() };
    bench.provider.script([answer.error(503, "Overloaded.", headers), answer.rateLimited(0), answer.text("Hello")]);
    expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(bench.provider.chatRequests).toHaveLength(3);
  });

  test("has a few chances, then the run fails with what it said", async () => {
    bench.provider.script(answer.error(429, "Slow down.", { "retry-after-ms": "5" }));
    expect((await bench.run()).at(-1)).toEqual({ type: "RUN_ERROR", message: "Slow down." });
    expect(bench.provider.chatRequests).toHaveLength(limits.providerAttempts);
  });

  test("only before its first byte, never after", async () => {
    bench.provider.script([answer.cutAfter("a"), answer.text("Hello")]);
    expect((await bench.run()).at(-1)?.type).toBe("RUN_ERROR");
    expect(bench.provider.chatRequests).toHaveLength(1);
  });

  test("gets no further request when the client disconnects during the delay", async () => {
    bench.provider.script(answer.error(429, "Slow down.", { "retry-after-ms": "700" }));
    const leaving = new AbortController();
    const response = await postAgent(bench.relay.url, runInput(), { signal: leaving.signal });
    await bench.provider.chatRequest();
    leaving.abort();
    await expect(response.text()).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(bench.provider.chatRequests).toHaveLength(1);
  });

  test.each([
    ["in words", refusal("Unrecognized request argument supplied: stream_options")],
    ["by the field's name", refusal("Extra inputs are not permitted", "stream_options.include_usage")],
    ["as a failure of its own", answer.status(500, "create() got an unexpected keyword argument 'stream_options'")],
    ["as a list of faults", answer.status(422, { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs" }] })],
  ])("without usage, where it refuses that %s, answers", async (_how, script) => {
    await bench.restart({});
    bench.provider.script([script, answer.text("Hello")]);
    const events = await bench.run({ protocolVersion: "1.0" });
    expect(events.at(-1)?.type).toBe("RUN_FINISHED");
    const [first, second] = bench.provider.chatRequests.map(({ body }) => body);
    expect(first.stream_options).toEqual({ include_usage: true });
    expect(second).toEqual({ ...first, stream_options: undefined });
  });

  test("without usage is not asked for it by the next runs", async () => {
    await bench.restart({});
    bench.provider.script([refusal("Unknown field: stream_options"), answer.text("Hello")]);
    for (let run = 0; run < 3; run += 1) {
      expect((await bench.run({ protocolVersion: "1.0" })).at(-1)?.type).toBe("RUN_FINISHED");
    }
    const asked = bench.provider.chatRequests.map(({ body }) => "stream_options" in body);
    expect(asked).toEqual([true, false, false, false]);
  });

  test("without usage, and refuses that too, is asked for it by the next run", async () => {
    await bench.restart({});
    bench.provider.script(refusal("Something is wrong, perhaps stream_options."));
    for (let run = 0; run < 2; run += 1) {
      expect((await bench.run({ protocolVersion: "1.0" })).at(-1)?.type).toBe("RUN_ERROR");
    }
    const asked = bench.provider.chatRequests.map(({ body }) => "stream_options" in body);
    expect(asked).toEqual([true, false, true, false]);
  });

  test("is not if it refuses something else", async () => {
    bench.provider.script([refusal("This model does not exist."), answer.text("Hello")]);
    const events = await bench.run({ protocolVersion: "1.0" });
    expect(types(events)).toEqual(["RUN_STARTED", "RUN_ERROR"]);
  });
});

describeBoth("an answer that is cut short by", (bench) => {
  test.each(["length", "content_filter"])("%s says so in the whole protocol", async (finish_reason) => {
    const chunks = [{ choices: [{ delta: { content: "a" } }] }, { choices: [{ delta: {}, finish_reason }] }];
    bench.provider.script(answer.chunks(chunks));
    expect((await bench.run({ protocolVersion: "1.0" })).at(-1)).toMatchObject({
      type: "RUN_FINISHED",
      outcome: { type: "success" },
      metadata: { finishReason: finish_reason },
    });
    expect((await bench.run()).at(-1)).toEqual({ type: "RUN_FINISHED", threadId: "thread-1", runId: "run-1" });
  });
});
