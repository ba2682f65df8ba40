import { knowledgeLimits } from "@agent-backends/contract";

export interface FinishedJob {
  id: string;
  namespace: string;
  owner?: string | undefined;
  finishedAt: string;
}

/**
 * The ids of ended jobs that are over a limit. Limits apply per owner first, so that a client's many jobs don't evict the results of
 * others.
 */
export function findExpired(jobs: readonly FinishedJob[], now: Date): string[] {
  const { finishedJobMs, finishedJobsPerKey, finishedJobs } = knowledgeLimits;
  const newestFirst = jobs
    .map((job) => ({ ...job, finishedAtMs: Date.parse(job.finishedAt) }))
    .sort((one, other) => other.finishedAtMs - one.finishedAtMs);
  const rankOfOwner = new Map<string, number>();
  const ranked = newestFirst.map(({ id, namespace, owner, finishedAtMs }) => {
    // Jobs of earlier versions have no owner. The namespace counts as their owner.
    const counted = owner ?? `namespace ${namespace}`;
    const rank = rankOfOwner.get(counted) ?? 0;
    rankOfOwner.set(counted, rank + 1);
    return { id, rank, isExpired: now.getTime() - finishedAtMs > finishedJobMs };
  });
  const kept = ranked.filter(({ rank, isExpired }) => !isExpired && rank < finishedJobsPerKey);
  // If all owners together have too many jobs, the owners with the most jobs lose their oldest ones first.
  kept.sort((one, other) => one.rank - other.rank);
  const keptIds = new Set(kept.slice(0, finishedJobs).map(({ id }) => id));
  return ranked.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id);
}
