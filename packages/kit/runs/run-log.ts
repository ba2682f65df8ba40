import type { RelayProfile } from "@agent-backends/contract";

/** What a log passes on to a run that it records, from whichever replica it comes. */
export interface RunControl {
  /** Ends the run at a client's request. */
  stop(): void;
  /** A reader needs the run for this long, or until `unwatch`. */
  watch(reader: string, forMs: number): void;
  unwatch(reader: string): void;
}

/**
 * Keeps the events of runs, so that clients can read them again from any event on, while the run goes on and for some time after
 * its end. Readers get exactly the bytes that were sent, each event with its id: 1, 2, 3 and so on.
 */
export interface RunLog {
  /**
   * Starts to record a run. Returns undefined if there is one with this name.
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
  /** Batches of events that were stored. */
  appended: number;
  /** Runs whose events could not be stored, or are no longer kept because a limit was reached. */
  lost: number;
}

export interface RunWriter {
  /** Whether the run can no longer be resumed. Later events need not be appended. */
  readonly isLost: boolean;
  /**
   * Stores the next events. Never rejects: a run whose events can't be stored is lost. Returns undefined if they are stored at
   * once.
   *
   * @param batch.bytes the events as a `StoredBatch` collects them. They are overwritten after this call.
   * @param batch.lastId the id of its last event
   * @param batch.isLast whether the run has ended
   */
  append(batch: { bytes: Buffer; lastId: number; isLast: boolean }): Promise<void> | undefined;
  /** Drops what is stored. Readers get the reason. */
  discard(reason: string): void;
}

/** A run as its readers see it. */
export interface StoredRun {
  readonly profile: RelayProfile;
  readonly hasEnded: boolean;
  /** The id of its last event so far. */
  readonly lastId: number;
  /** Reads the events after the one with this id. */
  openReader(after: number): RunReader;
  /** Ends the run, on whichever replica it goes on. */
  stop(): Promise<void>;
}

export interface RunReader {
  /**
   * The next events. Waits for them while the run goes on. Returns undefined when all events were read, or the reader is closed.
   *
   * @throws RunLogUnavailableError
   * @throws RunLostError
   */
  next(): Promise<Buffer | undefined>;
  close(): void;
}

/** The log can't be reached, perhaps for a moment. */
export class RunLogUnavailableError extends Error {
  override readonly name = "RunLogUnavailableError";
  constructor(cause: unknown) {
    super("The run log can't be reached, so runs can't be resumed at the moment.", { cause });
  }
}

/** The events of a run aren't kept any more. The message tells a client why. */
export class RunLostError extends Error {
  override readonly name = "RunLostError";
}
