import { limits } from "@agent-backends/contract";
import { patience } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EventBuffer } from "./event-buffer.ts";
import { MemoryRunLog } from "./memory/memory-run-log.ts";
import { Recording } from "./recording.ts";
import type { RunLog } from "./run-log.ts";
import { StoredBatch } from "./stored-events.ts";

const name = "run";
const run = { fail: vi.fn(), resume: vi.fn() };
const buffer = new EventBuffer();
beforeEach(() => {
  vi.resetAllMocks();
});
afterEach(() => {
  vi.restoreAllMocks();
});

function record(orphanMs = 0, backlog = { bytes: 0 }): Recording {
  const recording = new Recording({ events: buffer, batch: new StoredBatch(), orphanMs, backlog });
  recording.attach(run);
  return recording;
}

async function recordIn(log: RunLog, backlog = { bytes: 0 }): Promise<Recording> {
  const recording = record(0, backlog);
  recording.begin(await log.create(name, "contract", recording));
  return recording;
}

/** A writer whose appends are answered by the test. */
function slowWriter() {
  const appended: { text: string; lastId: number; stored: () => void }[] = [];
  return {
    appended,
    isLost: false,
    append({ bytes, lastId }: { bytes: Buffer; lastId: number }) {
      const { promise, resolve } = Promise.withResolvers<void>();
      appended.push({ text: bytes.toString(), lastId, stored: resolve });
      return promise;
    },
    discard: vi.fn(),
  };
}

test("ids count up from 1, with as many digits as they need", () => {
  const recording = record();
  for (let id = 1; id <= 1_001; id += 1) recording.event({ id });
  const events = buffer.take().toString().split("\n\n").slice(0, -1);
  expect(events).toHaveLength(1_001);
  for (const [index, event] of events.entries()) expect(event).toBe(`id: ${index + 1}\ndata: {"id":${index + 1}}`);
});

describe("a recording", () => {
  test("escapes the line separators at which clients in Python split events", () => {
    const recording = record();
    recording.event({ text: "a\u2028b\u2029c\u0085" });
    expect(buffer.take().toString()).toBe('id: 1\ndata: {"text":"a\\u2028b\\u2029c\\u0085"}\n\n');
  });

  test("delivers events once they are stored, and stores together what came meanwhile", async () => {
    const recording = record();
    const writer = slowWriter();
    recording.begin(writer);
    const delivered: string[] = [];
    const append = (text: string) => {
      recording.event({ text });
      buffer.clear();
      return recording.append(Buffer.alloc(1), false, { deliver: () => void delivered.push(text) });
    };
    expect([append("a"), append("b"), append("c")]).toEqual([true, true, true]);
    expect([delivered, writer.appended.map(({ text }) => text)]).toEqual([[], ['{"text":"a"}\n']]);
    writer.appended[0]?.stored();
    await vi.waitFor(() => expect(writer.appended).toHaveLength(2), patience);
    expect([delivered, writer.appended[1]]).toMatchObject([["a"], { text: '{"text":"b"}\n{"text":"c"}\n', lastId: 3 }]);
    writer.appended[1]?.stored();
    await vi.waitFor(() => expect(delivered).toEqual(["a", "b", "c"]), patience);
  });

  test("makes the provider wait while too much waits for the log, and no longer", async () => {
    const recording = record();
    const writer = slowWriter();
    recording.begin(writer);
    expect(recording.append(Buffer.alloc(limits.runUnstoredBytes), false, { deliver: () => undefined })).toBe(false);
    expect(run.resume).not.toHaveBeenCalled();
    writer.appended[0]?.stored();
    await vi.waitFor(() => expect(run.resume).toHaveBeenCalled(), patience);
  });

  test("makes the provider wait for a client that is too far behind, though the log has stored everything", async () => {
    const recording = record(0, { bytes: limits.runBacklogBytes });
    const writer = slowWriter();
    recording.begin(writer);
    const deliver = vi.fn();
    recording.append(Buffer.alloc(1), false, { deliver });
    expect(recording.noteBacklog(1)).toBe(false);
    writer.appended[0]?.stored();
    await vi.waitFor(() => expect(deliver).toHaveBeenCalled(), patience);
    expect(run.resume).not.toHaveBeenCalled();
    recording.clientLeft();
    expect(run.resume).toHaveBeenCalled();
  });

  test("delivers everything at once when the log is lost, or was never there", () => {
    for (const writer of [undefined, { ...slowWriter(), isLost: true }]) {
      const recording = record();
      recording.begin(writer);
      const deliver = vi.fn();
      recording.append(Buffer.alloc(1), false, { deliver });
      expect(deliver).toHaveBeenCalledOnce();
    }
  });

  test.each([
    ["bytes", () => [limits.runLogBytes - 100, 100], () => `${limits.runLogBytes} bytes`],
    ["events", () => [1, 1, 1], () => "2 events"],
  ])("drops a run that is over the limit of %s, and goes on to deliver it", async (_of, sizes, reason) => {
    if (sizes().length > 2) vi.spyOn(limits, "runLogEvents", "get").mockReturnValue(2 as never);
    const log = new MemoryRunLog({ retentionMs: 1_000 });
    const recording = await recordIn(log);
    const deliver = vi.fn();
    const append = (size: number) => {
      recording.event({ text: "x".repeat(size) });
      buffer.clear();
      recording.append(Buffer.alloc(1), false, { deliver });
    };
    for (const size of sizes().slice(0, -1)) append(size);
    expect(await log.find(name)).toBeDefined();
    append(sizes().at(-1) ?? 0);
    expect(deliver).toHaveBeenCalledTimes(sizes().length);
    await expect(log.find(name)).rejects.toThrow(reason());
    await log.close();
  });

  test("waits for clients that are behind only when all of them together are too far behind", async () => {
    const log = new MemoryRunLog({ retentionMs: 1_000 });
    const backlog = { bytes: 0 };
    const recording = await recordIn(log, backlog);
    expect(recording.noteBacklog(limits.runBacklogBytes - 1)).toBe(true);
    const other = record(0, backlog);
    other.begin(slowWriter());
    expect(other.noteBacklog(2)).toBe(false);
    recording.clientLeft();
    expect(run.resume).toHaveBeenCalledOnce();
    expect(other.noteBacklog(2)).toBe(true);
    await log.close();
  });

  test("ends a run that nobody reads, and not before its readers are gone", async () => {
    const recording = record(20);
    recording.watch("one", Number.POSITIVE_INFINITY);
    recording.watch("other", 30);
    recording.clientLeft();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(run.fail).not.toHaveBeenCalled();
    recording.unwatch("one");
    await vi.waitFor(() => expect(run.fail).toHaveBeenCalledOnce(), patience);
    expect(run.fail.mock.calls[0]).toMatchObject([{ code: "client_gone" }]);
  });
});

test("a log in memory keeps the newest runs when it is full, and tells readers of others", async () => {
  const log = new MemoryRunLog({ retentionMs: 60_000 });
  const count = Math.ceil(limits.runLogTotalBytes / limits.runLogBytes) + 1;
  const store = async (run: string) => {
    const writer = await log.create(run, "contract", record());
    writer?.append({ bytes: Buffer.alloc(limits.runLogBytes), lastId: 1, isLast: true });
  };
  await store("first");
  const reader = (await log.find("first"))?.openReader(0);
  for (let index = 1; index < count; index += 1) await store(`run ${index}`);
  expect(await log.find("first")).toBeUndefined();
  await expect(reader?.next()).rejects.toThrow("no longer kept");
  expect(await log.find(`run ${count - 1}`)).toMatchObject({ lastId: 1 });
  await log.close();
});
