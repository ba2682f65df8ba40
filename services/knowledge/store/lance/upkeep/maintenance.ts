import type { Logger } from "@agent-backends/kit";
import PQueue from "p-queue";
import type { Leases } from "../leases/leases.ts";
import { upkeepLeaseMs } from "../leases/leases.ts";
import { isMissing } from "../table/commit.ts";
import { getTableName } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { fillTerms } from "./fill-terms.ts";
import { indexNewRows, preloadIndices, readIndexStatus } from "./index-upkeep.ts";
import type { MaintenanceTimes, Upkeep } from "./schedule.ts";
import { defaultMaintenanceTimes, getDueTime, getRestEnd, newUpkeep } from "./schedule.ts";
import { ensureVectorIndex } from "./vector-index.ts";

/** More than one, so that other tables don't wait while building the index of a large table takes minutes. */
const concurrency = 2;
/** Pause after indexing new rows, as a multiple of the time it took. Large tables take longer and are therefore indexed less often. */
const restFactor = 4;
/** Pause after rebuilding a vector index, as a multiple of the time it took. */
const vectorIndexRestFactor = 9;
/** Maximum number of retries for a table that other processes keep changing. The delay doubles each time. */
const maxRetries = 5;
/** Maximum time that closing waits for running work. Interrupting the work is as safe as a crash. */
const maxCloseWaitMs = 5_000;

/**
 * Keeps the number of unindexed rows low, since every search reads each of them. Merges the small files that commits leave, and gives
 * rows of earlier versions their terms. Only speed and space depend on it: searches also find unindexed rows.
 */
export class Maintenance {
  readonly #logger: Logger;
  readonly #times: MaintenanceTimes;
  /** By namespace, so that a few writes don't keep a handle open. */
  readonly #upkeep = new Map<string, Upkeep>();
  readonly #queue = new PQueue({ concurrency });
  readonly #running = new Map<string, Promise<void>>();
  readonly #leases: Leases;
  #isClosed = false;

  constructor(logger: Logger, leases: Leases, times: Partial<MaintenanceTimes> = {}) {
    this.#logger = logger;
    this.#leases = leases;
    this.#times = { ...defaultMaintenanceTimes, ...times };
  }

  /** @param rows number of rows that the write has added */
  noteWrite(handle: TableHandle, rows: number): void {
    const upkeep = this.#noteChange(handle);
    upkeep.commits += 1;
    upkeep.rows += rows;
    this.#schedule(handle, upkeep);
  }

  /** Records that another process changed a table: its rows may be waiting to be indexed. */
  noteVersion(handle: TableHandle): void {
    this.#schedule(handle, this.#noteChange(handle));
  }

  forget(namespace: string): void {
    const upkeep = this.#upkeep.get(namespace);
    clearTimeout(upkeep?.timer);
    upkeep?.abort.abort();
    this.#upkeep.delete(namespace);
  }

  /** Resolves once no work on the namespace is running. */
  async waitUntilIdle(namespace: string): Promise<void> {
    await this.#running.get(namespace);
  }

  /** Runs work on a namespace while no round is running on it. If two compact the same rows, one of them fails. */
  async runExclusively<Result>(namespace: string, work: () => Promise<Result>): Promise<Result> {
    const result = this.waitUntilIdle(namespace).then(work);
    const done = result.then(noop, noop);
    this.#running.set(namespace, done);
    try {
      return await result;
    } finally {
      if (this.#running.get(namespace) === done) this.#running.delete(namespace);
    }
  }

  /** Like `runExclusively`, but also while no other process works on the namespace. Resolves with `undefined` if one does. */
  runWithLease<Result extends object | boolean>(
    namespace: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const inLease = () => this.#leases.run(getTableName(namespace), work, { isKept: true });
    return this.runExclusively(namespace, inLease);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const namespace of [...this.#upkeep.keys()]) this.forget(namespace);
    this.#queue.clear();
    const wait = Promise.withResolvers<void>();
    const timer = setTimeout(wait.resolve, maxCloseWaitMs);
    await Promise.race([this.#queue.onIdle(), wait.promise]);
    clearTimeout(timer);
  }

  #noteChange({ namespace }: TableHandle): Upkeep {
    const upkeep = this.#upkeep.get(namespace) ?? newUpkeep();
    this.#upkeep.set(namespace, upkeep);
    upkeep.changedAt = performance.now();
    upkeep.waitingSince ??= upkeep.changedAt;
    return upkeep;
  }

  #schedule(handle: TableHandle, upkeep: Upkeep): void {
    clearTimeout(upkeep.timer);
    upkeep.timer = undefined;
    const due = getDueTime(upkeep, this.#times);
    if (this.#isClosed || upkeep.isQueued || due === undefined) return;
    const delayMs = Math.max(due, upkeep.restUntil) - performance.now();
    upkeep.timer = setTimeout(() => this.#enqueue(handle, upkeep), Math.max(0, delayMs));
    upkeep.timer.unref();
  }

  #enqueue(handle: TableHandle, upkeep: Upkeep): void {
    upkeep.isQueued = true;
    void this.#queue.add(async () => {
      await this.runExclusively(handle.namespace, () => this.#runRound(handle, upkeep));
      upkeep.isQueued = false;
      if (!this.#isCurrent(handle, upkeep)) return;
      this.#schedule(handle, upkeep);
      const isSettled = upkeep.commits === 0 && upkeep.timer === undefined;
      if (isSettled && upkeep.vectorIndexRestUntil <= performance.now()) this.forget(handle.namespace);
    });
  }

  #isCurrent({ namespace }: TableHandle, upkeep: Upkeep): boolean {
    return !this.#isClosed && this.#upkeep.get(namespace) === upkeep;
  }

  async #runRound(handle: TableHandle, upkeep: Upkeep): Promise<void> {
    if (!this.#isCurrent(handle, upkeep)) return;
    Object.assign(upkeep, { waitingSince: undefined, retryAt: undefined });
    try {
      const status = await readIndexStatus(handle.table, upkeep.commits);
      const isIndexed = status.unindexedRows + upkeep.commits === 0 && status.vectorIndex === "current";
      if ((status.isNegligible || isIndexed) && status.termsAreComplete) return;
      const isDone = await this.#leases.run(
        getTableName(handle.namespace),
        async () => {
          await this.#work(handle, upkeep);
          return true;
        },
        { isKept: true },
      );
      // The next round here does whatever the other process leaves undone.
      if (!isDone) upkeep.retryAt = performance.now() + upkeepLeaseMs / 2;
      upkeep.retries = 0;
    } catch (error) {
      this.#retryLater(handle, upkeep, error);
    }
  }

  async #work(handle: TableHandle, upkeep: Upkeep): Promise<void> {
    const { commits, rows } = upkeep;
    await fillTerms(handle, upkeep.abort.signal);
    const status = await readIndexStatus(handle.table, commits);
    if (status.isNegligible) return;
    Object.assign(upkeep, { commits: upkeep.commits - commits, rows: upkeep.rows - rows });
    const version = await handle.table.version();
    if (status.unindexedRows + commits > 0) {
      const begun = performance.now();
      await indexNewRows(handle);
      upkeep.restUntil = getRestEnd(begun, restFactor);
    }
    await this.#rebuildVectorIndex(handle, upkeep);
    // Tables in a folder are searched in memory, so they don't need this.
    const isRemote = handle.files === undefined;
    if (isRemote && (await handle.table.version()) !== version) await preloadIndices(handle.table);
  }

  async #rebuildVectorIndex(handle: TableHandle, upkeep: Upkeep): Promise<void> {
    if (!this.#isCurrent(handle, upkeep)) return;
    const { vectorIndex, column } = await readIndexStatus(handle.table, 0);
    if (vectorIndex === "current") return;
    const quietAt = vectorIndex === "outdated" ? 0 : upkeep.changedAt + this.#times.settleMs;
    const rebuildAt = Math.max(upkeep.vectorIndexRestUntil, quietAt);
    if (performance.now() < rebuildAt) {
      upkeep.retryAt = rebuildAt;
      return;
    }
    const begun = performance.now();
    await ensureVectorIndex(handle.table, column);
    // One index has all rows now, so merge their files. In the next round, it would take as long.
    await indexNewRows(handle);
    upkeep.vectorIndexRestUntil = getRestEnd(begun, vectorIndexRestFactor);
  }

  #retryLater({ namespace }: TableHandle, upkeep: Upkeep, error: unknown): void {
    if (upkeep.abort.signal.aborted) return;
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

const noop = () => undefined;
