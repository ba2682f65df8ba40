import type { Job } from "@agent-backends/contract";
import type { ItemSize, LongText, SentItems } from "./sent-items.ts";

/** Another process may take over a job whose lease wasn't renewed for this long. */
export const leaseMs = 30_000;

/** The data to ingest. The paths of its files are on this machine. */
export interface JobOrder extends SentItems {
  namespace: string;
  longTexts: readonly LongText[];
  /**
   * Whether the old documents of a source are deleted once a new one is stored. A positional source such as `text:0` never replaces
   * anything.
   */
  replaces: boolean;
}

export interface JobState {
  job: Job;
  /** How often a process has started to work on the job since an item was last settled. */
  attempts: number;
  /** The client that sent the job. Missing in jobs of earlier versions. */
  owner?: string | undefined;
  /** The size class of each item. Missing in jobs of earlier versions. */
  sizes?: readonly ItemSize[] | undefined;
}

/** The right to work on a job. Each new holder has a higher epoch, and writes of former holders are refused. */
export interface JobLease {
  id: string;
  epoch: number;
}

export interface JobCursor {
  createdAt: string;
  id: string;
}

export interface JobPage {
  owner: string;
  limit: number;
  /** The last job of the previous page. */
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
 * Ingest jobs, shared by all processes of the service, on any machine. A job is stored as a whole or not at all: its order and its
 * files are durable before it is acknowledged. Only one process at a time works on a job: the holder of its latest lease. When the
 * holder ends or stops renewing the lease, another process takes the job over with the next epoch.
 */
export interface JobStore {
  /** Minimum interval between two writes of a job's progress. Outcomes are written immediately. */
  readonly progressIntervalMs?: number;

  /** Creates a folder on this machine for the files of a new job. `create` takes it over. */
  stage(): Promise<string>;

  /** Stores a job durably and takes its lease. Its files are in the staged folder, which must not be used afterwards. */
  create(staged: string, state: JobState, order: JobOrder): Promise<JobLease>;

  /** `undefined` for an unknown job. */
  read(id: string): Promise<JobState | undefined>;

  /** An owner's jobs, newest first. */
  list(page: JobPage): Promise<Job[]>;

  /** The ids of a namespace's unfinished jobs, whichever process works on them. */
  listUnfinished(namespace: string): Promise<string[]>;

  /**
   * Takes the leases of all unfinished jobs that no process holds, oldest first. If several processes call it, each job goes to only
   * one of them.
   */
  claimAbandoned(): Promise<{ lease: JobLease; state: JobState }[]>;

  /** Fetches a job's files to this machine, where they stay until `finish` or `release`. `undefined` if the job has ended. */
  readOrder(lease: JobLease): Promise<JobOrder | undefined>;

  /** Replaces the state of an unfinished job. @throws LeaseLostError */
  writeState(lease: JobLease, state: JobState): Promise<void>;

  /** Stores the last state of a job durably and removes everything else of it. @throws LeaseLostError */
  finish(lease: JobLease, state: JobState): Promise<void>;

  /** Renews leases. For each one, returns whether its holder should continue, cancel the job, or leave it to another process. */
  renew(leases: readonly JobLease[]): Promise<("held" | "cancelled" | "lost")[]>;

  /** Gives up a lease if it is still held, and removes the job's files from this machine. */
  release(lease: JobLease): Promise<void>;

  /** Asks the process that works on a job, now or later, to end it. Ignored for an unknown job. */
  requestCancel(id: string): Promise<void>;

  /** Removes ended jobs over their limits, and what processes stored of new jobs before they died. */
  removeExpired(now: Date): Promise<void>;
}
