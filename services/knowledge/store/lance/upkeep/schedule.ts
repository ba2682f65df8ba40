import { minCommits, minUnindexedRows } from "./index-upkeep.ts";

export interface MaintenanceTimes {
  /** Many new rows are indexed after this long without a commit… */
  quietMs: number;
  /** …but at the latest after this. */
  maxDelayMs: number;
  /** Few new rows are indexed after this long without a commit. */
  settleMs: number;
}

export const defaultMaintenanceTimes: MaintenanceTimes = {
  quietMs: 2_000,
  maxDelayMs: 5_000,
  settleMs: 10_000,
};

/** What maintenance knows of a table. Times are those of `performance.now()`. */
export interface Upkeep {
  /** Since the last round. */
  commits: number;
  rows: number;
  changedAt: number | undefined;
  waitingSince: number | undefined;
  /** Unlike `changedAt`, not reset by a round. */
  lastChangedAt: number;
  /** When the vector index is to be rebuilt, or a failed round repeated. */
  retryAt: number | undefined;
  retries: number;
  restUntil: number;
  vectorIndexRestUntil: number;
  isQueued: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Aborted when the table is to be left alone. */
  abort: AbortController;
}

/** When the next round is due; `undefined` when there is nothing to do. */
export function getDueTime(
  { commits, rows, changedAt, waitingSince, retryAt }: Upkeep,
  { quietMs, maxDelayMs, settleMs }: MaintenanceTimes,
): number | undefined {
  const due = retryAt === undefined ? [] : [retryAt];
  if (changedAt !== undefined && waitingSince !== undefined) {
    const isMany = rows >= minUnindexedRows || commits >= minCommits;
    due.push(isMany ? Math.min(changedAt + quietMs, waitingSince + maxDelayMs) : changedAt + settleMs);
  }
  return due.length === 0 ? undefined : Math.min(...due);
}

export const newUpkeep = (): Upkeep => ({
  commits: 0,
  rows: 0,
  changedAt: undefined,
  waitingSince: undefined,
  lastChangedAt: Number.NEGATIVE_INFINITY,
  retryAt: undefined,
  retries: 0,
  restUntil: 0,
  vectorIndexRestUntil: 0,
  isQueued: false,
  timer: undefined,
  abort: new AbortController(),
});

/** The end of a rest that takes a multiple of the time of the work before it. */
export const getRestEnd = (begun: number, factor: number): number => {
  const now = performance.now();
  return now + factor * (now - begun);
};
