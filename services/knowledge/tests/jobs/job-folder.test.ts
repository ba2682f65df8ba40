import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knowledgeLimits } from "@agent-backends/contract";
import { afterEach, beforeEach, expect, it } from "vitest";
import { JobFolder } from "../../jobs/job-folder.ts";
import { testJobStore } from "./conformance.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "knowledge-jobs-"));
});
afterEach(() => rm(folder, { recursive: true }));

testJobStore("in a folder", { open: (leaseMs) => new JobFolder(folder, leaseMs === undefined ? {} : { leaseMs }) });

it("removes what was staged and never became a job, once it is too old", async () => {
  const store = new JobFolder(folder);
  const staged = await store.stage();
  await store.removeExpired(new Date(Date.now() + knowledgeLimits.finishedJobMs + 60_000));
  await expect(stat(staged)).rejects.toThrow();
});
