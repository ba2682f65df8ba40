import { randomUUID } from "node:crypto";
import { startRedisServer } from "@agent-backends/testing";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../logger.ts";
import { connectRedis } from "../redis/index.ts";
import { LeasedSlots } from "./slots.ts";

const leaseMs = 600;
const log: string[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void log.push(JSON.parse(line).msg) });
const server = await startRedisServer();
afterAll(() => server.stop());

/** The slots of a process of its own. */
async function replica() {
  const redis = await connectRedis({
    url: server.url,
    variable: "RATE_LIMIT_URL",
    whileDown: "it counts alone",
    logger,
  });
  const slots = new LeasedSlots({ name: "test", redis, leaseMs });
  const die = () => {
    slots.close();
    redis.disconnect();
  };
  onTestFinished(die);
  await expect.poll(() => redis.status).toBe("ready");
  const take = (keyId: string, perKey: number) => {
    const slot = { id: randomUUID(), work: "stream", keyId } as const;
    return slots.take(slot, perKey).then((isTaken) => (isTaken ? slot : undefined));
  };
  return { slots, take, die };
}

test("replicas share a key's slots exactly, however many requests come at the same time", async () => {
  const [one, other] = [await replica(), await replica()];
  const taken = await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? one : other).take("burst", 7)));
  const slots = taken.filter((slot) => slot !== undefined);
  expect(slots).toHaveLength(7);
  expect(await one.take("another key", 7)).toBeDefined();
  for (const slot of slots) {
    one.slots.release(slot);
    other.slots.release(slot);
  }
  await expect.poll(() => one.take("burst", 1)).toBeDefined();
});

test("a running process keeps its slots, and those of one that died come back after their lease", async () => {
  const [dying, living] = [await replica(), await replica()];
  expect([await dying.take("k", 2), await living.take("k", 2)]).not.toContain(undefined);
  expect(await living.take("k", 2)).toBeUndefined();
  dying.die();
  await expect.poll(() => living.take("k", 2), { interval: 50 }).toBeDefined();
  // Its own first slot was renewed meanwhile.
  expect(await living.take("k", 2)).toBeUndefined();
});

test("while Redis is down each process counts for itself, says so once, and tells Redis of its slots when it is back", async () => {
  const [one, other] = [await replica(), await replica()];
  log.length = 0;
  await server.stop();
  expect([await one.take("down", 1), await one.take("down", 1)]).toEqual([expect.anything(), undefined]);
  expect(await other.take("down", 1)).toBeDefined();
  expect(await one.take("down", 1)).toBeUndefined();
  await expect.poll(() => log).toEqual(Array(2).fill(expect.stringContaining("RATE_LIMIT_URL does not answer")));
  await server.start();
  const third = await replica();
  await expect.poll(() => third.take("down", 2)).toBeUndefined();
});
