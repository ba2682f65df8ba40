import { limits } from "@agent-backends/contract";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { streamAnswer } from "../chat/stream-answer.ts";
import { ChatProviders } from "./chat-providers.ts";

const failing = answer.error(401, "Bad key.");
let servers: ScriptedProvider[];
let providers: ChatProviders;
let nowMs: number;
let log: string[];
const opened: { close(): unknown }[] = [];

beforeEach(async () => {
  nowMs = 1_000_000;
  log = [];
  servers = await Promise.all(
    ["first", "second", "third"].map((text) => startScriptedProvider({ script: answer.text(text) })),
  );
  const [first, ...others] = servers.map(({ baseUrl }) => baseUrl);
  const now = () => nowMs;
  const write = (_details: object, message: string) => void log.push(message);
  providers = new ChatProviders({
    baseUrl: first ?? "",
    apiKey: "k",
    models: [{ use: "chat", name: "model-1", variable: "LLM_MODEL" }],
    fallbacks: others.map((baseUrl, position) => ({ baseUrl, apiKey: "", model: `model-${position + 2}` })),
    fallbackAfterMs: 100,
    now,
    log: { info: write, warn: write },
  });
  opened.push(providers, ...servers);
});
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

async function ask(): Promise<string> {
  let text = "";
  const request = { system: "", messages: [{ role: "user" as const, content: "Hello?" }] };
  const { signal } = new AbortController();
  for await (const part of streamAnswer({ provider: providers, model: "model-1", ...request, signal })) {
    if (part.type === "text") text += part.text;
  }
  return text;
}

const askTimes = async (times: number) => {
  for (let time = 0; time < times; time += 1) await ask().catch(() => undefined);
};
const fail = (...positions: number[]) => {
  for (const position of positions) servers[position]?.script(failing);
};
const asked = () => servers.map(({ chatRequests }) => chatRequests.length);

test("they are asked in order, each for its own model", async () => {
  fail(0, 1);
  expect(await ask()).toBe("third");
  expect(servers.map(({ chatRequests }) => chatRequests[0]?.body.model)).toEqual(["model-1", "model-2", "model-3"]);
});

test("a skipped provider is probed by a single request and used again once it answers", async () => {
  fail(0);
  await askTimes(limits.circuitFailures + 2);
  expect(asked()[0]).toBe(limits.circuitFailures);
  nowMs += limits.circuitOpenMs;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["second", "second", "second"]);
  expect(asked()[0]).toBe(limits.circuitFailures + 1);

  servers[0]?.script(answer.text("first"));
  expect(await ask()).toBe("second");
  nowMs += limits.circuitOpenMs;
  expect([await ask(), await ask()]).toEqual(["first", "first"]);
  expect(log.filter((line) => !/the next one is asked/.test(line))).toEqual([
    "a provider failed several times: it is left alone",
    "a provider answers again",
  ]);
});

test("when all are skipped, the one skipped for the longest time is still asked", async () => {
  fail(0, 1, 2);
  await askTimes(limits.circuitFailures);
  const before = asked();
  servers[0]?.script(answer.text("first"));
  expect(await ask()).toBe("first");
  expect(asked()).toEqual([(before[0] ?? 0) + 1, before[1], before[2]]);
});

test("one that hangs, or is slow to begin, is not waited for, but an answer that has begun is", async () => {
  servers[0]?.script(answer.hang());
  expect(await ask()).toBe("second");
  const slow = [{ pauseMs: 200 }, `data: {"choices":[{"delta":{"content":"slow"}}]}\n\n`, "data: [DONE]\n\n"];
  servers[0]?.script(answer.bytes(slow));
  expect(await ask()).toBe("slow");
});

test("an answer that breaks off counts as a failure, and a request that doesn't fit the model does not", async () => {
  servers[0]?.script(answer.cutAfter("a"));
  await askTimes(limits.circuitFailures);
  expect(await ask()).toBe("second");
  servers[1]?.script(answer.error(400, "maximum context length"));
  await askTimes(limits.circuitFailures + 1);
  expect(asked()[1]).toBe(limits.circuitFailures + 2);
});

test("a success between failures starts their count anew", async () => {
  for (let time = 0; time < 2; time += 1) {
    fail(0);
    await askTimes(limits.circuitFailures - 1);
    servers[0]?.script(answer.text("first"));
    expect(await ask()).toBe("first");
  }
});
