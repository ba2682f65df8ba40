import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashKey } from "@agent-backends/kit/auth";
import type { RedisServer, ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startRedisServer, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatedRun, readEvents, splitEvents } from "./support/recorded-run.ts";
import { runInput } from "./support/run-inputs.ts";

// Replicas as users run them: processes of both implementations with one Redis server and keys.
const root = join(import.meta.dirname, "../../..");
const folder = await createTemporaryFolder();
let redis: RedisServer;
let provider: ScriptedProvider;
let express: ServiceProcess;
let nest: ServiceProcess;
let dying: ServiceProcess;

beforeAll(async () => {
  [redis, provider] = await Promise.all([startRedisServer(), startScriptedProvider()]);
  const keys = ["a", "b"].map((name) => ({ name, sha256: hashKey(name).toString("hex") }));
  const file = join(folder, "keys.json");
  writeFileSync(file, JSON.stringify({ keys }));
  const start = (name: "relay-express" | "relay-nest") =>
    startService(join(root, serviceMains[name]), {
      LLM_BASE_URL: provider.baseUrl,
      AUTH_KEYS_FILE: file,
      RUNS_URL: redis.url,
      RUN_ORPHAN_MS: "30000",
    });
  [express, nest, dying] = await Promise.all([start("relay-express"), start("relay-nest"), start("relay-express")]);
});
afterAll(async () => {
  await Promise.all([express, nest, dying].map((service) => service.end()));
  await Promise.all([redis.stop(), provider.close()]);
});

const headers = (key: string) => ({ Authorization: `Bearer ${key}`, "Content-Type": "application/json" });
const start = (replica: ServiceProcess, runId: string, signal?: AbortSignal) =>
  fetch(`${replica.baseUrl}/agent?profile=ag-ui`, {
    method: "POST",
    headers: headers("a"),
    body: JSON.stringify(runInput({ runId })),
    ...(signal && { signal }),
  });
const read = (replica: ServiceProcess, runId: string, lastEventId = "", key = "a") =>
  fetch(`${replica.baseUrl}/agent/runs/${runId}`, { headers: { ...headers(key), "Last-Event-ID": lastEventId } });

test("runs of two processes are cut at every event, and die with a process within 10 s", async () => {
  provider.script(answer.hangAfter("Hello"));
  const beforeDeath = await readEvents(await start(dying, "of the dying"), 3);
  dying.process.kill("SIGKILL");
  await dying.exited;
  const diedAt = performance.now();
  const brokenOff = read(express, "of the dying").then(async (response) => ({
    events: splitEvents(await response.text()),
    afterMs: performance.now() - diedAt,
  }));

  for (const [here, elsewhere] of [
    [express, nest],
    [nest, express],
  ] as const) {
    for (let count = 1; ; count += 1) {
      const live = gatedRun();
      provider.script(live.answer);
      const runId = `${here === express ? "express" : "nest"}-${count}`;
      const connection = new AbortController();
      const opening = setInterval(() => live.gates.open(1), 1);
      const seen = await readEvents(await start(here, runId, connection.signal), count);
      clearInterval(opening);
      connection.abort();
      if (seen.length < count) break;
      const resumed = await read(elsewhere, runId, String(count));
      live.gates.open();
      const rest = splitEvents(await resumed.text());
      expect([...seen, ...rest].join("")).toBe(await (await read(here, runId)).text());
    }
    expect((await read(elsewhere, "express-1", "", "b")).status).toBe(404);
  }

  const { events, afterMs } = await brokenOff;
  expect(afterMs).toBeLessThan(10_000);
  expect(events.slice(0, 3)).toEqual(beforeDeath);
  expect(events.slice(-2).map((event) => /"type":"(\w+)"/.exec(event)?.[1])).toEqual(["TEXT_MESSAGE_END", "RUN_ERROR"]);
});

// On a busy machine the test itself may be late.
test("a run is stopped within 50 ms by a DELETE at a process of the other implementation", { retry: 5 }, async () => {
  for (const [here, elsewhere] of [
    [express, nest],
    [nest, express],
  ] as const) {
    provider.script(answer.hangAfter("Hello"));
    const runId = randomUUID();
    const asked = provider.chatRequests.length;
    const response = await start(here, runId);
    const request = await provider.chatRequest(asked + 1);
    const askedAt = performance.now();
    const url = `${elsewhere.baseUrl}/agent/runs/${runId}`;
    const stopped = fetch(url, { method: "DELETE", headers: { Authorization: "Bearer a" } });
    await request.closed;
    expect(performance.now() - askedAt).toBeLessThan(50);
    expect((await stopped).status).toBe(204);
    expect(splitEvents(await response.text()).at(-1)).toContain('"outcome":{"type":"cancelled"}');
  }
});
