import { Agent } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@agent-backends/contract";
import { runToExit, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, test } from "vitest";
import { writeKeys } from "../trust/key-file.ts";
import { ask, askCapabilities, askHeld, findWorkers, holdAnswers, readMetrics, sort } from "./relay.ts";

const perKey = 6;
const perMinute = 20;
const tokensPerDay = 2_500;

const folder = await createTemporaryFolder();
const keys = ["metered", "budgeted", "busy", "killed", "loaded"].map((name) => ({
  name,
  key: `${name}-key`,
  namespaces: ["*"],
}));
await writeKeys(
  join(folder, "keys.json"),
  keys.map((key) => ({
    ...key,
    ...(key.name === "metered" && { rate: perMinute }),
    ...(key.name === "budgeted" && { tokensPerDay }),
  })),
);
const provider = await startScriptedProvider();
const throwing = `process.on("SIGUSR2", () => setImmediate(() => { throw new Error("a bug"); }))`;
const service = await startService(
  resolve(serviceMains["relay-express"]),
  {
    WORKERS: "2",
    LLM_BASE_URL: provider.baseUrl,
    AUTH_KEYS_FILE: join(folder, "keys.json"),
    MAX_STREAMS_PER_KEY: String(perKey),
    METRICS_PORT: "0",
  },
  { nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(throwing)}`] },
);
afterAll(async () => {
  await service.end("SIGKILL");
  await provider.close();
});

test("two workers share a key's rate exactly", async () => {
  const requests = Array.from({ length: 3 * perMinute }, () => askCapabilities(service, "metered-key"));
  const { taken, refused } = await sort(requests);
  expect([taken.length, refused.length]).toEqual([perMinute, 2 * perMinute]);
});

test("they share its token budget", async () => {
  const finish = holdAnswers(provider);
  const { taken, refused } = await sort(Array.from({ length: perKey }, () => askHeld(service, "budgeted-key")));
  const admitted = Math.ceil(tokensPerDay / limits.assumedRunTokens);
  expect([taken.length, refused.length]).toEqual([admitted, perKey - admitted]);
  finish();
  await Promise.all(taken.map(({ body }) => body));
});

test("they share its streams exactly, and give them back", async () => {
  const finish = holdAnswers(provider);
  const { taken, refused } = await sort(Array.from({ length: 4 * perKey }, () => askHeld(service, "busy-key")));
  expect([taken.length, refused.length]).toEqual([perKey, 3 * perKey]);
  finish();
  for (const { body } of taken) expect(await body).toContain("RUN_FINISHED");
  await expect.poll(async () => (await sort([ask(service, "busy-key")])).taken.length).toBe(1);
});

test("a worker with an error that nothing handles lets its streams end while another takes its place", async () => {
  const finish = holdAnswers(provider);
  const streams = await Promise.all(Array.from({ length: 4 }, () => askHeld(service, "busy-key")));
  const failing = findWorkers(service);
  process.kill(failing[0] ?? 0, "SIGUSR2");
  await expect.poll(() => findWorkers(service).filter((pid) => !failing.includes(pid))).toHaveLength(1);
  await expect.poll(async () => (await readMetrics(service)).value("agent_workers")).toBe(2);
  finish();
  for (const { body } of streams) expect(await body).toContain("whole");
  await expect.poll(() => findWorkers(service)).not.toContain(failing[0]);
  expect((await readMetrics(service)).value("agent_worker_deaths_total")).toBe(1);
});

test("kill -9 of a worker breaks its own connections alone, and frees its slots", async () => {
  const before = (await readMetrics(service)).value("agent_http_requests_total");
  const finish = holdAnswers(provider);
  const { taken } = await sort(Array.from({ length: perKey }, () => askHeld(service, "killed-key")));
  const bodies = Promise.all(taken.map(({ body }) => body));
  expect((await sort([ask(service, "killed-key")])).refused).toHaveLength(1);
  const [killed = 0] = findWorkers(service);
  process.kill(killed, "SIGSTOP");
  // One of these waits at the worker that is stopped, untaken, and goes to another one when that dies.
  const waiting = Array.from({ length: 4 }, () => ask(service, "loaded-key"));
  await Promise.race(waiting);
  process.kill(killed, "SIGKILL");
  for (const answered of waiting) expect(await (await answered).body).toContain("RUN_FINISHED");
  await expect.poll(async () => (await sort([ask(service, "killed-key")])).taken.length).toBe(1);
  finish();
  const whole = (await bodies).filter((body) => body?.includes("RUN_FINISHED"));
  expect(whole.length).toBeGreaterThan(0);
  expect(whole.length).toBeLessThan(perKey);
  // The worker that lives has lost none of its own.
  const ids = taken.map(({ id }) => id);
  const outcomes = () =>
    service.log.filter(({ request_id: id }) => ids.includes(String(id))).map((line) => line.outcome);
  await expect.poll(outcomes).toEqual(whole.map(() => "finished"));
  await expect.poll(async () => (await readMetrics(service)).value("agent_workers")).toBe(2);
  const metrics = await readMetrics(service);
  expect(metrics.value("agent_worker_deaths_total")).toBe(2);
  // What the dead worker had counted is not forgotten.
  expect(metrics.value("agent_http_requests_total")).toBeGreaterThan(before + waiting.length);
});

test("SIGHUP under load replaces all workers and loses no request, no connection and no stream", async () => {
  const oldWorkers = findWorkers(service);
  const finish = holdAnswers(provider);
  const streams = await Promise.all(Array.from({ length: perKey / 2 }, () => askHeld(service, "busy-key")));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  const held = Promise.all(streams.map(({ body }) => body));
  let isOver = false;
  let answered = 0;
  const load = Array.from({ length: 4 }, async (_, client) => {
    // Half of the clients keep their connection.
    const agent = client % 2 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    while (!isOver) {
      expect(await (await ask(service, "loaded-key", agent)).body).toContain("RUN_FINISHED");
      answered += 1;
    }
    agent?.destroy();
  });
  service.process.kill("SIGHUP");
  await expect.poll(() => service.log.filter(({ msg }) => msg === "all workers were restarted")).toHaveLength(1);
  await delay(50);
  isOver = true;
  await Promise.all(load);
  expect(answered).toBeGreaterThan(10);
  finish();
  for (const body of await held) expect(body).toContain("whole");
  await expect.poll(() => findWorkers(service).filter((pid) => oldWorkers.includes(pid))).toEqual([]);
  expect((await readMetrics(service)).value("agent_worker_deaths_total")).toBe(2);
});

test("what stops a start is said once, as by one process", async () => {
  const { port } = new URL(service.baseUrl);
  const main = resolve(serviceMains.listing);
  const [taken, memory] = await Promise.all([
    runToExit(main, { LLM_API_KEY: "k", WORKERS: "2", PORT: port }),
    runToExit(main, { LLM_API_KEY: "k", WORKERS: "2", RUNS_URL: "memory:" }),
  ]);
  expect(taken.code).toBe(1);
  expect(taken.lines.filter((line) => line.includes("EADDRINUSE"))).toEqual([
    `PORT ${port} on HOST 127.0.0.1 can't be used (EADDRINUSE): set PORT or HOST to one that is free`,
  ]);
  expect(memory).toEqual({ code: 1, lines: [expect.stringMatching(/^RUNS_URL memory: .* set WORKERS to 1$/)] });
});

test("SIGTERM lets streams end, refuses what is new, and ends all processes", async () => {
  const finish = holdAnswers(provider);
  const streams = await Promise.all([askHeld(service, "busy-key"), askHeld(service, "busy-key")]);
  service.process.kill("SIGTERM");
  await expect.poll(async () => (await ask(service, "busy-key")).status).toBe(503);
  expect((await fetch(`${service.baseUrl}/health`)).status).toBe(200);
  finish();
  for (const { body } of streams) expect(await body).toContain("whole");
  expect(await service.exited).toBe(0);
  // Every line is whole, and says which worker wrote it.
  const lines = service.log.filter(({ msg }) => msg === "request");
  expect(new Set(lines.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
  expect(service.printed).toEqual([]);
});
