import { minCommits, minUnindexedRows } from "./table-upkeep.ts";

export interface MaintenanceTimes {
  /** Many new rows are indexed once their table has had no commit for this long… */
  quietMs: number;
  /** …or at the latest after this. */
  maxDelayMs: number;
  /** Few new rows are indexed once the table has had no commit for this long. */
  settleMs: number;
  /** Older states of a table are kept this long, for readers and writers in other processes that still use them. */
  oldStatesKeptMs: number;
}

export const defaultMaintenanceTimes: MaintenanceTimes = {
  quietMs: 2_000,
  maxDelayMs: 5_000,
  settleMs: 10_000,
  oldStatesKeptMs: 60_000,
};

/** What is known of a table. Times are those of `performance.now()`. */
export interface Upkeep {
  /** Since the last time that the table was looked at. */
  commits: number;
  rows: number;
  changedAt: number | undefined;
  waitingSince: number | undefined;
  /** Unlike those it is kept when the table is looked at. */
  lastChangedAt: number;
  /** When states were replaced last, which of them have been removed, and when the next ones are old. */
  replacedAt: number;
  removedUpTo: number;
  oldStatesAt: number | undefined;
  /** When the vector index is to be made anew, or something is to be tried again. */
  retryAt: number | undefined;
  retries: number;
  restUntil: number;
  vectorIndexRestUntil: number;
  isQueued: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** When a table is to be looked at next; `undefined` when there is nothing to do. */
export function dueAt(
  { commits, rows, changedAt, waitingSince, oldStatesAt, retryAt }: Upkeep,
  { quietMs, maxDelayMs, settleMs }: MaintenanceTimes,
): number | undefined {
  const due = [oldStatesAt, retryAt].filter((at) => at !== undefined);
  if (changedAt !== undefined && waitingSince !== undefined) {
    const isMuch = rows >= minUnindexedRows || commits >= minCommits;
    due.push(isMuch ? Math.min(changedAt + quietMs, waitingSince + maxDelayMs) : changedAt + settleMs);
  }
  return due.length === 0 ? undefined : Math.min(...due);
}

export const newUpkeep = (): Upkeep => ({
  commits: 0,
  rows: 0,
  changedAt: undefined,
  waitingSince: undefined,
  lastChangedAt: Number.NEGATIVE_INFINITY,
  replacedAt: Number.NEGATIVE_INFINITY,
  removedUpTo: Number.NEGATIVE_INFINITY,
  oldStatesAt: undefined,
  retryAt: undefined,
  retries: 0,
  restUntil: 0,
  vectorIndexRestUntil: 0,
  isQueued: false,
  timer: undefined,
});

/** The end of a rest that is so many times as long as the work before it. */
export const restAfter = (begun: number, factor: number): number => {
  const now = performance.now();
  return now + factor * (now - begun);
};
