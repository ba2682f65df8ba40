import type { Job } from "@agent-backends/contract";
import type { IngestOrder } from "../ingest/ingest.ts";

/** Another process may take over a job whose lease was not renewed for this long. */
export const leaseMs = 30_000;

/** What is to be ingested. The paths of its files are on this machine. */
export type JobOrder = Pick<IngestOrder, "namespace" | "sources" | "files" | "replaces" | "metadata"> &
  Required<Pick<IngestOrder, "longTexts">>;

export interface JobState {
  job: Job;
  /** How often a process has started to work on it. */
  attempts: number;
  /** The client who sent it; absent in jobs of earlier versions. */
  owner?: string | undefined;
}

/**
 * Ingest jobs, shared by all processes of the service. A job is stored whole or not at all. One process at a time works on a job: it
 * holds the job's lease, which others take over when its holder ends or stops renewing it.
 */
export interface JobStore {
  /** Creates a folder on this machine that receives the files of a new job. `create` takes it over. */
  stage(): Promise<string>;

  /** Stores a job durably and takes its lease. Its files lie in the staged folder. */
  create(staged: string, state: JobState, order: JobOrder): Promise<void>;

  /** The ids of all jobs. Removes what was staged by processes that ended, or too long ago, and never became a job. */
  list(now: Date): Promise<string[]>;

  /** `undefined` when there is no such job. */
  readState(id: string): Promise<JobState | undefined>;

  /** `undefined` when there is no such job, or it has ended. */
  readOrder(id: string): Promise<JobOrder | undefined>;

  /** Replaces the state of a job that has not ended. */
  writeState(id: string, state: JobState): Promise<void>;

  /** Stores the last state of a job durably and removes everything else of it. */
  finish(id: string, state: JobState): Promise<void>;

  remove(id: string): Promise<void>;

  /** Takes the lease of a job if nobody holds it. If two processes succeed at once, both do the same work, which is harmless. */
  claim(id: string): Promise<boolean>;

  /** Renews the lease of a job. @returns whether the job was cancelled */
  renew(id: string): Promise<{ isCancelled: boolean }>;

  release(id: string): Promise<void>;

  /** Asks the process that works on a job, now or later, to end it. Ignored when there is no such job. */
  requestCancel(id: string): Promise<void>;
}
