import type { RelayProfile } from "@agent-backends/contract";
import { limits } from "@agent-backends/contract";

/** Commands that a log passes to a run that it records, from any replica. */
export interface RunControl {
  /** Ends the run at a client's request. */
  stop(): void;
  /** A reader needs the run for this long, or until `unwatch`. */
  watch(reader: string, forMs: number): void;
  unwatch(reader: string): void;
}

/**
 * Stores the events of runs, so that clients can read them again from any event, while the run continues and for some time after its end.
 * Readers get exactly the bytes that were sent, each event with its id: 1, 2, 3 and so on.
 */
export interface RunLog {
  /**
   * Starts recording a run. Returns undefined if a run with this name already exists.
   *
   * @throws RunLogUnavailableError
   */
  create(name: string, profile: RelayProfile, control: RunControl): Promise<RunWriter | undefined>;
  /**
   * Returns undefined if there is no run with this name.
   *
   * @throws RunLogUnavailableError
   * @throws RunLostError
   */
  find(name: string): Promise<StoredRun | undefined>;
  readonly counts: RunLogCounts;
  close(): Promise<void>;
}

/** Counts since the start of the process. */
export interface RunLogCounts {
  /** Number of stored batches of events. */
  appended: number;
  /** Number of runs whose events couldn't be stored, or were dropped because a limit was reached. */
  lost: number;
}

export interface RunWriter {
  /** Whether the run can no longer be resumed. Later events need not be appended. */
  readonly isLost: boolean;
  /**
   * Stores the next events. Never rejects: a run whose events can't be stored is lost. Returns undefined if they are stored at once.
   *
   * @param batch.bytes the events in the form of a `StoredBatch`. They are overwritten after this call.
   * @param batch.lastId id of the last event
   * @param batch.isLast whether the run has ended
   */
  append(batch: { bytes: Buffer; lastId: number; isLast: boolean }): Promise<void> | undefined;
  /** Drops the stored events. Readers get the reason. */
  discard(reason: string): void;
}

/** A stored run, for its readers. */
export interface StoredRun {
  readonly profile: RelayProfile;
  readonly hasEnded: boolean;
  /** Id of the latest event. */
  readonly lastId: number;
  /** Opens a reader for the events after the given id. */
  openReader(after: number): RunReader;
  /** Ends the run, on whichever replica it executes. */
  stop(): Promise<void>;
}

export interface RunReader {
  /**
   * Returns the next events. Waits for them while the run continues. Returns undefined when all events were read, or when the reader is
   * closed.
   *
   * @throws RunLogUnavailableError
   * @throws RunLostError
   */
  next(): Promise<Buffer | undefined>;
  close(): void;
}

/** The log can't be reached, possibly only for a moment. */
export class RunLogUnavailableError extends Error {
  override readonly name = "RunLogUnavailableError";
  constructor(cause: unknown) {
    super("The run log can't be reached, so runs can't be resumed at the moment.", { cause });
  }
}

/** Why a run can't be resumed if too many are going on. */
export const describeTooManyRuns = () =>
  `More than ${limits.runLogRuns} runs were going on, which is the limit for runs that can be resumed.`;

/** The events of a run are no longer stored. The message tells a client why. */
export class RunLostError extends Error {
  override readonly name = "RunLostError";
}
