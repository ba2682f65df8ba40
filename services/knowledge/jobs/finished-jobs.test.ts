import { randomUUID } from "node:crypto";
import { knowledgeLimits } from "@agent-backends/contract";
import { expect, it } from "vitest";
import { FinishedJobs } from "./finished-jobs.ts";
import type { JobState } from "./job-store.ts";

const now = Date.parse("2026-11-22T12:00:00Z");
const dayMs = 24 * 60 * 60_000;

function finished(owner: string | undefined, agoMs: number, namespace = "n"): JobState {
  const finishedAt = new Date(now - agoMs).toISOString();
  const counts = { saved: 0, skipped: 0, errors: 0 };
  const dates = { created_at: finishedAt, finished_at: finishedAt };
  const job = { job_id: randomUUID(), namespace, status: "done" as const, items: [], ...dates, ...counts };
  return { job, attempts: 1, ...(owner !== undefined && { owner }) };
}

it("a client's finished job is kept for seven days, however many jobs others finish after it", () => {
  const jobs = new FinishedJobs();
  const mine = finished("me", 6 * dayMs);
  const old = finished("me", 7 * dayMs + 1);
  for (const state of [mine, old]) jobs.add(state);
  const theirs = Array.from({ length: knowledgeLimits.finishedJobsPerKey + 20 }, (_, age) => finished("they", age));
  for (const state of theirs) jobs.add(state);
  const theirOldest = theirs.slice(-20).map(({ job }) => job.job_id);
  expect(jobs.takeExpired(now).sort()).toEqual([old.job.job_id, ...theirOldest].sort());
  expect(jobs.has(mine.job.job_id)).toBe(true);
  expect(jobs.takeExpired(now)).toEqual([]);
});

it("beyond the number of all together, those go of which their owner has the most", () => {
  const jobs = new FinishedJobs();
  const { finishedJobs, finishedJobsPerKey } = knowledgeLimits;
  const mine = finished(undefined, 6 * dayMs, "mine");
  jobs.add(mine);
  const others = finishedJobs / finishedJobsPerKey;
  for (let owner = 0; owner < others; owner++) {
    for (let age = 0; age < finishedJobsPerKey; age++) jobs.add(finished(`key-${owner}`, age));
  }
  const [gone, ...more] = jobs.takeExpired(now);
  expect(more).toEqual([]);
  expect(gone).not.toBe(mine.job.job_id);
});
