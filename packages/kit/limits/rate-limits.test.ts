import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { freePorts } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../logger.ts";
import { RateLimits } from "./rate-limits.ts";

const installed = spawnSync("redis-server", ["--version"]).status === 0;

let log: string[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void log.push(line) });
const said = () => [...new Set(log.map((line) => JSON.parse(line).msg as string))];
const opened: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  log = [];
});

async function open(redisUrl?: string): Promise<RateLimits> {
  const limits = await RateLimits.open({ name: "test", redisUrl, logger });
  opened.push(limits);
  return limits;
}

/** How many of so many requests are taken, three a minute unless told otherwise. */
async function taken(limits: RateLimits, requests: number, id = "a", perMinute = 3): Promise<number> {
  let count = 0;
  for (let request = 0; request < requests; request++) {
    await limits.count("key", id, perMinute).then(
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

test("a key gets its requests of the minute, each key its own", async () => {
  const limits = await open();
  expect(await taken(limits, 5)).toBe(3);
  expect(await taken(limits, 5, "b")).toBe(3);
  expect(await taken(limits, 5, "c", 4)).toBe(4);
});

interface RedisServer {
  url: string;
  /** Answers nobody any more, and leaves all connections open. */
  hang(): void;
  goOn(): void;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/**
 * What of Redis the limits need: RESP2 (https://redis.io/docs/latest/develop/reference/protocol-spec/), the handshake of
 * the client, and their one script, which counts up and gives the count with the time to live.
 */
function standIn(port: number): RedisServer {
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let hangs = false;
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
      for (let command = takeCommand(); command && !hangs; command = takeCommand()) socket.write(answerTo(command));
    });
    function takeCommand(): string[] | undefined {
      const parts = buffered.split("\r\n");
      const size = Number(parts[0]?.slice(1));
      if (!buffered.startsWith("*") || parts.length < 2 * size + 2) return undefined;
      buffered = parts.slice(2 * size + 1).join("\r\n");
      return parts.slice(1, 2 * size + 1).filter((_, index) => index % 2 === 1);
    }
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => {
      hangs = true;
    },
    goOn: () => {
      hangs = false;
    },
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    start: () => new Promise((listening) => server.listen(port, "127.0.0.1", () => listening())),
  };
}

function realRedis(port: number): RedisServer {
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => void child?.kill("SIGSTOP"),
    goOn: () => void child?.kill("SIGCONT"),
    async stop() {
      if (child?.kill("SIGKILL")) await once(child, "exit");
      child = undefined;
    },
    async start() {
      const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
      child = spawn("redis-server", settings, { stdio: ["ignore", "pipe", "ignore"], cwd: tmpdir() });
      for await (const line of child.stdout ?? []) if (String(line).includes("Ready to accept connections")) break;
    },
  };
}

// The stand-in says what is needed of Redis; where Redis is installed, the same is shown with it.
const servers = { "a stand-in for Redis": standIn, ...(installed && { Redis: realRedis }) };

describe.each(Object.entries(servers))("with %s", (_name, serverAt) => {
  let redis: RedisServer;
  beforeEach(async () => {
    const [port = 0] = await freePorts(1);
    redis = serverAt(port);
    opened.push({ close: () => redis.goOn() }, { close: () => redis.stop() });
  });

  /** Resolves when these processes count together, as they do from soon after Redis answers. */
  const together = (one: RateLimits, other: RateLimits) =>
    vi.waitFor(
      async () => {
        const id = randomUUID();
        expect([await taken(one, 2, id), await taken(other, 2, id)]).toEqual([2, 1]);
      },
      { timeout: 30_000, interval: 50 },
    );

  test("processes count together", async () => {
    await redis.start();
    await together(await open(redis.url), await open(redis.url));
  });

  test("each counts for itself and refuses nobody for that while it is not there, and together once it is", async () => {
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

  test("one that hangs holds up those requests alone that asked it, and not for long", async () => {
    await redis.start();
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
    redis.goOn();
    await together(one, other);
  });
});

test(`Redis ${installed ? "is" : "is not"} installed, so that the limits were tried with it, or not`, () => {
  expect(Object.keys(servers).includes("Redis")).toBe(installed);
});
