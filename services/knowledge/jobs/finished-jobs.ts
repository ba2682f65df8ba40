import { knowledgeLimits } from "@agent-backends/contract";
import type { JobState } from "./job-store.ts";

interface FinishedJob {
  finishedAtMs: number;
  owner: string;
}

/**
 * The ended jobs that are kept for their clients. Limits apply per owner first, so that a client's many jobs don't evict the results
 * of others.
 */
export class FinishedJobs {
  readonly #jobs = new Map<string, FinishedJob>();

  has(id: string): boolean {
    return this.#jobs.has(id);
  }

  add({ job, owner }: JobState): void {
    // Jobs of earlier versions have no owner; those of one namespace count as one owner's.
    this.#jobs.set(job.job_id, {
      finishedAtMs: Date.parse(job.finished_at ?? ""),
      owner: owner ?? `namespace ${job.namespace}`,
    });
  }

  /** Forgets jobs that other processes removed. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#jobs.keys()) if (!ids.has(id)) this.#jobs.delete(id);
  }

  /** Forgets the jobs that are beyond a limit, and returns their ids. */
  takeExpired(nowMs: number): string[] {
    const { finishedJobMs, finishedJobsPerKey, finishedJobs } = knowledgeLimits;
    const newestFirst = [...this.#jobs].sort(([, one], [, other]) => other.finishedAtMs - one.finishedAtMs);
    const rankOfOwner = new Map<string, number>();
    const ranked = newestFirst.map(([id, { owner, finishedAtMs }]) => {
      const rank = rankOfOwner.get(owner) ?? 0;
      rankOfOwner.set(owner, rank + 1);
      return { id, rank, isExpired: nowMs - finishedAtMs > finishedJobMs };
    });
    const kept = ranked.filter(({ rank, isExpired }) => !isExpired && rank < finishedJobsPerKey);
    // If all owners together have too many, those with the most lose their oldest first.
    kept.sort((one, other) => one.rank - other.rank);
    const keptIds = new Set(kept.slice(0, finishedJobs).map(({ id }) => id));
    const expired = ranked.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id);
    for (const id of expired) this.#jobs.delete(id);
    return expired;
  }
}
