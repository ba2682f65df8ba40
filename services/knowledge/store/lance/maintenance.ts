import type { Logger } from "@agent-backends/kit";
import PQueue from "p-queue";
import type { NamespaceTable } from "./namespace-table.ts";
import { isMissing } from "./namespace-table.ts";
import { indexNewRows, preloadIndices, readIndexStatus, removeOldStates } from "./table-upkeep.ts";
import type { MaintenanceTimes, Upkeep } from "./upkeep.ts";
import { defaultMaintenanceTimes, dueAt, newUpkeep, restAfter } from "./upkeep.ts";
import { ensureVectorIndex } from "./vector-index.ts";

/** Tables that are worked on at the same time: a large one's index takes minutes, and others don't wait for it. */
const concurrency = 2;
/** Rest after indexing new rows, as a multiple of the time it took: a large table takes longer, and is due less often. */
const restFactor = 4;
/** The same after making a vector index anew. */
const vectorIndexRestFactor = 9;
/** Further attempts at a table that other processes keep changing; each waits twice as long as the one before. */
const maxRetries = 5;
/** A store that is closed waits this long for work on its tables, which is as safe to end as by a crash. */
const maxCloseWaitMs = 5_000;

/**
 * Keeps the rows few that the indices don't have yet, since every search cuts each of them into words, which takes about 0.1 ms;
 * merges the small files that commits leave; and removes old states. Nothing depends on it but speed and space: rows that
 * aren't indexed are found all the same.
 */
export class Maintenance {
  readonly #logger: Logger;
  readonly #times: MaintenanceTimes;
  /** By namespace: a handle is not kept open for the sake of a few writes. */
  readonly #upkeep = new Map<string, Upkeep>();
  readonly #queue = new PQueue({ concurrency });
  readonly #running = new Map<string, Promise<void>>();
  #closed = false;

  constructor(logger: Logger, times: Partial<MaintenanceTimes> = {}) {
    this.#logger = logger;
    this.#times = { ...defaultMaintenanceTimes, ...times };
  }

  /** @param rows how many the write has added */
  noteWrite(opened: NamespaceTable, rows: number): void {
    const upkeep = this.#noteChange(opened);
    upkeep.commits += 1;
    upkeep.rows += rows;
    this.#schedule(opened, upkeep);
  }

  /** Notes that a table is not as this process knew it: what another process has written may wait for its index. */
  noteState(opened: NamespaceTable): void {
    this.#schedule(opened, this.#noteChange(opened));
  }

  forget(namespace: string): void {
    clearTimeout(this.#upkeep.get(namespace)?.timer);
    this.#upkeep.delete(namespace);
  }

  /** Resolves when what is being done to a namespace is done. */
  async idle(namespace: string): Promise<void> {
    await this.#running.get(namespace);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const namespace of [...this.#upkeep.keys()]) this.forget(namespace);
    this.#queue.clear();
    const wait = Promise.withResolvers<void>();
    const timer = setTimeout(wait.resolve, maxCloseWaitMs);
    await Promise.race([this.#queue.onIdle(), wait.promise]);
    clearTimeout(timer);
  }

  #noteChange({ namespace }: NamespaceTable): Upkeep {
    const upkeep = this.#upkeep.get(namespace) ?? newUpkeep();
    this.#upkeep.set(namespace, upkeep);
    upkeep.changedAt = performance.now();
    upkeep.lastChangedAt = upkeep.changedAt;
    upkeep.waitingSince ??= upkeep.changedAt;
    return upkeep;
  }

  #schedule(opened: NamespaceTable, upkeep: Upkeep): void {
    clearTimeout(upkeep.timer);
    upkeep.timer = undefined;
    const due = dueAt(upkeep, this.#times);
    if (this.#closed || upkeep.isQueued || due === undefined) return;
    const delayMs = Math.max(due, upkeep.restUntil) - performance.now();
    upkeep.timer = setTimeout(() => this.#enqueue(opened, upkeep), Math.max(0, delayMs));
    upkeep.timer.unref();
  }

  #enqueue(opened: NamespaceTable, upkeep: Upkeep): void {
    upkeep.isQueued = true;
    void this.#queue.add(async () => {
      const done = this.#tidy(opened, upkeep);
      this.#running.set(opened.namespace, done);
      await done;
      if (this.#running.get(opened.namespace) === done) this.#running.delete(opened.namespace);
      upkeep.isQueued = false;
      if (!this.#isCurrent(opened, upkeep)) return;
      this.#schedule(opened, upkeep);
      const isSettled = upkeep.commits === 0 && upkeep.timer === undefined;
      if (isSettled && upkeep.vectorIndexRestUntil <= performance.now()) this.forget(opened.namespace);
    });
  }

  #isCurrent({ namespace }: NamespaceTable, upkeep: Upkeep): boolean {
    return !this.#closed && this.#upkeep.get(namespace) === upkeep;
  }

  async #tidy(opened: NamespaceTable, upkeep: Upkeep): Promise<void> {
    if (!this.#isCurrent(opened, upkeep)) return;
    const isOld = upkeep.oldStatesAt !== undefined && upkeep.oldStatesAt <= performance.now();
    const { commits, rows } = upkeep;
    Object.assign(upkeep, { changedAt: undefined, waitingSince: undefined, retryAt: undefined });
    try {
      const status = await readIndexStatus(opened.table, commits);
      if (status.isNegligible && !isOld) return;
      Object.assign(upkeep, { commits: upkeep.commits - commits, rows: upkeep.rows - rows });
      const version = await opened.table.version();
      if (status.unindexedRows + commits > 0 || isOld) await this.#index(opened, upkeep);
      await this.#renewVectorIndex(opened, upkeep);
      if ((await opened.table.version()) !== version) {
        upkeep.replacedAt = performance.now();
        await preloadIndices(opened.table);
      }
      if (isOld && this.#isCurrent(opened, upkeep)) await this.#removeOldStates(opened, upkeep);
      // What this round has replaced is old when the next one comes.
      const { replacedAt, removedUpTo } = upkeep;
      if (replacedAt > removedUpTo)
        upkeep.oldStatesAt ??= replacedAt + this.#times.oldStatesKeptMs + this.#times.quietMs;
      upkeep.retries = 0;
    } catch (error) {
      this.#retryLater(opened, upkeep, error);
    }
  }

  async #index(opened: NamespaceTable, upkeep: Upkeep): Promise<void> {
    const begun = performance.now();
    await indexNewRows(opened);
    upkeep.restUntil = restAfter(begun, restFactor);
  }

  async #renewVectorIndex(opened: NamespaceTable, upkeep: Upkeep): Promise<void> {
    if (!this.#isCurrent(opened, upkeep)) return;
    const { vectorIndex, column } = await readIndexStatus(opened.table, 0);
    if (vectorIndex === "current") return;
    const quietAt = vectorIndex === "outdated" ? 0 : upkeep.lastChangedAt + this.#times.settleMs;
    const renewAt = Math.max(upkeep.vectorIndexRestUntil, quietAt);
    if (performance.now() < renewAt) {
      upkeep.retryAt = renewAt;
      return;
    }
    const begun = performance.now();
    await ensureVectorIndex(opened.table, column);
    // Files can be merged now that one index has all their rows, which would make the next round as long.
    await indexNewRows(opened);
    upkeep.vectorIndexRestUntil = restAfter(begun, vectorIndexRestFactor);
  }

  async #removeOldStates(opened: NamespaceTable, upkeep: Upkeep): Promise<void> {
    const { oldStatesKeptMs } = this.#times;
    upkeep.oldStatesAt = undefined;
    upkeep.removedUpTo = performance.now() - oldStatesKeptMs;
    await removeOldStates(opened, oldStatesKeptMs);
  }

  #retryLater({ namespace }: NamespaceTable, upkeep: Upkeep, error: unknown): void {
    if (isMissing(error)) this.forget(namespace);
    else if (upkeep.retries === maxRetries) {
      this.#logger.warn(
        { err: error },
        "the indices of a namespace could not be brought up to date; the next write tries again",
      );
      this.forget(namespace);
    } else {
      upkeep.retryAt = performance.now() + this.#times.quietMs * 2 ** upkeep.retries;
      upkeep.retries += 1;
    }
  }
}
