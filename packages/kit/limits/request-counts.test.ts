import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import type { RedisServer } from "@agent-backends/testing";
import { startRedisServer } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../logger.ts";
import { connectRedis } from "../redis/index.ts";
import type { RequestCounts } from "./request-counts.ts";
import { countRequest, WindowCounts } from "./request-counts.ts";

let log: string[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void log.push(line) });
const said = () => [...new Set(log.map((line) => JSON.parse(line).msg as string))];
const reasons = () =>
  log
    .map((line) => JSON.parse(line))
    .flatMap(({ msg, err }) => (/^RATE_LIMIT_URL does/.test(msg) ? [err?.message] : []));
const opened: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  log = [];
});

async function open(redisUrl: string): Promise<RequestCounts> {
  const whileDown = "each counts alone";
  const redis = await connectRedis({ url: redisUrl, variable: "RATE_LIMIT_URL", whileDown, logger });
  opened.push({ close: () => redis.disconnect() });
  return new WindowCounts({ name: "test", redis });
}

/** How many of so many requests are taken, three a minute unless told otherwise. */
async function taken(limits: RequestCounts, requests: number, id = "a", perMinute = 3): Promise<number> {
  let count = 0;
  for (let request = 0; request < requests; request++) {
    await countRequest(limits, "key", id, perMinute).then(
      () => (count += 1),
      (error) => {
        expect(error.code).toBe("too-many-requests");
        expect(Number(error.headers["Retry-After"])).toBeGreaterThan(0);
        expect(Number(error.headers["Retry-After"])).toBeLessThanOrEqual(60);
      },
    );
  }
  return count;
}

describe("the requests of several processes", () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await startRedisServer();
    opened.push({ close: () => redis.continue() }, { close: () => redis.stop() });
  });

  /** Resolves when these processes count together, as they do from soon after Redis answers. */
  const together = (one: RequestCounts, other: RequestCounts) =>
    vi.waitFor(
      async () => {
        const id = randomUUID();
        expect([await taken(one, 2, id), await taken(other, 2, id)]).toEqual([2, 1]);
      },
      { timeout: 30_000, interval: 50 },
    );

  test("each replica counts alone while Redis is down, and all count together once it is up", async () => {
    await redis.stop();
    const [one, other] = [await open(redis.url), await open(redis.url)];
    expect([await taken(one, 5), await taken(other, 5)]).toEqual([3, 3]);
    await expect.poll(said).toEqual([expect.stringContaining("RATE_LIMIT_URL does not answer")]);
    await redis.start();
    await together(one, other);
    await redis.stop();
    expect([await taken(one, 5, "later"), await taken(other, 5, "later")]).toEqual([3, 3]);
    await redis.start();
    await together(one, other);
    expect(said().filter((line) => line.includes("answers again"))).not.toEqual([]);
  });

  test("a server that wants a password now is logged with what it says, so that nobody looks for a broken network", async () => {
    const admin = await connectRedis({ url: redis.url, variable: "ADMIN", whileDown: "", logger });
    opened.push({ close: () => admin.disconnect() });
    const counts = await open(redis.url);
    await vi.waitFor(async () => expect(await admin.config("SET", "requirepass", "new")).toBe("OK"), {
      timeout: 30_000,
    });
    await vi.waitFor(() => expect(taken(counts, 1, randomUUID())).resolves.toBe(1), { timeout: 30_000 });
    await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await expect.poll(reasons).toEqual([expect.stringContaining("NOAUTH")]);
  });

  test("a database that the server doesn't have is logged as the reason why each counts alone, and no other one is used", async () => {
    const counts = await open(`${redis.url}/99`);
    await expect.poll(reasons).toEqual([expect.stringContaining("DB index is out of range")]);
    expect(await taken(counts, 5)).toBe(3);
    const admin = await connectRedis({ url: redis.url, variable: "ADMIN", whileDown: "", logger });
    opened.push({ close: () => admin.disconnect() });
    await vi.waitFor(async () => expect(await admin.dbsize()).toBe(0), { timeout: 30_000 });
    expect(said().filter((line) => line.includes("answers again"))).toEqual([]);
  });

  test("after a failover the new primary counts, once the address leads to it", async () => {
    const primary = await startRedisServer();
    opened.push({ close: () => primary.stop() });
    let target = redis;
    const address = createServer((client) => {
      const server = connect(Number(new URL(target.url).port), "127.0.0.1");
      client.on("error", () => server.destroy()).pipe(server);
      server.on("error", () => client.destroy()).pipe(client);
    }).listen(0, "127.0.0.1");
    opened.push({ close: () => void address.close() });
    await once(address, "listening");
    const [one, other] = [
      await open(`redis://127.0.0.1:${(address.address() as AddressInfo).port}`),
      await open(primary.url),
    ];
    const admin = await connectRedis({ url: redis.url, variable: "ADMIN", whileDown: "", logger });
    opened.push({ close: () => admin.disconnect() });
    await vi.waitFor(async () => expect(await admin.replicaof("127.0.0.1", 1)).toBe("OK"), { timeout: 30_000 });
    target = primary;
    await together(one, other);
    // The one line about the writes that the replica has refused.
    await expect.poll(said).toEqual([expect.stringContaining("RATE_LIMIT_URL refuses to write")]);
  });

  test.each([
    ["is full", ["CONFIG", "SET", "maxmemory", "1"], "OOM", [0]],
    ["has become a replica", ["REPLICAOF", "127.0.0.1", "1"], "READONLY", [1, 2, 3]],
  ])(
    "a server that %s is logged once, since each process counts alone",
    async (_what, [command = "", ...args], says, reconnects) => {
      const counts = await open(redis.url);
      const admin = await connectRedis({ url: redis.url, variable: "ADMIN", whileDown: "", logger });
      opened.push({ close: () => admin.disconnect() });
      await vi.waitFor(async () => expect(await admin.call(command, ...args)).toBe("OK"), { timeout: 30_000 });
      const stat = async (name: string) =>
        Number(new RegExp(`${name}\\D+(\\d+)`).exec(await admin.info("all"))?.[1] ?? 0);
      const connections = await stat("total_connections_received");
      const refusals = () =>
        log.map((line) => JSON.parse(line)).filter(({ msg }) => /^RATE_LIMIT_URL refuses/.test(msg));
      await vi.waitFor(
        async () => {
          await taken(counts, 5, randomUUID());
          expect(await stat(`errorstat_${says}`)).toBeGreaterThan(10);
        },
        { timeout: 30_000 },
      );
      // Without a limit each of the refused writes would have led to one.
      expect(reconnects).toContain((await stat("total_connections_received")) - connections);
      expect(refusals()).toEqual([
        expect.objectContaining({
          msg: "RATE_LIMIT_URL refuses to write; until it writes, each counts alone",
          err: expect.objectContaining({ message: expect.stringContaining(says) }),
        }),
      ]);
    },
  );

  test("one that hangs holds up those requests alone that asked it, and not for long", async () => {
    const [one, other] = [await open(redis.url), await open(redis.url)];
    await together(one, other);
    redis.hang();
    const asked = performance.now();
    expect(await taken(one, 5, "hangs")).toBe(3);
    const [held, after] = [performance.now() - asked, performance.now()];
    expect(held).toBeGreaterThan(900);
    for (let time = 0; time < 20; time += 1) await taken(one, 5, `later ${time}`);
    // A hundred requests take no longer than one that waits for an answer would.
    expect(performance.now() - after).toBeLessThan(held);
    redis.continue();
    await together(one, other);
  });
});
