import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { limits } from "@agent-backends/contract";
import type { RedisServer, ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { serviceMains, startRedisServer, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { writeKeys } from "../trust/key-file.ts";
import { ask, askCapabilities, askHeld, findWorkers, holdAnswers, readMetrics, sort } from "./relay.ts";

/** More than twice the clients of a load: a stream's slot is free a moment after its end. */
const perKey = 20;
const perMinute = 50;

let folder: string;
let provider: ScriptedProvider;
let redis: RedisServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workers-rounds-"));
  const keys = ["steady", "held", "metered", "away"].map((name) => ({ name, key: `${name}-key`, namespaces: ["*"] }));
  const rated = new Set(["metered", "away"]);
  await writeKeys(
    join(folder, "keys.json"),
    keys.map((key) => ({ ...key, rate: rated.has(key.name) ? perMinute : 1_000_000 })),
  );
  provider = await startScriptedProvider();
  redis = await startRedisServer();
});
afterAll(async () => {
  await redis.stop();
  await provider.close();
  await rm(folder, { recursive: true });
});

async function start(variables: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startService(resolve(serviceMains["relay-express"]), {
    WORKERS: "3",
    LLM_BASE_URL: provider.baseUrl,
    AUTH_KEYS_FILE: join(folder, "keys.json"),
    MAX_STREAMS_PER_KEY: String(perKey),
    METRICS_PORT: "0",
    ...variables,
  });
  onTestFinished(() => void service.end("SIGKILL"));
  return service;
}

/** Clients that ask one after the other until they are stopped. Half of them keep their connection. */
function startLoad(service: ServiceProcess, clients: number) {
  let isOver = false;
  const counts = { whole: 0, broken: 0 };
  const running = Array.from({ length: clients }, async (_, client) => {
    const agent = client % 2 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    while (!isOver) {
      const body = await ask(service, "steady-key", agent).then(
        (answered) => answered.body,
        () => undefined,
      );
      if (body?.includes("RUN_FINISHED")) counts.whole += 1;
      else counts.broken += 1;
    }
    agent?.destroy();
  });
  return {
    counts,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return counts;
    },
  };
}

const listening = (service: ServiceProcess) => async () => (await readMetrics(service)).value("agent_workers");

test("ten rounds of SIGHUP under load lose nothing", async () => {
  holdAnswers(provider)();
  const service = await start();
  const load = startLoad(service, 8);
  for (let round = 1; round <= 10; round++) {
    service.process.kill("SIGHUP");
    await expect.poll(() => service.log.filter(({ msg }) => msg === "all workers were restarted").length).toBe(round);
  }
  const { whole, broken } = await load.stop();
  expect([broken, whole > 100]).toEqual([0, true]);
  expect((await readMetrics(service)).value("agent_worker_deaths_total")).toBe(0);
  // No answer was counted by a worker and lost with it.
  const answered = await readMetrics(service);
  expect(answered.value("agent_http_requests_total", { route: "/agent", outcome: "finished" })).toBe(whole);
});

test("twenty rounds of kill -9 under load break at most what the killed worker had", async () => {
  holdAnswers(provider)();
  const service = await start();
  const clients = 8;
  const rounds = 20;
  const load = startLoad(service, clients);
  let counted = 0;
  for (let round = 0; round < rounds; round++) {
    process.kill(findWorkers(service)[round % 3] ?? 0, "SIGKILL");
    await expect.poll(listening(service), { interval: 50 }).toBe(2);
    await expect.poll(listening(service), { interval: 50 }).toBe(3);
    const now = (await readMetrics(service)).value("agent_http_requests_total");
    expect(now).toBeGreaterThan(counted);
    counted = now;
  }
  const { whole, broken } = await load.stop();
  expect(broken).toBeLessThanOrEqual(rounds * clients);
  expect(whole).toBeGreaterThan(100);
  // Nobody's place is taken for ever.
  const finish = holdAnswers(provider);
  const { taken } = await sort(Array.from({ length: 2 * perKey }, () => askHeld(service, "held-key")));
  expect(taken).toHaveLength(perKey);
  finish();
  const answeredOrGone = service.log.filter(({ msg, outcome }) => msg === "request" && outcome === "error");
  expect(answeredOrGone).toEqual([]);
});

test("replicas with workers share rates and streams in Redis, also when a replica dies and when Redis does", async () => {
  const finish = holdAnswers(provider);
  const shared = { RATE_LIMIT_URL: redis.url, WORKERS: "2" };
  const replicas = await Promise.all([start(shared), start(shared)]);
  const [one, other] = replicas;
  const at = (index: number) => (index % 2 ? one : other);
  const counted = await sort(
    Array.from({ length: 3 * perMinute }, (_, index) => askCapabilities(at(index), "metered-key")),
  );
  expect(counted.taken).toHaveLength(perMinute);
  const { taken } = await sort(Array.from({ length: 3 * perKey }, (_, index) => askHeld(at(index), "held-key")));
  expect(taken).toHaveLength(perKey);

  await one.end("SIGKILL");
  const bodies = await Promise.race([Promise.all(taken.map(({ body }) => body)), Promise.resolve(undefined)]);
  expect(bodies).toBeUndefined();
  const killedAt = performance.now();
  // Its slots are leases.
  await expect
    .poll(async () => (await sort([ask(other, "held-key")])).taken.length, {
      timeout: 2 * limits.slotLeaseMs,
      interval: 500,
    })
    .toBe(1);
  expect(performance.now() - killedAt).toBeLessThan(limits.slotLeaseMs + 5_000);
  finish();

  const third = await start(shared);
  await redis.stop();
  for (const replica of [other, third]) {
    const alone = await sort(Array.from({ length: 2 * perMinute }, () => askCapabilities(replica, "away-key")));
    expect(alone.taken).toHaveLength(perMinute);
    const lines = replica.log.filter(({ msg }) => msg?.startsWith("RATE_LIMIT_URL does not answer"));
    expect(lines).toHaveLength(1);
  }
  await redis.start();
  await expect
    .poll(() => [other, third].flatMap(({ log }) => log.filter(({ msg }) => msg === "RATE_LIMIT_URL answers again")))
    .toHaveLength(2);
  const again = [other, third].map((replica) =>
    Array.from({ length: perMinute }, () => askCapabilities(replica, "metered-key")),
  );
  expect((await sort(again.flat())).taken).toHaveLength(perMinute);
});
