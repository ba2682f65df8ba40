import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { CustomMetadata, IngestErrorCode, Job, JobEvent, JobItem } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import PQueue from "p-queue";
import type { IngestOrder, Outcome } from "../ingest/ingest.ts";
import type { LongText, UploadedFile } from "../ingest/items.ts";
import { parseItems } from "../ingest/items.ts";
import { FinishedJobs } from "./finished-jobs.ts";
import type { JobFolder, JobState } from "./job-folder.ts";
import { ownerSilentAfterMs } from "./job-folder.ts";
import { counted, isSettled, itemEvent, LiveJob } from "./live-job.ts";

/** A job that was begun this often and never ended takes the process down with it; it is given up. */
const attemptsAtMost = 3;
const upkeepIntervalMs = 10_000;
/** How often the state of a job is looked at that another process works on. */
const pollIntervalMs = 500;

/** There are as many jobs as can be kept; the client may try again. */
export class TooManyJobsError extends Error {
  override readonly name = "TooManyJobsError";

  constructor(openJobs: number) {
    super(`${openJobs} ingests are waiting already; try again when some have ended.`);
  }
}

export interface NewJob {
  namespace: string;
  sources: readonly unknown[];
  longTexts?: readonly LongText[];
  files: readonly UploadedFile[];
  replaces: boolean;
  metadata?: CustomMetadata | undefined;
  /** The client whose job it is, also when another process goes on with it. */
  owner: string;
}

export interface IngestJobsOptions {
  folder: JobFolder;
  /** Ingests; rejects only with the signal's reason, or when the service fails. */
  run(order: IngestOrder): Promise<unknown>;
  now(): Date;
  /** How often this process says that it still works on its jobs, and looks whether they were cancelled elsewhere. */
  renewalIntervalMs?: number;
  reportError(error: unknown): void;
}

/** Ingests that go on after their request was answered, through restarts, until every item is settled. */
export class IngestJobs {
  readonly #options: IngestJobsOptions;
  readonly #live = new Map<string, LiveJob>();
  /** Jobs whose folders are on their way to the disk. */
  #beingMade = 0;
  readonly #finished = new FinishedJobs();
  readonly #queue = new FairQueue({
    concurrency: knowledgeLimits.runningJobs,
    concurrencyPerClient: knowledgeLimits.runningJobsPerKey,
  });
  /** The work on each live job, by its id. */
  readonly #working = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #upkeep: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;

  constructor(options: IngestJobsOptions) {
    this.#options = options;
  }

  /** Goes on with the jobs that a process left unfinished, now and from time to time. */
  start(): void {
    const look = () => this.#lookAfterJobs().catch((error) => this.#options.reportError(error));
    void look();
    this.#upkeep = setInterval(look, upkeepIntervalMs).unref();
    // Those that wait too: a job whose owner is silent is taken over by another process.
    const renew = () => {
      for (const live of this.#live.values()) void this.#renew(live).catch(() => undefined);
    };
    this.#renewal = setInterval(renew, this.#options.renewalIntervalMs ?? ownerSilentAfterMs / 6).unref();
  }

  /** Stops working; jobs that have not ended are left to the next process. */
  async close(): Promise<void> {
    clearInterval(this.#upkeep);
    clearInterval(this.#renewal);
    this.#stopping.abort(new Error("The service stops."));
    await Promise.all(this.#working.values());
    for (const id of this.#live.keys()) await this.#options.folder.release(id);
  }

  /** A folder for the files of a job that is to be created. */
  stage(): Promise<string> {
    return this.#options.folder.stage();
  }

  /** Makes a job of an ingest, whose files lie in a staged folder, for good. @throws TooManyJobsError */
  async create(staged: string, { files, longTexts = [], owner, ...about }: NewJob): Promise<Job> {
    const { folder, now } = this.#options;
    const { openJobs, openJobsPerClient } = knowledgeLimits;
    if (this.#live.size + this.#beingMade >= openJobs) throw new TooManyJobsError(openJobs);
    if (this.openOf(owner) >= openJobsPerClient) throw new TooManyJobsError(openJobsPerClient);
    const sent = parseItems({ sources: about.sources, files }, Number.POSITIVE_INFINITY);
    const job: Job = {
      job_id: randomUUID(),
      namespace: about.namespace,
      status: "queued",
      items: sent.map(({ source }) => ({ source, stage: "queued" })),
      saved: 0,
      skipped: 0,
      errors: 0,
      created_at: now().toISOString(),
    };
    const order = {
      ...about,
      owner,
      sources: [...about.sources],
      longTexts: longTexts.map((text) => inFolder(staged, text)),
      files: files.map((file) => inFolder(staged, file)),
    };
    this.#beingMade += 1;
    try {
      await folder.create(staged, job, order);
    } finally {
      this.#beingMade -= 1;
    }
    this.#work(new LiveJob(job, owner), 0);
    return job;
  }

  /** How many jobs of an owner wait or run. */
  openOf(owner: string): number {
    return [...this.#live.values()].filter((live) => live.owner === owner).length;
  }

  async get(id: string): Promise<Job | undefined> {
    return this.#live.get(id)?.job ?? (await this.#options.folder.readState(id))?.job;
  }

  /** What happens to a job, from its items as they are, until it has ended. Ends at once when there is none. */
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
    const stages: string[] = [];
    for (;;) {
      const job = await this.get(id);
      if (job === undefined) return;
      for (const [position, item] of job.items.entries()) {
        if (stages[position] === item.stage) continue;
        stages[position] = item.stage;
        yield itemEvent(job, position, item);
      }
      if (job.finished_at !== undefined) return yield { type: "job", ...job };
      await delay(pollIntervalMs, undefined, { signal });
    }
  }

  /**
   * Ends a job before its time: what has begun is aborted and what waits is dropped, while what is stored stays. A job that
   * another process works on ends within some seconds.
   *
   * @returns the job as it then stands; undefined when there is none
   */
  async cancel(id: string): Promise<Job | undefined> {
    const job = await this.get(id);
    if (job === undefined || job.finished_at !== undefined) return job;
    // It stays cancelled when this process ends now.
    await this.#options.folder.requestCancel(id);
    const live = this.#live.get(id);
    if (live === undefined) return this.get(id);
    live.cancel();
    await this.#working.get(id);
    return live.job;
  }

  async #renew(live: LiveJob): Promise<void> {
    const { folder } = this.#options;
    await folder.renew(live.job.job_id);
    if (await folder.isCancelled(live.job.job_id)) live.cancel();
  }

  #work(live: LiveJob, attempts: number): void {
    const { job_id: id } = live.job;
    this.#live.set(id, live);
    const working = this.#workInTurn(live, attempts).catch((error) => {
      this.#live.delete(id);
      this.#options.reportError(error);
    });
    this.#working.set(id, working);
    void working.finally(() => this.#working.delete(id));
  }

  async #workInTurn(live: LiveJob, attempts: number): Promise<void> {
    const signal = AbortSignal.any([this.#stopping.signal, live.cancelled]);
    const run = () => this.#run(live, attempts + 1, signal);
    try {
      await this.#queue.add(live.owner, run, signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
      // It was waiting for its turn, and needs none to be ended.
      await run();
    }
  }

  async #run(live: LiveJob, attempts: number, signal: AbortSignal): Promise<void> {
    const { folder, now, run } = this.#options;
    if (this.#stopping.signal.aborted) return;
    const { job_id: id } = live.job;
    const writes = new PQueue({ concurrency: 1 });
    const write = () => {
      // One that waits will write what has changed until then.
      if (writes.size === 0) void writes.add(() => folder.writeState(id, stateOf(live.job))).catch(() => undefined);
    };
    const stateOf = (job: Job): JobState => ({ job, attempts, owner: live.owner });
    const order = await folder.readOrder(id);
    const stored = (await folder.readState(id))?.job;
    if (stored?.finished_at !== undefined) {
      // Another process has taken it over and ended it.
      this.#live.delete(id);
      live.finish(stored);
      return;
    }
    if (await folder.isCancelled(id)) live.cancel();
    live.start();
    await folder.writeState(id, stateOf(live.job));
    const set = (position: number, item: JobItem) => {
      live.setItem(position, item);
      write();
    };
    const sourceOf = (position: number) => live.job.items[position]?.source ?? "";
    try {
      if (order !== undefined && attempts <= attemptsAtMost && !signal.aborted) {
        await run({
          ...order,
          longTexts: order.longTexts.map(({ name, ...text }) => ({ ...text, path: folder.pathOf(id, name) })),
          files: order.files.map(({ name, ...file }) => ({ ...file, path: folder.pathOf(id, name) })),
          client: live.owner,
          signal,
          isDone: (position) => live.job.items.slice(position, position + 1).every(isSettled),
          onStage: (position, stage) => set(position, { source: sourceOf(position), stage }),
          onOutcome: (position, outcome) => set(position, settledItem(outcome)),
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
    const job = live.ended(now().toISOString());
    await folder.writeState(id, stateOf(job));
    await folder.clear(id);
    this.#live.delete(id);
    live.finish(job);
  }

  async #lookAfterJobs(): Promise<void> {
    const { folder, now } = this.#options;
    const nowMs = now().getTime();
    const { ids, leftOver } = await folder.list(nowMs, knowledgeLimits.finishedJobMs);
    for (const name of leftOver) await folder.remove(name);
    this.#finished.keepOnly(new Set(ids));
    const unfinished: JobState[] = [];
    for (const id of ids) {
      if (this.#live.has(id) || this.#finished.has(id)) continue;
      const state = await folder.readState(id);
      if (state?.job.finished_at !== undefined) this.#finished.add(state);
      else if (state !== undefined) unfinished.push(state);
    }
    for (const id of this.#finished.takeExpired(nowMs)) await folder.remove(id);
    unfinished.sort((one, other) => (one.job.created_at < other.job.created_at ? -1 : 1));
    for (const { job, attempts, owner = "" } of unfinished) {
      if (this.#stopping.signal.aborted || !(await folder.claim(job.job_id))) continue;
      this.#work(new LiveJob(queuedAgain(job), owner), attempts);
    }
  }
}

const cancelledItem: { error: string; code: IngestErrorCode } = {
  error: "The job was cancelled before the item was stored.",
  code: "cancelled",
};
const unfinishedItem: { error: string; code: IngestErrorCode } = {
  error: "The item was begun several times and could not be finished; send it again alone.",
  code: "not_stored",
};

/** A job whose process ended: what was settled stays so, and the rest begins anew. */
function queuedAgain(job: Job): Job {
  const items = job.items.map((item): JobItem => (isSettled(item) ? item : { source: item.source, stage: "queued" }));
  return counted({ ...job, status: "queued", items });
}

/** A file by its name in a folder, which will have another path. */
function inFolder<File extends { path: string }>(
  folder: string,
  { path, ...file }: File,
): Omit<File, "path"> & { name: string } {
  return { ...file, name: path.slice(folder.length + 1) };
}

function settledItem(outcome: Outcome): JobItem {
  if (outcome.kind === "saved") return { stage: "saved", ...outcome.item };
  if (outcome.kind === "skipped") return { stage: "skipped", ...outcome.item };
  return { stage: "error", ...outcome.item };
}
