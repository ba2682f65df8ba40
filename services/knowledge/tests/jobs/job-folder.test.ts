import { randomUUID } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { knowledgeLimits } from "@agent-backends/contract";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { StoreUnreachableError } from "../../store/errors.ts";
import { JobFolder } from "../../store/jobs/job-folder.ts";
import { testJobStore } from "./conformance.ts";

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished);
});

testJobStore("in a folder", { open: (leaseMs) => new JobFolder(folder, leaseMs === undefined ? {} : { leaseMs }) });

it("takes no job while the store's folder is gone, and doesn't create it", async () => {
  await expect(new JobFolder(join(folder, "store", "jobs")).stage()).rejects.toThrow(StoreUnreachableError);
  expect(await readdir(folder)).toEqual([]);
});

it("removes what was staged and never became a job, once it is too old", async () => {
  const store = new JobFolder(folder);
  const staged = await store.stage();
  await store.removeExpired(new Date(Date.now() + knowledgeLimits.finishedJobMs + 60_000));
  await expect(stat(staged)).rejects.toThrow();
});

it("removes what a process left of an ended job when it was killed, before the job is too old", async () => {
  const [id, time] = [randomUUID(), new Date().toISOString()];
  const counts = { saved: 0, skipped: 0, errors: 0 };
  const job = { job_id: id, namespace: "zoo", status: "failed" as const, items: [], ...counts, created_at: time };
  const state = { job: { ...job, finished_at: time }, attempts: 1, owner: "key-a" };
  const order = { namespace: "zoo", sources: ["Gnus."], files: [], longTexts: [], replaces: false };
  const store = new JobFolder(folder);
  await store.finish(await store.create(await store.stage(), state, order), state);
  await writeFile(join(folder, id, "order.json"), "Gnus.");
  await new JobFolder(folder).removeExpired(new Date());
  expect(await readdir(join(folder, id))).toEqual(["state.json"]);
});
