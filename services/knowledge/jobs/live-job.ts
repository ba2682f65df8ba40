import type { Job, JobEvent, JobItem } from "@agent-backends/contract";
import type { JobLease, JobState } from "../store/jobs/job-store.ts";
import { LeaseLostError } from "../store/jobs/job-store.ts";
import type { ItemSize } from "../store/jobs/sent-items.ts";
import { itemSizes } from "../store/jobs/sent-items.ts";
import { isSettled, toItemEvent, withCounts, withoutTitles } from "./job-items.ts";

/** A job whose lease this process holds, with its state and the events for its followers. */
export class LiveJob {
  job: Job;
  readonly lease: JobLease;
  /** How often a process has started to work on the job since an item was last settled. */
  attempts: number;
  readonly events: JobEvent[];
  #nextChange = Promise.withResolvers<void>();

  readonly owner: string;
  readonly #sizes: readonly ItemSize[];
  readonly #cancellation = new AbortController();
  readonly #leaseLoss = new AbortController();

  constructor(lease: JobLease, { job, owner = "", attempts, sizes = [] }: JobState) {
    this.lease = lease;
    this.job = job;
    this.owner = owner;
    this.attempts = attempts;
    this.#sizes = sizes;
    this.events = job.items.map((item, position) => toItemEvent(job, position, item));
  }

  /** The size classes of unsettled items, largest first. */
  get openSizes(): ItemSize[] {
    return itemSizes.filter((size) => !this.hasSettled(size)).toReversed();
  }

  /** Whether all items, or all of one size, have their outcomes. */
  hasSettled(size?: ItemSize): boolean {
    return this.job.items.every(
      (item, position) => isSettled(item) || (size !== undefined && (this.#sizes[position] ?? "large") !== size),
    );
  }

  get isFinished(): boolean {
    return this.job.finished_at !== undefined;
  }

  /** Aborts when the job is cancelled. */
  get cancelSignal(): AbortSignal {
    return this.#cancellation.signal;
  }

  cancel(): void {
    this.#cancellation.abort(new Error("The job was cancelled."));
  }

  /** Aborts when another process has taken the job over. */
  get leaseLostSignal(): AbortSignal {
    return this.#leaseLoss.signal;
  }

  loseLease(): void {
    this.#leaseLoss.abort(new LeaseLostError(this.lease));
    this.#notify();
  }

  get state(): JobState {
    return { job: withoutTitles(this.job), attempts: this.attempts, owner: this.owner, sizes: this.#sizes };
  }

  /** Resolves on the next change. */
  get nextChange(): Promise<void> {
    return this.#nextChange.promise;
  }

  setItem(position: number, item: JobItem): void {
    this.job = withCounts({ ...this.job, items: this.job.items.with(position, item) });
    // A job with many items may outlive many processes, as long as it makes progress.
    if (isSettled(item)) this.attempts = 1;
    this.events.push(toItemEvent(this.job, position, item));
    this.#notify();
  }

  start(): void {
    this.job = { ...this.job, status: "running" };
    this.attempts += 1;
    this.#notify();
  }

  /** The job in its final state, if it ends now. */
  toEnded(finishedAt: string): Job {
    const { saved, skipped } = this.job;
    const status = this.cancelSignal.aborted ? "cancelled" : saved + skipped > 0 ? "done" : "failed";
    return { ...this.job, status, finished_at: finishedAt };
  }

  finish(ended: Job): void {
    this.job = ended;
    this.events.push({ type: "job", ...this.job });
    this.#notify();
  }

  #notify(): void {
    this.#nextChange.resolve();
    this.#nextChange = Promise.withResolvers();
  }
}
