import { randomUUID } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { knowledgeLimits } from "@agent-backends/contract";
import { describe, expect, it } from "vitest";
import type { JobOrder, JobState, JobStore } from "../../jobs/job-store.ts";

interface JobStoreUnderTest {
  /** A store of the test's jobs. Each call is another one of the same jobs. */
  open(): JobStore;
}

const toState = (id: string): JobState => ({
  job: {
    job_id: id,
    namespace: "zoo",
    status: "queued",
    items: [{ source: "file:a.txt", stage: "waiting" }],
    saved: 0,
    skipped: 0,
    errors: 0,
    created_at: "2026-11-22T09:40:00.000Z",
  },
  attempts: 0,
  owner: "key-a",
});

async function createJob(store: JobStore): Promise<{ id: string; staged: string; state: JobState; order: JobOrder }> {
  const staged = await store.stage();
  const path = join(staged, "upload");
  await writeFile(path, "Zebras.");
  const file = { filename: "a.txt", contentType: "text/plain", path, bytesOnDisk: 7 };
  const longText = { position: 0, path: join(staged, "long"), bytesOnDisk: 5 };
  await writeFile(longText.path, "Gnus.");
  const order: JobOrder = {
    namespace: "zoo",
    sources: ["Gn"],
    files: [file],
    longTexts: [longText],
    replaces: true,
    metadata: { tags: ["a"] },
  };
  const id = randomUUID();
  await store.create(staged, toState(id), order);
  return { id, staged, state: toState(id), order };
}

/** What every store of jobs must pass. Called at the top of a test file, beside the hooks that make each test's store. */
export function testJobStore(name: string, { open }: JobStoreUnderTest): void {
  describe(`a job store ${name}`, () => {
    it("has a job with its state, order and files, also for other processes", async () => {
      const { id, state, order } = await createJob(open());
      const reader = open();
      expect(await reader.list(new Date())).toEqual([id]);
      expect(await reader.readState(id)).toEqual(state);
      const read = await reader.readOrder(id);
      expect(read).toMatchObject({ ...order, files: [{ filename: "a.txt" }], longTexts: [{ position: 0 }] });
      expect(await readFile(read?.files[0]?.path ?? "", "utf8")).toBe("Zebras.");
      expect(await readFile(read?.longTexts[0]?.path ?? "", "utf8")).toBe("Gnus.");
    });

    it("doesn't list what was only staged, and removes it once it is too old", async () => {
      const store = open();
      const staged = await store.stage();
      expect(await store.list(new Date())).toEqual([]);
      expect((await stat(staged)).isDirectory()).toBe(true);
      await store.list(new Date(Date.now() + knowledgeLimits.finishedJobMs + 60_000));
      await expect(stat(staged)).rejects.toThrow();
    });

    it("replaces a job's state, and keeps only the last one when it ends", async () => {
      const store = open();
      const { id, state } = await createJob(store);
      const path = (await store.readOrder(id))?.files[0]?.path ?? "";
      await store.writeState(id, { ...state, attempts: 1 });
      expect(await open().readState(id)).toEqual({ ...state, attempts: 1 });
      const job = { ...state.job, status: "failed" as const, finished_at: "2026-11-22T09:41:00.000Z" };
      await store.finish(id, { ...state, job });
      expect(await open().readState(id)).toEqual({ ...state, job });
      expect(await open().readOrder(id)).toBeUndefined();
      await expect(stat(path)).rejects.toThrow();
      await store.remove(id);
      expect([await open().list(new Date()), await open().readState(id)]).toEqual([[], undefined]);
    });

    it("gives a job's lease to one holder, and to the next once it is released", async () => {
      const store = open();
      const { id } = await createJob(store);
      expect(await store.claim(id)).toBe(false);
      await store.release(id);
      expect([await store.claim(id), await store.claim(id)]).toEqual([true, false]);
    });

    it("tells the holder of the lease that the job is to be cancelled", async () => {
      const store = open();
      const { id } = await createJob(store);
      expect(await store.renew(id)).toEqual({ isCancelled: false });
      await open().requestCancel(id);
      expect(await store.renew(id)).toEqual({ isCancelled: true });
    });

    it("has nothing of a job that doesn't exist, and ignores its cancelling and removal", async () => {
      const store = open();
      const id = randomUUID();
      expect([await store.readState(id), await store.readOrder(id)]).toEqual([undefined, undefined]);
      await store.requestCancel(id);
      await store.remove(id);
      expect(await store.list(new Date())).toEqual([]);
    });
  });
}
