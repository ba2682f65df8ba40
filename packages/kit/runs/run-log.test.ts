import { randomUUID } from "node:crypto";
import { limits } from "@agent-backends/contract";
import { patience, startRedisServer } from "@agent-backends/testing";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../logger.ts";
import { MemoryRunLog } from "./memory/memory-run-log.ts";
import { RedisRunLog } from "./redis/redis-run-log.ts";
import type { RunControl, RunLog, RunReader, RunWriter, StoredRun } from "./run-log.ts";
import { StoredBatch } from "./stored-events.ts";

const opened: RunLog[] = [];
const logger = createLogger("test", "silent");
const leaseMs = 300;

function openRedis(retentionMs: number): RunLog {
  return new RedisRunLog({ url: redis.url, logger, replica: randomUUID(), retentionMs, runMs: 60_000, leaseMs });
}

// Each log, with how to open it for another replica: memory has only one.
const logs = {
  memory: (retentionMs: number) => {
    const log = new MemoryRunLog({ retentionMs });
    return [log, log] as const;
  },
  redis: (retentionMs: number) => [openRedis(retentionMs), openRedis(retentionMs)] as const,
};

const redis = await startRedisServer();
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all([...new Set(opened.splice(0))].map((log) => log.close()));
});
afterAll(() => redis.stop());

function open(name: keyof typeof logs, retentionMs = 60_000) {
  const [here, elsewhere] = logs[name](retentionMs);
  opened.push(here, elsewhere);
  return { here, elsewhere };
}

const prefix = Buffer.from('data: {"n":');
const event = (id: number) => `id: ${id}\ndata: {"n":"${id}é"}\n\n`;
const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => event(from + index)).join("");
/** Every other event differs from others in a literal alone. */
function batch(from: number, to: number, isLast = false) {
  const stored = new StoredBatch();
  for (let id = from; id <= to; id += 1) {
    const literal = Buffer.from(`"${id}é"`);
    if (id % 2 === 0) stored.event(`{"n":"${id}é"}`);
    else stored.eventWithLiteral(prefix, literal, 0, literal.length);
  }
  return { bytes: stored.take(), lastId: to, isLast };
}

function recordingControl() {
  const calls: string[] = [];
  const control: RunControl = {
    stop: () => void calls.push("stop"),
    watch: () => void calls.push("watch"),
    unwatch: () => void calls.push("unwatch"),
  };
  return { calls, control };
}

let runs = 0;
async function begin(log: RunLog, control = recordingControl().control) {
  runs += 1;
  const key = `run ${runs}`;
  const writer = (await log.create(key, "contract", control)) as RunWriter;
  return { key, writer };
}

async function readAll(reader: RunReader): Promise<string> {
  let text = "";
  for (let bytes = await reader.next(); bytes; bytes = await reader.next()) text += bytes;
  reader.close();
  return text;
}

async function find(log: RunLog, key: string): Promise<StoredRun> {
  const run = await log.find(key);
  if (!run) throw new Error("There is no such run.");
  return run;
}

describe.each(["memory", "redis"] as const)("a run log in %s", (name) => {
  test("keeps the events of runs that go on at the same time, each with its own", async () => {
    const { here, elsewhere } = open(name);
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin(here)));
    const append = (from: number, to: number, isLast: boolean) =>
      Promise.all(begun.map(({ writer }, index) => writer.append(batch(from, to + index, isLast))));
    await append(1, 5, false);
    for (const [index, { writer }] of begun.entries()) void writer.append(batch(6 + index, 30 + index));
    await Promise.all(begun.map(({ writer }, index) => writer.append(batch(31 + index, 40 + index, true))));
    for (const [index, { key }] of begun.entries()) {
      expect(await readAll((await find(elsewhere, key)).openReader(0))).toBe(events(1, 40 + index));
    }
    expect(here.counts).toMatchObject({ appended: 60, lost: 0 });
  });

  test("gives the rest of a finished run after any event, whatever the batches", async () => {
    const { here, elsewhere } = open(name);
    const { key, writer } = await begin(here);
    await writer.append(batch(1, 1));
    await writer.append(batch(2, 11));
    await writer.append(batch(12, 12));
    await writer.append(batch(13, 1_200));
    await writer.append(batch(1_201, 1_203, true));
    const run = await find(elsewhere, key);
    expect(run).toMatchObject({ hasEnded: true, lastId: 1_203, profile: "contract" });
    for (const after of [0, 1, 2, 10, 11, 12, 13, 99, 1_199, 1_200, 1_201, 1_202]) {
      expect(await readAll(run.openReader(after)), String(after)).toBe(events(after + 1, 1_203));
    }
  });

  test("follows a run that goes on, for several readers", async () => {
    const { here, elsewhere } = open(name);
    const { key, writer } = await begin(here);
    await writer.append(batch(1, 2));
    const run = await find(elsewhere, key);
    const texts = [readAll(run.openReader(0)), readAll(run.openReader(1)), readAll(run.openReader(2))];
    for (let id = 3; id < 40; id += 1) await writer.append(batch(id, id));
    await writer.append(batch(40, 41, true));
    expect(await Promise.all(texts)).toEqual([events(1, 41), events(2, 41), events(3, 41)]);
  });

  test("takes each name once", async () => {
    const { here, elsewhere } = open(name);
    const { key, writer } = await begin(here);
    await writer.append(batch(1, 1));
    const { control } = recordingControl();
    expect(await elsewhere.create(key, "contract", control)).toBeUndefined();
    expect(await elsewhere.create(`${key} of another owner`, "ag-ui", control)).toBeDefined();
    expect(await elsewhere.find("unknown")).toBeUndefined();
    expect(await readAllUpTo(await find(elsewhere, key), 1)).toBe(events(1, 1));
  });

  // On a busy machine the test itself may be late.
  test("tells a run of its readers, and that it shall stop", { retry: 5 }, async () => {
    const { here, elsewhere } = open(name);
    const { calls, control } = recordingControl();
    const { key, writer } = await begin(here, control);
    await writer.append(batch(1, 1));
    const run = await find(elsewhere, key);
    const reader = run.openReader(1);
    const next = reader.next();
    await vi.waitFor(() => expect(calls).toEqual(["watch"]), patience);
    reader.close();
    expect(await next).toBeUndefined();
    await vi.waitFor(() => expect(calls).toEqual(["watch", "unwatch"]), patience);
    const askedAt = performance.now();
    await run.stop();
    await vi.waitFor(() => expect(calls.at(-1)).toBe("stop"), { ...patience, interval: 1 });
    expect(performance.now() - askedAt).toBeLessThan(50);
    await writer.append(batch(2, 2, true));
    await (await find(elsewhere, key)).stop();
    expect(calls.filter((call) => call === "stop")).toHaveLength(1);
  });

  test("gives the reason why a discarded run can't be resumed, also to those who read it", async () => {
    const { here, elsewhere } = open(name);
    const { key, writer } = await begin(here);
    await writer.append(batch(1, 1));
    const reading = readAll((await find(elsewhere, key)).openReader(1));
    writer.discard("It is too long.");
    await expect(reading).rejects.toThrow("It is too long.");
    await vi.waitFor(() => expect(elsewhere.find(key)).rejects.toThrow("It is too long."), patience);
    await expect(here.find(key)).rejects.toThrow("It is too long.");
    expect(here.counts.lost).toBe(1);
    expect(writer.isLost).toBe(true);
  });

  test("keeps no more runs that go on than the limit, and says so of the others", async () => {
    vi.spyOn(limits, "runLogRuns", "get").mockReturnValue(2 as never);
    const { here, elsewhere } = open(name);
    const [first, second, third] = [await begin(here), await begin(here), await begin(here)];
    for (const { writer } of [first, second]) await writer.append(batch(1, 1, true));
    for (const { key } of [first, second]) expect(await find(elsewhere, key)).toMatchObject({ hasEnded: true });
    expect(third.writer.isLost).toBe(true);
    await vi.waitFor(() => expect(elsewhere.find(third.key)).rejects.toThrow("More than 2 runs"), patience);
  });

  test("forgets a run some time after its end, and no sooner", async () => {
    const { here, elsewhere } = open(name, 80);
    const { key, writer } = await begin(here);
    const other = await begin(here);
    await writer.append(batch(1, 1, true));
    expect(await elsewhere.find(key)).toBeDefined();
    await vi.waitFor(async () => expect(await elsewhere.find(key)).toBeUndefined(), { ...patience, interval: 20 });
    await other.writer.append(batch(1, 1));
    expect(await elsewhere.find(other.key)).toBeDefined();
    expect(await here.create(key, "contract", recordingControl().control)).toBeDefined();
  });
});

test("a replica that has just been started resumes the runs of others", async () => {
  const { here } = open("redis");
  const { key, writer } = await begin(here);
  await writer.append(batch(1, 3, true));
  const { here: started } = open("redis");
  expect(await readAll((await find(started, key)).openReader(1))).toBe(events(2, 3));
});

/** The events up to one, of a run that goes on. */
async function readAllUpTo(run: StoredRun, id: number): Promise<string> {
  const reader = run.openReader(0);
  let text = "";
  while (!text.endsWith(event(id))) text += await reader.next();
  reader.close();
  return text;
}

describe("a run log in redis", () => {
  /** A replica that dies: its process neither ends its runs nor renews its lease. */
  async function dyingReplica(profile: "contract" | "ag-ui") {
    const here = openRedis(60_000);
    const key = randomUUID();
    const writer = (await here.create(key, profile, recordingControl().control)) as RunWriter;
    return { key, writer, die: () => here.close() };
  }

  const started = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "REASONING_START", messageId: "a" },
    { type: "REASONING_MESSAGE_START", messageId: "a", role: "reasoning" },
    { type: "REASONING_MESSAGE_END", messageId: "a" },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "f", parentMessageId: "m" },
  ];
  const text = started.map((one) => `${JSON.stringify(one)}\n`).join("");
  const toBatch = { bytes: Buffer.from(text), lastId: started.length, isLast: false };

  test("ends the runs of a replica that has died, for all readers alike", async () => {
    const { elsewhere } = open("redis");
    const third = openRedis(60_000);
    opened.push(third);
    const { key, writer, die } = await dyingReplica("ag-ui");
    await writer.append(toBatch);
    const readers = [elsewhere, third].map(async (log) => readAll((await find(log, key)).openReader(6)));
    await die();
    const diedAt = performance.now();
    const [one, other] = await Promise.all(readers);
    expect(performance.now() - diedAt).toBeLessThan(10_000);
    expect(other).toBe(one);
    expect(one?.match(/(?<="type":")\w+/g)).toEqual([
      "TOOL_CALL_END",
      "TEXT_MESSAGE_END",
      "REASONING_END",
      "RUN_ERROR",
    ]);
    expect(one?.match(/(?<=id: )\d+/g)).toEqual(["7", "8", "9", "10"]);
    expect(await readAll((await find(elsewhere, key)).openReader(9))).toMatch(/^id: 10\ndata: .*"replica_gone"}\n\n$/);
  });

  test("stops a run of a dead replica at once", async () => {
    const { elsewhere } = open("redis");
    const { key, writer, die } = await dyingReplica("contract");
    await writer.append(toBatch);
    await die();
    await (await find(elsewhere, key)).stop();
    const rest = await readAll((await find(elsewhere, key)).openReader(6));
    expect(rest).toMatch(/^id: 7\ndata: {"type":"RUN_ERROR","message":"[^"]+"}\n\n$/);
  });

  test("loses runs while Redis is down, says so then and later, and takes new ones when it is back", async () => {
    const { here, elsewhere } = open("redis");
    const { key, writer } = await begin(here);
    await writer.append(batch(1, 1));
    const reader = (await find(elsewhere, key)).openReader(1);
    const failed = expect(reader.next()).rejects.toThrow("can't be reached");
    await redis.stop();
    await failed;
    reader.close();
    await writer.append(batch(2, 2));
    expect(writer.isLost).toBe(true);
    await expect(here.find(key)).rejects.toThrow("The run log failed while the run went on");
    await expect(elsewhere.find(key)).rejects.toThrow("can't be reached");
    await expect(here.create("another", "contract", recordingControl().control)).rejects.toThrow();
    await redis.start();
    await vi.waitFor(
      () => expect(elsewhere.find(key)).rejects.toThrow("The run log failed while the run went on"),
      patience,
    );
    await vi.waitFor(async () => {
      const later = await begin(here);
      await later.writer.append(batch(1, 1, true));
      expect(await readAll((await find(elsewhere, later.key)).openReader(0))).toBe(events(1, 1));
    }, patience);
  });

  test("loses runs when Redis hangs, within the time it has to answer", async () => {
    const { here } = open("redis");
    const { writer } = await begin(here);
    await writer.append(batch(1, 1));
    redis.hang();
    const askedAt = performance.now();
    await writer.append(batch(2, 2));
    redis.continue();
    expect(performance.now() - askedAt).toBeLessThan(2_900);
    expect(writer.isLost).toBe(true);
  });
});

test("a log in memory can fill nearly all of its memory with large events", async () => {
  const log = new MemoryRunLog({ retentionMs: 60_000 });
  opened.push(log);
  const large = { bytes: Buffer.from(`"${"x".repeat(900_000)}"\n`), lastId: 1, isLast: true };
  const count = Math.floor((limits.runLogTotalBytes * 0.99) / large.bytes.length);
  const begun = await Promise.all(Array.from({ length: count }, () => begin(log)));
  for (const { writer } of begun) writer.append(large);
  expect(await log.find((begun[0] as (typeof begun)[0]).key)).toMatchObject({ hasEnded: true, isLost: false });
  for (let further = 0; further < 3; further += 1) (await begin(log)).writer.append(large);
  await expect(log.find((begun[0] as (typeof begun)[0]).key)).resolves.toBeUndefined();
});
