import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, it, onTestFinished } from "vitest";
import { NamespaceGoneError } from "../store/errors.ts";
import { JobFolder } from "../store/jobs/job-folder.ts";
import type { IngestJobsOptions } from "./ingest-jobs.ts";
import { IngestJobs } from "./ingest-jobs.ts";

const root = await createTemporaryFolder();

/** Jobs as a process of their own has them; none of them ends by itself. */
function processOn(folder: string, renewalIntervalMs?: number, others: Partial<IngestJobsOptions> = {}) {
  return new IngestJobs({
    ...(renewalIntervalMs !== undefined && { renewalIntervalMs }),
    store: new JobFolder(folder),
    documents: { listDocuments: async () => [] },
    run: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    now: () => new Date(),
    reportError: (error) => {
      throw error;
    },
    ...others,
  });
}

const newJob = (owner: string) => ({ namespace: "n", sources: ["x"], files: [], replaces: false, owner });

it("jobs count against the key that sent them, also in the process that resumes them", async () => {
  const first = processOn(root);
  for (const owner of ["key-a", "key-a", "key-b"]) {
    await first.create(await first.stage(), newJob(owner));
  }
  expect([first.countOpen("key-a"), first.countOpen("key-b")]).toEqual([2, 1]);
  await first.close();
  const second = processOn(root);
  second.start();
  await expect.poll(() => [second.countOpen("key-a"), second.countOpen("key-b")]).toEqual([2, 1]);
  await second.close();
});

it("a job that another process works on ends when it is cancelled here", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const working = processOn(folder, 20);
  working.start();
  const { job_id: id } = await working.create(await working.stage(), newJob("key-a"));
  await expect.poll(async () => (await working.get(id))?.status).toBe("running");
  expect(await processOn(folder).cancel(id)).toMatchObject({ job_id: id, status: "running" });
  await expect.poll(async () => (await working.get(id))?.status).toBe("cancelled");
  await working.close();
});

it("a namespace's jobs that another process works on end before the namespace is deleted here, and no others", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const working = processOn(folder, 20);
  working.start();
  const [of, other] = [newJob("key-a"), { ...newJob("key-a"), namespace: "other" }];
  const { job_id: id } = await working.create(await working.stage(), of);
  const { job_id: otherId } = await working.create(await working.stage(), other);
  const deleting = processOn(folder);
  await deleting.cancelAll("n");
  expect((await deleting.get(id))?.status).toBe("cancelled");
  expect((await working.get(otherId))?.finished_at).toBeUndefined();
  await working.close();
});

it("a job whose namespace was deleted while it was stored there ends as cancelled", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const working = processOn(folder, undefined, { run: () => Promise.reject(new NamespaceGoneError()) });
  const { job_id: id } = await working.create(await working.stage(), newJob("key-a"));
  await expect.poll(async () => (await working.get(id))?.status).toBe("cancelled");
  await working.close();
});

it("while the store is away the log says once that jobs wait, and not that one was given up", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  let renewals = 0;
  const store = new JobFolder(folder);
  store.renew = async () => {
    renewals += 1;
    throw new Error("away");
  };
  const reports: unknown[] = [];
  const jobs = processOn(folder, 5, { store, reportError: (error, message) => reports.push([String(error), message]) });
  await jobs.create(await jobs.stage(), newJob("key-a"));
  jobs.start();
  await expect.poll(() => renewals).toBeGreaterThan(3);
  expect(reports).toEqual([["Error: away", "jobs wait until the store can be read"]]);
  await jobs.close();
});

it("two jobs of one client run at a time, and another client's beside them", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const jobs = processOn(folder);
  const ids: string[] = [];
  for (const owner of ["key-a", "key-a", "key-a", "key-b"]) {
    ids.push((await jobs.create(await jobs.stage(), newJob(owner))).job_id);
  }
  const statuses = () => Promise.all(ids.map(async (id) => (await jobs.get(id))?.status));
  await expect.poll(statuses).toEqual(["running", "running", "queued", "running"]);
  await jobs.close();
});

it("small files of a job are stored while its large ones wait for those of earlier jobs, and what waits can be cancelled", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const jobs = processOn(folder, undefined, {
    async run({ only, files, findOutcome, onOutcome, signal }) {
      const skipped = { hash: "0".repeat(64), reason: "duplicate-content" } as const;
      for (const [position, { filename, bytesOnDisk }] of files.entries()) {
        if (bytesOnDisk > 1_000 || findOutcome?.(position)) continue;
        onOutcome?.(position, { kind: "skipped", item: { ...skipped, title: filename, source: `file:${filename}` } });
      }
      if (only === undefined) await new Promise((_, reject) => signal.addEventListener("abort", reject));
    },
  });
  const ids: string[] = [];
  for (const folder of ["a", "b", "c"]) {
    const staged = await jobs.stage();
    const toFile = (filename: string, bytesOnDisk: number) => ({ filename, bytesOnDisk, path: join(staged, "f") });
    const files = [toFile(`${folder}/large.txt`, 2_000_000), toFile(`${folder}/small.txt`, 2)];
    ids.push((await jobs.create(staged, { ...newJob("key-a"), sources: [], files })).job_id);
  }
  const [, , last = ""] = ids;
  const stages = async () => (await jobs.get(last))?.items.map(({ stage }) => stage);
  await expect.poll(stages).toEqual(["waiting", "skipped"]);
  expect(await jobs.cancel(last)).toMatchObject({ status: "cancelled", skipped: 1, errors: 1 });
  await jobs.close();
});

it("an owner's jobs are listed newest first, page by page, also those of other processes and those that ended", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const [one, other] = [processOn(folder), processOn(folder)];
  const ids: string[] = [];
  for (const [jobs, owner] of [
    [one, "key-a"],
    [other, "key-a"],
    [one, "key-b"],
    [one, "key-a"],
  ] as const) {
    const { job_id } = await jobs.create(await jobs.stage(), newJob(owner));
    if (owner === "key-a") ids.unshift(job_id);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await one.cancel(ids[0] ?? "");
  const all = await other.list({ owner: "key-a", limit: 10 });
  expect(all.map(({ job_id }) => job_id)).toEqual(ids);
  expect(all[0]?.status).toBe("cancelled");
  const [first] = await one.list({ owner: "key-a", limit: 1 });
  const after = { createdAt: first?.created_at ?? "", id: first?.job_id ?? "" };
  expect((await one.list({ owner: "key-a", limit: 10, after })).map(({ job_id }) => job_id)).toEqual(ids.slice(1));
  expect(await one.list({ owner: "key-c", limit: 10 })).toEqual([]);
  const cancelled = await other.list({ owner: "key-a", limit: 10, status: "cancelled" });
  expect(cancelled.map(({ job_id }) => job_id)).toEqual(ids.slice(0, 1));
  const running = await other.list({ owner: "key-a", limit: 1, status: "running" });
  expect(running.map(({ job_id }) => job_id)).toEqual(ids.slice(1, 2));
  await Promise.all([one.close(), other.close()]);
});

it("a job of an earlier version continues: its items wait, and have no stage that is unknown today", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const first = processOn(folder);
  const { job_id: id, ...job } = await first.create(await first.stage(), newJob("key-a"));
  await first.close();
  const items = ["queued", "reading", "embedding"].map((stage) => ({ stage, source: "text:0" }));
  const state = { job: { job_id: id, ...job, items }, attempts: 1, owner: "key-a" };
  for (const name of ["state.1.json", "lease.1.json"]) await rm(join(folder, id, name));
  await writeFile(join(folder, id, "state.json"), JSON.stringify(state));
  const second = processOn(folder);
  expect((await second.get(id))?.items.map(({ stage }) => stage)).toEqual(["waiting", "waiting", "waiting"]);
  second.start();
  await expect.poll(async () => (await second.get(id))?.status).toBe("running");
  await second.close();
});

it("a job whose store is away for long goes on where it was once the store is back", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  let refusedWrites = 0;
  const store = new JobFolder(folder);
  const writeState = store.writeState.bind(store);
  store.writeState = async (lease, state) => {
    if (refusedWrites === 0) return writeState(lease, state);
    refusedWrites -= 1;
    throw new Error("The store is away.");
  };
  let runs = 0;
  const jobs = new IngestJobs({
    store,
    documents: { listDocuments: async () => [] },
    async run({ onOutcome }) {
      runs += 1;
      if (runs === 1) refusedWrites = 50;
      const source = "text:0";
      if (refusedWrites > 0)
        onOutcome?.(0, { kind: "errors", item: { source, error: "The store is away.", code: "not_stored" } });
      else
        onOutcome?.(0, {
          kind: "skipped",
          item: { source, title: "x", hash: "0".repeat(64), reason: "duplicate-content" },
        });
    },
    now: () => new Date(),
    wait: async () => undefined,
    reportError: () => undefined,
  });
  const { job_id: id } = await jobs.create(await jobs.stage(), newJob("key-a"));
  await expect.poll(async () => (await jobs.get(id))?.status).toBe("done");
  expect(runs).toBe(2);
  await jobs.close();
});
