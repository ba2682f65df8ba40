import { minCommits, minUnindexedRows } from "./index-upkeep.ts";

export interface MaintenanceTimes {
  /** Time without a commit after which many new rows are indexed. */
  quietMs: number;
  /** Maximum delay until many new rows are indexed. */
  maxDelayMs: number;
  /** Time without a commit after which a few new rows are indexed. */
  settleMs: number;
}

export const defaultMaintenanceTimes: MaintenanceTimes = {
  quietMs: 2_000,
  maxDelayMs: 5_000,
  settleMs: 10_000,
};

/** State of a table's maintenance. Times are those of `performance.now()`. */
export interface Upkeep {
  /** Number of commits since the last round. */
  commits: number;
  rows: number;
  /** Time of the first change since the last round. */
  waitingSince: number | undefined;
  changedAt: number;
  /** When to rebuild the vector index, or to repeat a failed round. */
  retryAt: number | undefined;
  retries: number;
  restUntil: number;
  vectorIndexRestUntil: number;
  isQueued: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Aborted when maintenance of the table must stop. */
  abort: AbortController;
}

/** When the next round is due, or `undefined` if there is nothing to do. */
export function getDueTime(
  { commits, rows, changedAt, waitingSince, retryAt }: Upkeep,
  { quietMs, maxDelayMs, settleMs }: MaintenanceTimes,
): number | undefined {
  const due = retryAt === undefined ? [] : [retryAt];
  if (waitingSince !== undefined) {
    const isMany = rows >= minUnindexedRows || commits >= minCommits;
    due.push(isMany ? Math.min(changedAt + quietMs, waitingSince + maxDelayMs) : changedAt + settleMs);
  }
  return due.length === 0 ? undefined : Math.min(...due);
}

export const newUpkeep = (): Upkeep => ({
  commits: 0,
  rows: 0,
  waitingSince: undefined,
  changedAt: Number.NEGATIVE_INFINITY,
  retryAt: undefined,
  retries: 0,
  restUntil: 0,
  vectorIndexRestUntil: 0,
  isQueued: false,
  timer: undefined,
  abort: new AbortController(),
});

/** The end of a pause that lasts a multiple of the preceding work. */
export const getRestEnd = (begun: number, factor: number): number => {
  const now = performance.now();
  return now + factor * (now - begun);
};
