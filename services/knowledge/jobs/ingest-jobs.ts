import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Job, JobEvent, JobItem } from "@agent-backends/contract";
import { knowledgeLimits, problems } from "@agent-backends/contract";
import type { IngestOrder, Outcome } from "../ingest/ingest.ts";
import { getSizes, parseItems } from "../ingest/items.ts";
import { NamespaceGoneError } from "../store/errors.ts";
import type { JobOrder, JobPage, JobStore } from "../store/jobs/job-store.ts";
import { LeaseLostError, leaseMs } from "../store/jobs/job-store.ts";
import type { ItemSize } from "../store/jobs/sent-items.ts";
import type { DocumentStore } from "../store/knowledge-store.ts";
import {
  cancelledItem,
  isSettled,
  isStoreFailure,
  toItemEvent,
  toJobItem,
  toRequeued,
  unfinishedItem,
  withoutTitles,
} from "./job-items.ts";
import { JobTurns } from "./job-turns.ts";
import { LiveJob } from "./live-job.ts";
import { StateWrites } from "./state-writes.ts";

/** A job that was started this often without ending probably kills the process, so it is given up. */
const maxAttempts = 3;
/** Interval at which a process looks for jobs that no process works on. */
const takeOverIntervalMs = 5_000;
/** Interval at which ended jobs beyond their limits are removed. */
const removalIntervalMs = 60_000;
/** Delay before a job retries items that the store failed to save. It is multiplied by the number of attempts. */
const storeRetryDelayMs = 10_000;
/** Initial retry delay when the state of a job can't be stored. Doubles on each attempt. */
const initialRetryDelayMs = 500;
const maxRetryDelayMs = 10_000;
/** Maximum time until another process notices that its job was cancelled, which is when it renews the lease. */
const maxCancelWaitMs = leaseMs / 3;
/** Interval at which the followers of another process's job read its state. */
const pollIntervalMs = 500;

export interface NewJob extends Omit<JobOrder, "longTexts">, Partial<Pick<JobOrder, "longTexts">> {
  /** The client that sent the job, even when another process continues it. */
  owner: string;
}

export interface IngestJobsOptions {
  store: JobStore;
  /** Provides the titles of stored documents. */
  documents: Pick<DocumentStore, "listDocuments">;
  /** Runs an ingest. Rejects only with the signal's reason, when the namespace was deleted, or when the service fails. */
  run(order: IngestOrder): Promise<unknown>;
  now(): Date;
  /** Interval at which this process renews the leases of its jobs and checks whether another process cancelled them. */
  renewalIntervalMs?: number;
  /** Waits before the store is tried again. Tests replace it. */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
  /** @param message describes what failed, if it isn't a job */
  reportError(error: unknown, message?: string): void;
}

/** Ingests that continue after their request was answered, and after restarts, until every item is settled. */
export class IngestJobs {
  readonly #options: IngestJobsOptions;
  readonly #wait: NonNullable<IngestJobsOptions["wait"]>;
  readonly #liveJobs = new Map<string, LiveJob>();
  /** Number of jobs that are being created. */
  #creating = 0;
  readonly #turns = new JobTurns();
  /** The running work of each live job, by job id. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(options: IngestJobsOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms, signal) => delay(ms, undefined, { signal }));
  }

  /** Takes over jobs that other processes left unfinished, now and at regular intervals. */
  start(): void {
    this.#repeat(takeOverIntervalMs, () => this.#takeOverJobs());
    this.#repeat(removalIntervalMs, () => this.#options.store.removeExpired(this.#options.now()));
    // Waiting jobs need it too: without a renewal, another process takes them over.
    this.#repeat(this.#options.renewalIntervalMs ?? leaseMs / 6, () => this.#renew());
  }

  /** Calls now and at regular intervals, unless the previous call is still running. Of failures in a row it reports the first. */
  #repeat(intervalMs: number, call: () => Promise<void>): void {
    let isRunning = false;
    let isFailing = false;
    const callOnce = async () => {
      if (isRunning) return;
      isRunning = true;
      try {
        await call();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#options.reportError(error, "jobs wait until the store can be read");
        isFailing = true;
      }
      isRunning = false;
    };
    void callOnce();
    this.#timers.push(setInterval(callOnce, intervalMs).unref());
  }

  /** Stops working. Unfinished jobs are left to other processes. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort(new Error("The service stops."));
    await Promise.all(this.#working.values());
  }

  /** Creates a folder for the files of a new job. */
  stage(): Promise<string> {
    return this.#options.store.stage();
  }

  /** Creates a job durably. Its files are in the staged folder. @throws ProblemError if too many wait */
  async create(staged: string, { longTexts = [], owner, ...sent }: NewJob): Promise<Job> {
    const { store, now } = this.#options;
    const { openJobs, openJobsPerClient } = knowledgeLimits;
    if (this.#liveJobs.size + this.#creating >= openJobs) throw problems.tooManyJobs(openJobs);
    if (this.countOpen(owner) >= openJobsPerClient) throw problems.tooManyJobs(openJobsPerClient);
    const items = parseItems({ ...sent, longTexts }, Number.POSITIVE_INFINITY);
    const job: Job = {
      job_id: randomUUID(),
      namespace: sent.namespace,
      status: "queued",
      items: items.map(({ source }) => ({ source, stage: "waiting" })),
      saved: 0,
      skipped: 0,
      errors: 0,
      created_at: now().toISOString(),
    };
    const state = { job, attempts: 0, owner, sizes: getSizes(items) };
    this.#creating += 1;
    try {
      const lease = await store.create(staged, state, { ...sent, longTexts });
      this.#work(new LiveJob(lease, state));
    } finally {
      this.#creating -= 1;
    }
    return job;
  }

  /** Number of waiting and running jobs of an owner. */
  countOpen(owner: string): number {
    return [...this.#liveJobs.values()].filter((live) => live.owner === owner).length;
  }

  /** A job with the current titles of its documents. An item whose document was deleted has its source as title. */
  async get(id: string): Promise<Job | undefined> {
    const job = await this.#read(id);
    return job && this.#addTitles(job);
  }

  async #read(id: string): Promise<Job | undefined> {
    const job = this.#liveJobs.get(id)?.job ?? (await this.#options.store.read(id))?.job;
    return job && withoutTitles(job);
  }

  async #addTitles(job: Job): Promise<Job> {
    const hashes = job.items.flatMap((item) => ("hash" in item ? item.hash : []));
    if (hashes.length === 0) return job;
    const page = { limit: hashes.length, where: { hashes } };
    const found = await this.#options.documents.listDocuments(job.namespace, page);
    const titles = new Map(found.map(({ hash, title }) => [hash, title]));
    const items = job.items.map((item) =>
      "hash" in item ? { ...item, title: titles.get(item.hash) ?? item.title } : item,
    );
    return { ...job, items };
  }

  /** An owner's jobs in this and other processes, newest first. */
  async list(page: JobPage): Promise<Job[]> {
    const jobs = await this.#options.store.list(page);
    return jobs.map((job) => this.#liveJobs.get(job.job_id)?.job ?? job);
  }

  /** The events of a job until it ends, starting with the current state of its items. Yields nothing for an unknown job. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const live = this.#liveJobs.get(id);
    if (live === undefined) return yield* this.#followElsewhere(id, signal);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => undefined);
    for (let seen = 0; ; ) {
      const { nextChange } = live;
      for (; seen < live.events.length; seen++) yield live.events[seen] as JobEvent;
      if (live.isFinished) return;
      if (live.leaseLostSignal.aborted) return yield* this.#followElsewhere(id, signal, withoutTitles(live.job).items);
      signal.throwIfAborted();
      await Promise.race([nextChange, aborted]);
    }
  }

  async *#followElsewhere(
    id: string,
    signal: AbortSignal,
    seen: JobItem[] = [],
  ): AsyncGenerator<JobEvent, void, undefined> {
    for (;;) {
      const read = await this.#read(id);
      if (read === undefined) return;
      const changed = read.items.map((item, position) => !isDeepStrictEqual(seen[position], item));
      seen = read.items;
      const hasEnded = read.finished_at !== undefined;
      if (hasEnded || changed.includes(true)) {
        const job = await this.#addTitles(read);
        for (const [position, item] of job.items.entries())
          if (changed[position]) yield toItemEvent(job, position, item);
        if (hasEnded) return yield { type: "job", ...job };
      }
      await delay(pollIntervalMs, undefined, { signal });
    }
  }

  /**
   * Cancels a job. Running items are aborted and waiting items dropped, but stored documents stay. If another process works on the job,
   * it ends within some seconds.
   *
   * @returns the job after the cancellation, or undefined for an unknown job
   */
  async cancel(id: string): Promise<Job | undefined> {
    const job = await this.get(id);
    if (job === undefined || job.finished_at !== undefined) return job;
    // Record the cancellation first, so that the job stays cancelled if this process ends now.
    await this.#options.store.requestCancel(id);
    const live = this.#liveJobs.get(id);
    if (live === undefined) return this.get(id);
    live.cancel();
    await this.#working.get(id);
    return live.isFinished ? live.job : this.get(id);
  }

  /** Cancels the jobs of a namespace. Resolves once they have ended. Jobs of other processes end within `maxCancelWaitMs`. */
  async cancelAll(namespace: string): Promise<void> {
    const { store } = this.#options;
    const ids = await store.listUnfinished(namespace);
    await Promise.all(ids.map((id) => this.cancel(id)));
    for (let waitedMs = 0; waitedMs < maxCancelWaitMs; waitedMs += pollIntervalMs) {
      const unfinished = await store.listUnfinished(namespace);
      if (!ids.some((id) => unfinished.includes(id))) return;
      await delay(pollIntervalMs);
    }
  }

  async #renew(): Promise<void> {
    const jobs = [...this.#liveJobs.values()];
    if (jobs.length === 0) return;
    const renewed = await this.#options.store.renew(jobs.map(({ lease }) => lease));
    for (const [position, live] of jobs.entries()) {
      if (renewed[position] === "cancelled") live.cancel();
      if (renewed[position] === "lost") live.loseLease();
    }
  }

  #work(live: LiveJob): void {
    const { id } = live.lease;
    this.#liveJobs.set(id, live);
    const working = this.#workInTurn(live)
      .catch((error) => this.#onError(live, error))
      .then(() => this.#leave(live))
      .catch(this.#options.reportError);
    this.#working.set(id, working);
    void working.finally(() => {
      if (this.#working.get(id) === working) this.#working.delete(id);
    });
  }

  #onError(live: LiveJob, error: unknown): void {
    if (error instanceof LeaseLostError) live.loseLease();
    else this.#options.reportError(error);
  }

  /** Stops working on a job. An unfinished job is left to other processes. */
  async #leave(live: LiveJob): Promise<void> {
    if (this.#liveJobs.get(live.lease.id) === live) this.#liveJobs.delete(live.lease.id);
    await this.#options.store.release(live.lease);
  }

  async #workInTurn(live: LiveJob): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, live.cancelSignal, live.leaseLostSignal]);
    try {
      await this.#turns.take(live, (until, only) => this.#run(live, until, only), signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
    live.leaseLostSignal.throwIfAborted();
    if (!this.#stopping.signal.aborted || live.hasSettled()) return this.#end(live);
    if (live.job.status !== "running") return;
    // An orderly shutdown doesn't suggest that the job kills processes, so undo the attempt.
    live.attempts -= 1;
    await this.#options.store.writeState(live.lease, live.state);
  }

  /** Works on a job until all its items, or all of one size, are settled. */
  async #run(live: LiveJob, signal: AbortSignal, only?: ItemSize): Promise<void> {
    const { store, run } = this.#options;
    signal.throwIfAborted();
    const writes = new StateWrites({
      write: () => store.writeState(live.lease, live.state),
      pauseMs: store.progressIntervalMs ?? 0,
      onError: (error) => this.#onError(live, error),
    });
    const order = await store.readOrder(live.lease);
    if (live.job.status !== "running") live.start();
    await store.writeState(live.lease, live.state);
    const set = (position: number, item: JobItem) => {
      live.setItem(position, item);
      writes.noteChange(isSettled(item));
    };
    const getSource = (position: number) => live.job.items[position]?.source ?? "";
    const onOutcome = (position: number, outcome: Outcome) => {
      const isRepeated = isStoreFailure(outcome) && live.attempts < maxAttempts;
      set(position, isRepeated ? { source: getSource(position), stage: "waiting" } : toJobItem(outcome));
    };
    try {
      while (order !== undefined && live.attempts <= maxAttempts && !signal.aborted) {
        await run({
          ...order,
          only,
          client: live.owner,
          signal,
          findOutcome: (position) => live.job.items.slice(position, position + 1).find(isSettled),
          onProgress: (position, progress) => set(position, { source: getSource(position), ...progress }),
          onOutcome,
        });
        if (live.hasSettled(only)) break;
        await this.#wait(storeRetryDelayMs * live.attempts, signal);
        // Time without a reachable store doesn't count as an attempt, however long it lasts.
        await this.#repeatWrite(() => writes.writeNow(), signal);
        live.start();
      }
    } catch (error) {
      if (error instanceof NamespaceGoneError) live.cancel();
      else if (error instanceof LeaseLostError || !signal.aborted) this.#onError(live, error);
    } finally {
      await writes.settle();
    }
  }

  async #end(live: LiveJob): Promise<void> {
    const { store, now } = this.#options;
    const left = live.cancelSignal.aborted ? cancelledItem : unfinishedItem;
    for (const [position, item] of live.job.items.entries()) {
      if (!isSettled(item)) live.setItem(position, { source: item.source, stage: "error", ...left });
    }
    const job = live.toEnded(now().toISOString());
    const stopped = AbortSignal.any([this.#stopping.signal, live.leaseLostSignal]);
    await this.#repeatWrite(() => store.finish(live.lease, { ...live.state, job: withoutTitles(job) }), stopped);
    this.#liveJobs.delete(live.lease.id);
    live.finish(job);
  }

  /** Retries a write until the store accepts it. @throws LeaseLostError, and the signal's reason */
  async #repeatWrite(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let delayMs = initialRetryDelayMs; ; delayMs = Math.min(2 * delayMs, maxRetryDelayMs)) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof LeaseLostError || signal.aborted) throw error;
        this.#options.reportError(error);
        await this.#wait(delayMs, signal);
      }
    }
  }

  async #takeOverJobs(): Promise<void> {
    const { store } = this.#options;
    for (const { lease, state } of await store.claimAbandoned()) {
      this.#liveJobs.get(lease.id)?.loseLease();
      // A job without titles is still useful to its followers.
      const job = await this.#addTitles(state.job).catch((error) => {
        this.#options.reportError(error);
        return state.job;
      });
      if (this.#stopping.signal.aborted) await store.release(lease);
      else this.#work(new LiveJob(lease, { ...state, job: toRequeued(job) }));
    }
  }
}
