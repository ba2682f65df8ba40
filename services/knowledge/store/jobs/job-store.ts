import type { Job } from "@agent-backends/contract";
import type { ItemSize, LongText, SentItems } from "./sent-items.ts";

/** Another process may take over a job whose lease was not renewed for this long. */
export const leaseMs = 30_000;

/** What is to be ingested. The paths of its files are on this machine. */
export interface JobOrder extends SentItems {
  namespace: string;
  longTexts: readonly LongText[];
  /** Whether the documents of a source are deleted once a new one is stored. A positional source such as `text:0` never replaces. */
  replaces: boolean;
}

export interface JobState {
  job: Job;
  /** How often a process has started to work on it since an item was settled last. */
  attempts: number;
  /** The client who sent it; absent in jobs of earlier versions. */
  owner?: string | undefined;
  /** The class of its largest item; absent in jobs of earlier versions. */
  size?: ItemSize | undefined;
}

/** The right to work on a job. Each further holder has a higher epoch, and what former holders still write is refused. */
export interface JobLease {
  id: string;
  epoch: number;
}

/** A job's position in a list. */
export interface JobCursor {
  createdAt: string;
  id: string;
}

export interface JobPage {
  owner: string;
  limit: number;
  /** The last job of the page before. */
  after?: JobCursor | undefined;
  status?: Job["status"] | undefined;
}

/** Another process has taken the job over. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";

  constructor({ id }: JobLease) {
    super(`Another process has taken over job ${id}.`);
  }
}

/**
 * Ingest jobs, shared by all processes of the service, wherever these run. A job is stored whole or not at all: its order and its
 * files are durable before it is acknowledged. One process at a time works on a job: the holder of its latest lease. When the holder
 * ends or stops renewing it, another process takes the job over with the next epoch.
 */
export interface JobStore {
  /** The progress of a job is written this often at most; outcomes are written at once. */
  readonly progressIntervalMs?: number;

  /** Creates a folder on this machine that receives the files of a new job. `create` takes it over. */
  stage(): Promise<string>;

  /** Stores a job durably and takes its lease. Its files are in the staged folder, which must not be used afterwards. */
  create(staged: string, state: JobState, order: JobOrder): Promise<JobLease>;

  /** `undefined` when there is no such job. */
  read(id: string): Promise<JobState | undefined>;

  /** Jobs of an owner, newest first. */
  list(page: JobPage): Promise<Job[]>;

  /** The ids of a namespace's jobs that have not ended, whoever works on them. */
  listUnfinished(namespace: string): Promise<string[]>;

  /** Takes the leases of all unfinished jobs that no process holds, the oldest first. Of several callers only one gets a job. */
  claimAbandoned(): Promise<{ lease: JobLease; state: JobState }[]>;

  /** Brings a job's files to this machine, where they stay until `finish` or `release`. `undefined` when the job has ended. */
  readOrder(lease: JobLease): Promise<JobOrder | undefined>;

  /** Replaces the state of a job that has not ended. @throws LeaseLostError */
  writeState(lease: JobLease, state: JobState): Promise<void>;

  /** Stores the last state of a job durably and removes everything else of it. @throws LeaseLostError */
  finish(lease: JobLease, state: JobState): Promise<void>;

  /** Renews leases, and tells for each what its holder has to do: go on, cancel the job, or leave it to another process. */
  renew(leases: readonly JobLease[]): Promise<("held" | "cancelled" | "lost")[]>;

  /** Gives up a lease, if it is still held, and removes the job's files from this machine. */
  release(lease: JobLease): Promise<void>;

  /** Asks the process that works on a job, now or later, to end it. Ignored when there is no such job. */
  requestCancel(id: string): Promise<void>;

  /** Removes ended jobs beyond their limits, and what of new jobs was stored by processes that died before they had all of it. */
  removeExpired(now: Date): Promise<void>;
}
