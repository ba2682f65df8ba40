import type { Job, JobEvent, JobItem } from "@agent-backends/contract";

type Settled = Extract<JobItem, { stage: "saved" | "skipped" | "error" }>;

export const isSettled = (item: JobItem): item is Settled => ["saved", "skipped", "error"].includes(item.stage);

/** A job with the counts of its items. */
export function withCounts(job: Job): Job {
  const count = (stage: JobItem["stage"]) => job.items.filter((item) => item.stage === stage).length;
  return { ...job, saved: count("saved"), skipped: count("skipped"), errors: count("error") };
}

export const toItemEvent = (job: Job, position: number, item: JobItem): JobEvent => ({
  type: "item",
  job_id: job.job_id,
  item: position,
  ...item,
});

/** A job of this process: its state, and its events for those who follow it. */
export class LiveJob {
  job: Job;
  readonly events: JobEvent[];
  #changed = Promise.withResolvers<void>();

  readonly owner: string;
  readonly #cancellation = new AbortController();

  constructor(job: Job, owner: string) {
    this.job = job;
    this.owner = owner;
    this.events = job.items.map((item, position) => toItemEvent(job, position, item));
  }

  get isFinished(): boolean {
    return this.job.finished_at !== undefined;
  }

  /** Aborts when the job is cancelled. */
  get cancelled(): AbortSignal {
    return this.#cancellation.signal;
  }

  cancel(): void {
    this.#cancellation.abort(new Error("The job was cancelled."));
  }

  /** Resolves on the next change. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  setItem(position: number, item: JobItem): void {
    this.job = withCounts({ ...this.job, items: this.job.items.with(position, item) });
    this.events.push(toItemEvent(this.job, position, item));
    this.#notify();
  }

  start(): void {
    this.job = { ...this.job, status: "running" };
    this.#notify();
  }

  /** The job as it is if it ends now. */
  toEnded(finishedAt: string): Job {
    const { saved, skipped } = this.job;
    const status = this.cancelled.aborted ? "cancelled" : saved + skipped > 0 ? "done" : "failed";
    return { ...this.job, status, finished_at: finishedAt };
  }

  finish(ended: Job): void {
    this.job = ended;
    this.events.push({ type: "job", ...this.job });
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
