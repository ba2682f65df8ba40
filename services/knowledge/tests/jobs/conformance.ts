import { createHash, randomUUID } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { knowledgeLimits } from "@agent-backends/contract";
import { describe, expect, it } from "vitest";
import type { JobLease, JobOrder, JobState, JobStore } from "../../store/jobs/job-store.ts";
import { LeaseLostError } from "../../store/jobs/job-store.ts";

interface JobStoreUnderTest {
  /**
   * Opens a store of the test's jobs. Each call returns another store of the same jobs, like that of another process.
   *
   * @param leaseMs the time after which a lease that isn't renewed expires
   */
  open(leaseMs?: number): JobStore;
}

const shortLeaseMs = 150;
/** Clients choose file names, so they may contain anything. */
const oddName = 'it\'s \\ "a"\n; -- 😀 $1 %.bin';
/** Larger than what a store writes at once. */
const largeFileBytes = 9_000_000;

const toState = (id: string, owner = "key-a", created_at = "2026-11-22T09:40:00.000Z"): JobState => ({
  job: {
    job_id: id,
    namespace: "zoo",
    status: "queued",
    items: [{ source: "file:a.txt", stage: "waiting" }],
    saved: 0,
    skipped: 0,
    errors: 0,
    created_at,
  },
  attempts: 0,
  owner,
});

const toEnded = (state: JobState, finished_at = "2026-11-22T09:41:00.000Z"): JobState => ({
  ...state,
  job: { ...state.job, status: "failed", finished_at },
});

interface CreatedJob {
  id: string;
  lease: JobLease;
  state: JobState;
}

async function createPlain(store: JobStore, owner?: string, createdAt?: string): Promise<CreatedJob> {
  const id = randomUUID();
  const state = toState(id, owner, createdAt);
  const order: JobOrder = { namespace: "zoo", sources: ["Gnus."], files: [], longTexts: [], replaces: false };
  return { id, state, lease: await store.create(await store.stage(), state, order) };
}

async function createWithFiles(store: JobStore, bytes: Uint8Array): Promise<CreatedJob & { order: JobOrder }> {
  const staged = await store.stage();
  const file = { filename: oddName, contentType: "text/plain", path: join(staged, "0"), bytesOnDisk: bytes.length };
  const empty = { filename: "empty.txt", path: join(staged, "1"), bytesOnDisk: 0, truncated: true };
  const longText = { position: 0, path: join(staged, "long"), bytesOnDisk: 5 };
  await writeFile(file.path, bytes);
  await writeFile(empty.path, "");
  await writeFile(longText.path, "Gnus.");
  const order: JobOrder = {
    namespace: "zoo",
    sources: ["Gn"],
    files: [file, empty],
    longTexts: [longText],
    replaces: true,
    metadata: { tags: ["a"] },
  };
  const id = randomUUID();
  const plain = toState(id);
  const state = { ...plain, job: { ...plain.job, items: [{ source: `file:${oddName}`, stage: "waiting" as const }] } };
  return { id, state, order, lease: await store.create(staged, state, order) };
}

const withoutPath = <File extends { path: string }>({ path, ...file }: File) => file;
const toDigest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Claims jobs repeatedly until a job is among them: some stores notice only by repeated checks that a lease isn't renewed. */
async function claimInTime(store: JobStore, id: string): Promise<{ lease: JobLease; state: JobState }> {
  let claimed: { lease: JobLease; state: JobState } | undefined;
  await expect
    .poll(
      async () => {
        claimed ??= (await store.claimAbandoned()).find(({ lease }) => lease.id === id);
        return claimed !== undefined;
      },
      { timeout: 10_000, interval: 20 },
    )
    .toBe(true);
  if (claimed === undefined) throw new Error("The job was not claimed.");
  return claimed;
}

/** Conformance suite for job stores. Call it at the top of a test file, next to the hooks that create each test's store. */
export function testJobStore(name: string, { open }: JobStoreUnderTest): void {
  describe(`a job store ${name}`, () => {
    it("has a job with its state, order and files, also for the process that takes it over", async () => {
      const bytes = new Uint8Array(largeFileBytes).map((_, index) => (index * 31 + (index >> 9)) % 251);
      const store = open();
      const { id, state, order, lease } = await createWithFiles(store, bytes);
      const mine = await store.readOrder(lease);
      expect(toDigest(await readFile(mine?.files[0]?.path ?? ""))).toBe(toDigest(bytes));
      await store.release(lease);

      const next = open();
      expect(await next.read(id)).toEqual(state);
      const [claimed] = await next.claimAbandoned();
      expect(claimed?.state).toEqual(state);
      const read = claimed && (await next.readOrder(claimed.lease));
      expect({ ...read, files: read?.files.map(withoutPath), longTexts: read?.longTexts.map(withoutPath) }).toEqual({
        ...order,
        files: order.files.map(withoutPath),
        longTexts: order.longTexts.map(withoutPath),
      });
      expect(toDigest(await readFile(read?.files[0]?.path ?? ""))).toBe(toDigest(bytes));
      expect(await readFile(read?.files[1]?.path ?? "", "utf8")).toBe("");
      expect(await readFile(read?.longTexts[0]?.path ?? "", "utf8")).toBe("Gnus.");
    });

    it("doesn't list what was only staged", async () => {
      const store = open();
      const staged = await store.stage();
      expect(await store.list({ owner: "key-a", limit: 10 })).toEqual([]);
      expect(await store.claimAbandoned()).toEqual([]);
      await store.removeExpired(new Date());
      expect((await stat(staged)).isDirectory()).toBe(true);
    });

    it("replaces a job's state, and keeps only the last one when it ends", async () => {
      const store = open();
      const { id, state, lease } = await createWithFiles(store, new Uint8Array(10));
      const path = (await store.readOrder(lease))?.files[0]?.path ?? "";
      await store.writeState(lease, { ...state, attempts: 1 });
      expect(await open().read(id)).toEqual({ ...state, attempts: 1 });
      const ended = toEnded(state);
      await store.finish(lease, ended);
      expect(await open().read(id)).toEqual(ended);
      await expect(stat(path)).rejects.toThrow();
      await store.release(lease);
      expect([await open().claimAbandoned(), await open().read(id)]).toEqual([[], ended]);
    });

    it("gives a job's lease to one holder, and to the next once it is released", async () => {
      const [store, other] = [open(), open()];
      const { id, lease } = await createPlain(store);
      expect([await store.claimAbandoned(), await other.claimAbandoned()]).toEqual([[], []]);
      await store.release(lease);
      const claims = await Promise.all([other, store, open(), open()].map((each) => each.claimAbandoned()));
      const [claimed, ...more] = claims.flat();
      expect(more).toEqual([]);
      expect(claimed?.lease).toMatchObject({ id });
      expect(claimed?.lease.epoch).toBeGreaterThan(lease.epoch);
    });

    it("gives the lease of a holder that stops renewing it to another one, and refuses what the former one writes", async () => {
      const [former, next] = [open(shortLeaseMs), open(shortLeaseMs)];
      const { id, state, lease } = await createWithFiles(former, new Uint8Array(10));
      const claimed = await claimInTime(next, id);
      await expect(former.writeState(lease, { ...state, attempts: 7 })).rejects.toThrow(LeaseLostError);
      await expect(former.finish(lease, toEnded(state))).rejects.toThrow(LeaseLostError);
      expect(await former.renew([lease])).toEqual(["lost"]);
      await former.release(lease);
      expect(await next.read(id)).toEqual(state);
      const order = await next.readOrder(claimed.lease);
      expect(await readFile(order?.longTexts[0]?.path ?? "", "utf8")).toBe("Gnus.");
      await next.writeState(claimed.lease, { ...state, attempts: 2 });
      expect(await former.read(id)).toEqual({ ...state, attempts: 2 });
      await next.finish(claimed.lease, toEnded(state));
      await expect(former.writeState(lease, state)).rejects.toThrow(LeaseLostError);
      expect(await former.read(id)).toEqual(toEnded(state));
    });

    it("leaves a lease that is renewed to its holder", async () => {
      const leaseMs = 4 * shortLeaseMs;
      const [holder, other] = [open(leaseMs), open(leaseMs)];
      const { lease } = await createPlain(holder);
      for (const until = performance.now() + 1.5 * leaseMs; performance.now() < until; ) {
        expect([await holder.renew([lease]), await other.claimAbandoned()]).toEqual([["held"], []]);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });

    it("tells the holder of a lease that the job is to be cancelled, also the next one", async () => {
      const store = open();
      const { lease } = await createPlain(store);
      const other = await createPlain(store);
      expect(await store.renew([lease, other.lease])).toEqual(["held", "held"]);
      await open().requestCancel(lease.id);
      expect(await store.renew([lease, other.lease])).toEqual(["cancelled", "held"]);
      await store.release(lease);
      const [claimed] = await store.claimAbandoned();
      expect(claimed && (await store.renew([claimed.lease]))).toEqual(["cancelled"]);
    });

    it("lists a namespace's jobs that have not ended, also those of other processes", async () => {
      const store = open();
      const [first, second] = [await createPlain(store), await createPlain(store)];
      expect((await open().listUnfinished("zoo")).sort()).toEqual([first.id, second.id].sort());
      await store.finish(first.lease, toEnded(first.state));
      expect([await open().listUnfinished("zoo"), await store.listUnfinished("o'n")]).toEqual([[second.id], []]);
    });

    it("lists an owner's jobs newest first, page by page, and never those of others", async () => {
      const store = open();
      const created: CreatedJob[] = [];
      for (const minute of [10, 30, 20]) {
        created.push(await createPlain(store, "key-a", `2026-11-22T09:${minute}:00.000Z`));
        await createPlain(store, "key-b", `2026-11-22T09:${minute}:00.000Z`);
      }
      const [oldest, newest, middle] = created as [CreatedJob, CreatedJob, CreatedJob];
      const list = async (page: Partial<Parameters<JobStore["list"]>[0]>) =>
        (await open().list({ owner: "key-a", limit: 10, ...page })).map(({ job_id }) => job_id);
      expect(await list({})).toEqual([newest.id, middle.id, oldest.id]);
      expect(await list({ limit: 2 })).toEqual([newest.id, middle.id]);
      expect(await list({ after: { createdAt: middle.state.job.created_at, id: middle.id } })).toEqual([oldest.id]);
      expect(await list({ owner: "key-c" })).toEqual([]);
      await store.finish(middle.lease, toEnded(middle.state));
      expect(await list({ status: "failed" })).toEqual([middle.id]);
      expect(await list({ status: "queued" })).toEqual([newest.id, oldest.id]);
      expect(await list({ limit: 1, status: "queued" })).toEqual([newest.id]);
      expect(await store.list({ owner: "key-a", limit: 1, status: "failed" })).toEqual([toEnded(middle.state).job]);
    });

    it("removes ended jobs after their time, and never one that has not ended", async () => {
      const store = open();
      const [ended, running] = [await createPlain(store), await createPlain(store)];
      await store.finish(ended.lease, toEnded(ended.state));
      const endedAt = Date.parse("2026-11-22T09:41:00.000Z");
      await store.removeExpired(new Date(endedAt + knowledgeLimits.finishedJobMs));
      expect(await open().read(ended.id)).toEqual(toEnded(ended.state));
      await store.removeExpired(new Date(endedAt + knowledgeLimits.finishedJobMs + 1));
      expect([await open().read(ended.id), await open().read(running.id)]).toEqual([undefined, running.state]);
    });

    it("has nothing of a job that doesn't exist, and ignores its cancelling", async () => {
      const store = open();
      const lease = { id: randomUUID(), epoch: 1 };
      expect([await store.read(lease.id), await store.readOrder(lease)]).toEqual([undefined, undefined]);
      await store.requestCancel(lease.id);
      await store.release(lease);
      expect(await store.renew([lease])).toEqual(["lost"]);
      await expect(store.writeState(lease, toState(lease.id))).rejects.toThrow(LeaseLostError);
      expect(await store.list({ owner: "key-a", limit: 10 })).toEqual([]);
    });
  });
}
