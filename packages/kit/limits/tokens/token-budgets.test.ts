import { randomUUID } from "node:crypto";
import { limits } from "@agent-backends/contract";
import type { RedisServer } from "@agent-backends/testing";
import { startRedisServer } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Principal } from "../../auth/principal.ts";
import { createLogger } from "../../logger.ts";
import { connectRedis } from "../../redis/index.ts";
import { estimateTokens } from "./reserve-tokens.ts";
import { TokenBudgets } from "./token-budgets.ts";
import { FallbackTokenCounts, LocalTokenCounts, RedisTokenCounts } from "./token-counts.ts";

const key = (budget: { tokensPerMinute?: number; tokensPerDay?: number }) =>
  new Principal({ id: randomUUID(), name: "a", scopes: ["ask"], namespaces: ["*"], ...budget });

function openAt(startMs: number, log: string[] = []) {
  let nowMs = startMs;
  const logger = createLogger("test", "info", { write: (line: string) => void log.push(JSON.parse(line).msg) });
  const budgets = new TokenBudgets({ counts: new LocalTokenCounts(() => nowMs), isShared: false, logger });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { budgets, pass };
}

/** Reserves the tokens of a run, whose end says what was spent. */
async function reserve(budgets: TokenBudgets, principal: Principal, inputTokens: number) {
  let spent = 0;
  const reservation = await budgets.reserve(principal, inputTokens, () => spent);
  const settle = (tokens: number) => {
    spent = tokens;
    return reservation?.settle();
  };
  return reservation && { headers: reservation.headers, settle };
}

/** How many of several runs at once are admitted. */
const admitted = async (budgets: TokenBudgets[], principal: Principal, runs: number) => {
  const asked = Array.from({ length: runs }, (_, run) => budgets[run % budgets.length]?.reserve(principal, 0, () => 0));
  return (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled").length;
};

test("a key without a budget reserves nothing", async () => {
  const log: string[] = [];
  const { budgets } = openAt(0, log);
  expect(await reserve(budgets, key({}), 1_000_000)).toBeUndefined();
  expect(log).toEqual([]);
});

test("runs are admitted until the budget is spent, refused until the minute ends, and told what is left", async () => {
  const log: string[] = [];
  const { budgets, pass } = openAt(20_000, log);
  const principal = key({ tokensPerMinute: 3_000, tokensPerDay: 1_000_000 });
  const first = await reserve(budgets, principal, 500);
  expect(first?.headers).toEqual({
    "RateLimit-Policy": '"tokens-per-minute";q=3000;w=60, "tokens-per-day";q=1000000;w=86400',
    RateLimit: `"tokens-per-minute";r=2500;t=40, "tokens-per-day";r=999500;t=86380`,
  });
  expect(await first?.settle(2_990)).toMatchObject({
    RateLimit: `"tokens-per-minute";r=10;t=40, "tokens-per-day";r=997010;t=86380`,
  });
  expect(await first?.settle(7)).toBeUndefined();
  (await reserve(budgets, principal, 0))?.settle(400);
  await expect(reserve(budgets, principal, 0)).rejects.toMatchObject({
    code: "too-many-requests",
    message:
      "This key has used its budget of 3000 tokens per minute, including those that running answers reserve (the RateLimit header of answers shows the rest); wait 40 s.",
    headers: { "Retry-After": "40", RateLimit: '"tokens-per-minute";r=0;t=40, "tokens-per-day";r=996610;t=86380' },
  });
  pass(40_000);
  await reserve(budgets, principal, 0);
  expect(log).toEqual([expect.stringMatching(/^token budgets are counted by this process alone/)]);
});

test("a run that ends in another window than it began in leaves that one whole", async () => {
  const { budgets, pass } = openAt(50_000);
  const run = await reserve(budgets, key({ tokensPerMinute: 100 }), 10);
  pass(15_000);
  expect((await run?.settle(60))?.RateLimit).toBe('"tokens-per-minute";r=100;t=55');
});

test("a spent day is waited for, not the minute", async () => {
  const { budgets, pass } = openAt(86_400_000 * 3 - 3_600_000);
  const principal = key({ tokensPerMinute: 100, tokensPerDay: 100 });
  (await reserve(budgets, principal, 0))?.settle(100);
  await expect(reserve(budgets, principal, 0)).rejects.toMatchObject({ headers: { "Retry-After": "3600" } });
  pass(60_000);
  await expect(reserve(budgets, principal, 0)).rejects.toThrow(
    /its budget of 100 tokens per day.*; wait 3540 s, until 00:00 UTC\.$/,
  );
  pass(3_600_000);
  expect(await reserve(budgets, principal, 0)).toBeDefined();
});

test("many runs at once overshoot by at most one, once a run has shown what it takes", async () => {
  const { budgets } = openAt(0);
  const principal = key({ tokensPerMinute: 50_000 });
  (await reserve(budgets, principal, 0))?.settle(10_000);
  expect(await admitted([budgets], principal, 100)).toBe(4);
});

test("a short run that ends after a long one doesn't make later runs reserve less", async () => {
  const { budgets } = openAt(0);
  const principal = key({ tokensPerMinute: 50_000 });
  const [short, long] = [await reserve(budgets, principal, 0), await reserve(budgets, principal, 0)];
  await long?.settle(10_000);
  await short?.settle(100);
  expect(await admitted([budgets], principal, 100)).toBe(5);
});

test("a run that never reached the model costs nothing", async () => {
  const { budgets } = openAt(0);
  const principal = key({ tokensPerMinute: 1 });
  for (let run = 0; run < 3; run += 1) (await reserve(budgets, principal, 10))?.settle(0);
  expect(await admitted([budgets], principal, 3)).toBe(1);
});

test("the estimate counts texts however deep, and media not by their bytes", () => {
  expect(estimateTokens([{ content: "a b c ".repeat(100) }, { content: ["日本"] }])).toBe(202);
  expect(estimateTokens([{ data: "A".repeat(10_000_000) }])).toBe(1_000);
});

describe("with Redis", () => {
  let redis: RedisServer;
  const log: string[] = [];
  const logger = createLogger("test", "info", { write: (line: string) => void log.push(JSON.parse(line).msg) });
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.stop());

  async function connect() {
    const whileDown = "this process counts alone";
    const connection = await connectRedis({ url: redis.url, variable: "RATE_LIMIT_URL", whileDown, logger });
    onTestFinished(() => connection.disconnect());
    await expect.poll(() => connection.status).toBe("ready");
    return connection;
  }

  async function replicas(): Promise<[TokenBudgets, TokenBudgets]> {
    const open = async () => {
      const counts = new FallbackTokenCounts(new RedisTokenCounts(await connect()), new LocalTokenCounts(Date.now));
      return new TokenBudgets({ counts, isShared: true, logger });
    };
    return [await open(), await open()];
  }

  test("replicas share what a key spends, while it runs and after", async () => {
    const [one, other] = await replicas();
    const principal = key({ tokensPerDay: 5 * limits.assumedRunTokens });
    expect(await admitted([one, other], principal, 20)).toBe(5);
    const roomy = key({ tokensPerDay: 1_500 });
    const run = await reserve(one, roomy, 0);
    expect((await run?.settle(100))?.RateLimit).toMatch(/^"tokens-per-day";r=1400;t=\d+$/);
    const next = await reserve(other, roomy, 0);
    expect(next?.headers.RateLimit).toMatch(/^"tokens-per-day";r=1400;t=\d+$/);
    const long = key({ tokensPerDay: 50_000 });
    await (await reserve(one, long, 0))?.settle(10_000);
    expect(await admitted([other], long, 20)).toBe(4);
  });

  test("what a replica reserved that died is free again when its lease ends", async () => {
    const counts = new RedisTokenCounts(await connect(), 1);
    const windows = [{ name: "day", seconds: 86_400, limit: 100 }] as const;
    // Sent together, so that the lease can't end in between.
    const claim = async (id: string, inputTokens: number) =>
      (await counts.claim({ id, keyId: "dies", windows, inputTokens })).isAdmitted;
    expect(await Promise.all([claim("a", 100), claim("b", 1)])).toEqual([true, false]);
    await expect.poll(() => claim("c", 1), { interval: 100 }).toBe(true);
  });

  test("while Redis is down each replica counts alone, logs it once and keeps serving", async () => {
    const [one, other] = await replicas();
    const principal = key({ tokensPerDay: 2 * limits.assumedRunTokens });
    log.length = 0;
    await redis.stop();
    expect(await admitted([one], principal, 5)).toBe(2);
    expect(await admitted([other], principal, 5)).toBe(2);
    const alone = await reserve(one, key({ tokensPerDay: 1_500 }), 0);
    expect((await alone?.settle(100))?.RateLimit).toMatch(/r=1400/);
    await expect.poll(() => log).toEqual(Array(2).fill(expect.stringContaining("RATE_LIMIT_URL does not answer")));
    await redis.start();
  });
});
