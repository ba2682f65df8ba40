import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createLogger } from "../logger.ts";
import { RateLimits } from "./rate-limits.ts";

const logger = createLogger("test", "silent");
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function open(redisUrl?: string): Promise<RateLimits> {
  const limits = await RateLimits.open({ name: "test", redisUrl, logger });
  opened.push(limits);
  return limits;
}

/** How many of so many requests are taken. */
async function taken(limits: RateLimits, requests: number, id = "a", perMinute = 3): Promise<number> {
  let count = 0;
  for (let request = 0; request < requests; request++) {
    await limits.count("key", id, perMinute).then(
      () => (count += 1),
      (error) => {
        expect(error.problem).toBe("too-many-requests");
        expect(Number(error.headers["Retry-After"])).toBeGreaterThan(0);
        expect(Number(error.headers["Retry-After"])).toBeLessThanOrEqual(60);
      },
    );
  }
  return count;
}

test("a key gets its requests of the minute, each key its own", async () => {
  const limits = await open();
  expect(await taken(limits, 5)).toBe(3);
  expect(await taken(limits, 5, "b")).toBe(3);
  expect(await taken(limits, 5, "c", 4)).toBe(4);
});

/**
 * What of Redis the limits need: RESP2 (https://redis.io/docs/latest/develop/reference/protocol-spec/), the handshake of
 * the client, and their one script, which counts up and gives the count with the time to live.
 */
async function startCounter(): Promise<{ url: string; server: Server; counts: Map<string, number>; drop(): void }> {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const answerTo = ([name = "", ...args]: string[]): string => {
    if (/^evalsha$/i.test(name)) return "-NOSCRIPT No matching script. Please use EVAL.\r\n";
    if (/^eval$/i.test(name)) {
      const [, , key = "", points = "0", seconds = "0"] = args;
      counts.set(key, (counts.get(key) ?? 0) + Number(points));
      return `*2\r\n:${counts.get(key)}\r\n:${Number(seconds) * 1_000}\r\n`;
    }
    if (/^info$/i.test(name)) return "$9\r\nloading:0\r\n";
    return "+OK\r\n";
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let buffered = "";
    socket.on("data", (bytes) => {
      buffered += bytes;
      for (let command = takeCommand(); command; command = takeCommand()) socket.write(answerTo(command));
    });
    function takeCommand(): string[] | undefined {
      const parts = buffered.split("\r\n");
      const size = Number(parts[0]?.slice(1));
      if (!buffered.startsWith("*") || parts.length < 2 * size + 2) return undefined;
      buffered = parts.slice(2 * size + 1).join("\r\n");
      return parts.slice(1, 2 * size + 1).filter((_, index) => index % 2 === 1);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  const drop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  opened.push({ close: drop });
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, server, counts, drop };
}

test("processes that share a Redis count together", async () => {
  const counter = await startCounter();
  const [one, other] = [await open(counter.url), await open(counter.url)];
  await vi.waitFor(async () => {
    await one.count("address", "warm", 1_000);
    await other.count("address", "warm", 1_000);
    expect([...counter.counts.values()].at(-1)).toBeGreaterThanOrEqual(2);
  });
  expect(await taken(one, 2)).toBe(2);
  expect(await taken(other, 5)).toBe(1);
  expect([...counter.counts.keys()].every((key) => key.startsWith("agent-backends:test:"))).toBe(true);
});

test("while Redis does not answer, each process counts for itself and nobody is refused for that", async () => {
  const counter = await startCounter();
  const limits = await open(counter.url);
  await vi.waitFor(async () => {
    await limits.count("address", "warm", 1_000);
    expect(counter.counts.size).toBe(1);
  });
  counter.drop();
  expect(await taken(limits, 5, "later")).toBe(3);
  const never = await open("redis://127.0.0.1:1");
  expect(await taken(never, 5)).toBe(3);
});
