import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { IngestErrorCode, Job, JobEvent, JobItem } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import PQueue from "p-queue";
import type { IngestOrder, Outcome } from "../ingest/ingest.ts";
import type { ItemSize } from "../ingest/items.ts";
import { getLargest, parseItems } from "../ingest/items.ts";
import { FinishedJobs } from "./finished-jobs.ts";
import type { JobOrder, JobState, JobStore } from "./job-store.ts";
import { leaseMs } from "./job-store.ts";
import { isSettled, LiveJob, toItemEvent, withCounts } from "./live-job.ts";

/** A job that was started this often and never ended probably kills the process; it is given up. */
const maxAttempts = 3;
const upkeepIntervalMs = 10_000;
/** How often the state of a job of another process is read for its followers. */
const pollIntervalMs = 500;

/** The limit of open jobs is reached. */
export class TooManyJobsError extends Error {
  override readonly name = "TooManyJobsError";

  constructor(openJobs: number) {
    super(`${openJobs} ingests are waiting already; try again when some have ended.`);
  }
}

export interface NewJob extends Omit<JobOrder, "longTexts">, Partial<Pick<JobOrder, "longTexts">> {
  /** The client who sent the job, also when another process continues it. */
  owner: string;
}

/** A job's position in a list. */
interface JobCursor {
  createdAt: string;
  id: string;
}

interface JobPage {
  limit: number;
  /** The last job of the page before. */
  after?: JobCursor | undefined;
  status?: Job["status"] | undefined;
}

/** What a list needs to know of a job without reading it. */
interface ListedJob extends JobCursor {
  owner: string;
  /** Its last status, once it has ended. */
  endedAs?: Job["status"];
}

const isOlder = (one: JobCursor, other: JobCursor): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

export interface IngestJobsOptions {
  store: JobStore;
  /** Ingests. Rejects only with the signal's reason, or when the service fails. */
  run(order: IngestOrder): Promise<unknown>;
  now(): Date;
  /** How often this process renews the leases of its jobs and checks whether they were cancelled elsewhere. */
  renewalIntervalMs?: number;
  reportError(error: unknown): void;
}

/** Ingests that continue after their request was answered, also after restarts, until every item is settled. */
export class IngestJobs {
  readonly #options: IngestJobsOptions;
  readonly #live = new Map<string, LiveJob>();
  /** Jobs that are being stored. */
  #creating = 0;
  readonly #finished = new FinishedJobs();
  /** What of each job never changes, so that a list reads only the jobs that it shows. */
  readonly #listed = new Map<string, ListedJob>();
  /** By the size of a job's largest item, so that small jobs don't wait for large ones. */
  readonly #queues: Record<ItemSize, FairQueue> = { small: createQueue(), page: createQueue(), large: createQueue() };
  /** The work on each live job, by id. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #upkeep: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: IngestJobsOptions) {
    this.#options = options;
  }

  /** Continues jobs that other processes left unfinished, now and regularly. */
  start(): void {
    const look = () => this.#takeOverJobs().catch((error) => this.#options.reportError(error));
    void look();
    this.#upkeep = setInterval(look, upkeepIntervalMs).unref();
    // Also of waiting jobs: without a renewal another process takes them over.
    const renew = () => {
      for (const live of this.#live.values()) void this.#renew(live).catch(() => undefined);
    };
    this.#renewal = setInterval(renew, this.#options.renewalIntervalMs ?? leaseMs / 6).unref();
  }

  /** Stops working. Jobs that have not ended are left to other processes. */
  async close(): Promise<void> {
    clearInterval(this.#upkeep);
    clearInterval(this.#renewal);
    this.#stopping.abort(new Error("The service stops."));
    await Promise.all(this.#working.values());
    for (const id of this.#live.keys()) await this.#options.store.release(id);
  }

  /** Creates a folder for the files of a new job. */
  stage(): Promise<string> {
    return this.#options.store.stage();
  }

  /** Creates a job durably. Its files lie in the staged folder. @throws TooManyJobsError */
  async create(staged: string, { longTexts = [], owner, ...sent }: NewJob): Promise<Job> {
    const { store, now } = this.#options;
    const { openJobs, openJobsPerClient } = knowledgeLimits;
    if (this.#live.size + this.#creating >= openJobs) throw new TooManyJobsError(openJobs);
    if (this.countOpen(owner) >= openJobsPerClient) throw new TooManyJobsError(openJobsPerClient);
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
    this.#creating += 1;
    try {
      await store.create(staged, { job, attempts: 0, owner }, { ...sent, longTexts });
    } finally {
      this.#creating -= 1;
    }
    this.#work(new LiveJob(job, owner), 0, getLargest(items));
    return job;
  }

  /** Number of waiting and running jobs of an owner. */
  countOpen(owner: string): number {
    return [...this.#live.values()].filter((live) => live.owner === owner).length;
  }

  async get(id: string): Promise<Job | undefined> {
    return this.#live.get(id)?.job ?? (await this.#options.store.readState(id))?.job;
  }

  /** Jobs of an owner, newest first, of this and other processes. */
  async list(owner: string, { limit, after, status }: JobPage): Promise<Job[]> {
    const { store, now } = this.#options;
    const ids = await store.list(now());
    for (const id of ids) {
      const state = this.#listed.has(id) ? undefined : await store.readState(id);
      if (state) this.#noteListed(state);
    }
    const known = new Set(ids);
    for (const id of this.#listed.keys()) if (!known.has(id)) this.#listed.delete(id);
    const ordered = [...this.#listed.values()]
      .filter((job) => job.owner === owner && (!after || isOlder(job, after)))
      .sort((one, other) => (isOlder(one, other) ? 1 : -1));
    const jobs: Job[] = [];
    for (const { id, endedAs = status } of ordered) {
      if (jobs.length === limit) break;
      if (endedAs !== status && status !== undefined) continue;
      const job = await this.get(id);
      if (job?.finished_at !== undefined) this.#noteListed({ job, owner });
      if (job && (status === undefined || job.status === status)) jobs.push(job);
    }
    return jobs;
  }

  #noteListed({ job, owner = "" }: Pick<JobState, "job" | "owner">): void {
    const ended = job.finished_at !== undefined && { endedAs: job.status };
    this.#listed.set(job.job_id, { id: job.job_id, owner, createdAt: job.created_at, ...ended });
  }

  /** The events of a job until it ends, starting with the present state of its items. No events when there is no such job. */
  async *follow(id: string, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const live = this.#live.get(id);
    if (live === undefined) return yield* this.#followElsewhere(id, signal);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => undefined);
    for (let seen = 0; ; ) {
      const { changed } = live;
      for (; seen < live.events.length; seen++) yield live.events[seen] as JobEvent;
      if (live.isFinished) return;
      signal.throwIfAborted();
      await Promise.race([changed, aborted]);
    }
  }

  async *#followElsewhere(id: string, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    const seen: JobItem[] = [];
    for (;;) {
      const job = await this.get(id);
      if (job === undefined) return;
      for (const [position, item] of job.items.entries()) {
        if (isDeepStrictEqual(seen[position], item)) continue;
        seen[position] = item;
        yield toItemEvent(job, position, item);
      }
      if (job.finished_at !== undefined) return yield { type: "job", ...job };
      await delay(pollIntervalMs, undefined, { signal });
    }
  }

  /**
   * Cancels a job: running items are aborted and waiting ones dropped; stored documents stay. A job that another process works on
   * ends within some seconds.
   *
   * @returns the job as it is then; undefined when there is none
   */
  async cancel(id: string): Promise<Job | undefined> {
    const job = await this.get(id);
    if (job === undefined || job.finished_at !== undefined) return job;
    // Recorded first, so that the job stays cancelled if this process ends now.
    await this.#options.store.requestCancel(id);
    const live = this.#live.get(id);
    if (live === undefined) return this.get(id);
    live.cancel();
    await this.#working.get(id);
    return live.job;
  }

  async #renew(live: LiveJob): Promise<void> {
    const { isCancelled } = await this.#options.store.renew(live.job.job_id);
    if (isCancelled) live.cancel();
  }

  #work(live: LiveJob, attempts: number, size: ItemSize): void {
    const { job_id: id } = live.job;
    this.#live.set(id, live);
    const working = this.#workInTurn(live, attempts, size).catch((error) => {
      this.#live.delete(id);
      this.#options.reportError(error);
    });
    this.#working.set(id, working);
    void working.finally(() => this.#working.delete(id));
  }

  async #workInTurn(live: LiveJob, attempts: number, size: ItemSize): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, live.cancelled]);
    const run = () => this.#run(live, attempts + 1, signal);
    try {
      await this.#queues[size].add(live.owner, run, signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
      // It was cancelled while it waited. Ending it needs no turn.
      await run();
    }
  }

  async #run(live: LiveJob, attempts: number, signal: AbortSignal): Promise<void> {
    const { store, now, run } = this.#options;
    if (this.#stopping.signal.aborted) return;
    const { job_id: id } = live.job;
    const writes = new PQueue({ concurrency: 1 });
    const write = () => {
      // A waiting write includes all changes until it starts.
      if (writes.size === 0) void writes.add(() => store.writeState(id, toState(live.job))).catch(() => undefined);
    };
    const toState = (job: Job): JobState => ({ job, attempts, owner: live.owner });
    const order = await store.readOrder(id);
    const stored = (await store.readState(id))?.job;
    if (stored?.finished_at !== undefined) {
      // Another process took the job over and ended it.
      this.#live.delete(id);
      live.finish(stored);
      return;
    }
    await this.#renew(live);
    live.start();
    await store.writeState(id, toState(live.job));
    const set = (position: number, item: JobItem) => {
      live.setItem(position, item);
      write();
    };
    const sourceOf = (position: number) => live.job.items[position]?.source ?? "";
    try {
      if (order !== undefined && attempts <= maxAttempts && !signal.aborted) {
        await run({
          ...order,
          client: live.owner,
          signal,
          findOutcome: (position) => live.job.items.slice(position, position + 1).find(isSettled),
          onProgress: (position, progress) => set(position, { source: sourceOf(position), ...progress }),
          onOutcome: (position, outcome) => set(position, toJobItem(outcome)),
        });
      }
    } catch (error) {
      if (!signal.aborted) this.#options.reportError(error);
    } finally {
      await writes.onIdle();
    }
    if (this.#stopping.signal.aborted && !live.job.items.every(isSettled)) return;
    const left = live.cancelled.aborted ? cancelledItem : unfinishedItem;
    for (const [position, item] of live.job.items.entries()) {
      if (!isSettled(item)) live.setItem(position, { source: item.source, stage: "error", ...left });
    }
    const job = live.toEnded(now().toISOString());
    await store.finish(id, toState(job));
    this.#live.delete(id);
    live.finish(job);
  }

  async #takeOverJobs(): Promise<void> {
    const { store, now } = this.#options;
    const ids = await store.list(now());
    this.#finished.keepOnly(new Set(ids));
    const unfinished: JobState[] = [];
    for (const id of ids) {
      if (this.#live.has(id) || this.#finished.has(id)) continue;
      const state = await store.readState(id);
      if (state) this.#noteListed(state);
      if (state?.job.finished_at !== undefined) this.#finished.add(state);
      else if (state !== undefined) unfinished.push(state);
    }
    for (const id of this.#finished.takeExpired(now().getTime())) await store.remove(id);
    unfinished.sort((one, other) => (one.job.created_at < other.job.created_at ? -1 : 1));
    for (const { job, attempts, owner = "" } of unfinished) {
      if (this.#stopping.signal.aborted || !(await store.claim(job.job_id))) continue;
      const order = await store.readOrder(job.job_id);
      const size = order ? getLargest(parseItems(order, Number.POSITIVE_INFINITY)) : "small";
      this.#work(new LiveJob(toRequeued(job), owner), attempts, size);
    }
  }
}

const createQueue = () =>
  new FairQueue({
    concurrency: knowledgeLimits.runningJobs,
    concurrencyPerClient: knowledgeLimits.runningJobsPerKey,
  });

const cancelledItem: { error: string; code: IngestErrorCode } = {
  error: "The job was cancelled before the item was stored.",
  code: "cancelled",
};
const unfinishedItem: { error: string; code: IngestErrorCode } = {
  error: "The item was begun several times and could not be finished; send it again alone.",
  code: "not_stored",
};

/** A job whose process ended. Settled items stay settled; the others start again. */
function toRequeued(job: Job): Job {
  const items = job.items.map((item): JobItem => (isSettled(item) ? item : { source: item.source, stage: "waiting" }));
  return withCounts({ ...job, status: "queued", items });
}

function toJobItem(outcome: Outcome): JobItem {
  if (outcome.kind === "saved") return { stage: "saved", ...outcome.item };
  if (outcome.kind === "skipped") return { stage: "skipped", ...outcome.item };
  return { stage: "error", ...outcome.item };
}
