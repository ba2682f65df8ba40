import { randomUUID } from "node:crypto";
import { knowledgeLimits } from "@agent-backends/contract";
import { expect, it } from "vitest";
import type { FinishedJob } from "./expired-jobs.ts";
import { findExpired } from "./expired-jobs.ts";

const now = new Date("2026-11-22T12:00:00Z");
const dayMs = 24 * 60 * 60_000;

const finished = (owner: string | undefined, agoMs: number, namespace = "n"): FinishedJob => ({
  id: randomUUID(),
  namespace,
  owner,
  finishedAt: new Date(now.getTime() - agoMs).toISOString(),
});

it("a client's finished job is kept for seven days, however many jobs others finish after it", () => {
  const mine = finished("me", 6 * dayMs);
  const old = finished("me", 7 * dayMs + 1);
  const theirs = Array.from({ length: knowledgeLimits.finishedJobsPerKey + 20 }, (_, age) => finished("they", age));
  const theirOldest = theirs.slice(-20).map(({ id }) => id);
  expect(findExpired([mine, old, ...theirs], now).sort()).toEqual([old.id, ...theirOldest].sort());
});

it("beyond the number of all together, those go of which their owner has the most", () => {
  const { finishedJobs, finishedJobsPerKey } = knowledgeLimits;
  const jobs = [finished(undefined, 6 * dayMs, "mine")];
  const others = finishedJobs / finishedJobsPerKey;
  for (let owner = 0; owner < others; owner++) {
    for (let age = 0; age < finishedJobsPerKey; age++) jobs.push(finished(`key-${owner}`, age));
  }
  const [gone, ...more] = findExpired(jobs, now);
  expect(more).toEqual([]);
  expect(gone).not.toBe(jobs[0]?.id);
});
