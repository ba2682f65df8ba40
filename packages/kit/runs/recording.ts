import { limits } from "@agent-backends/contract";
import type { EventBuffer, EventSink } from "./event-buffer.ts";
import { EventIds } from "./event-buffer.ts";
import type { ShownFailure } from "./run-errors.ts";
import { runFailures } from "./run-errors.ts";
import type { RunControl, RunWriter } from "./run-log.ts";
import type { StoredBatch } from "./stored-events.ts";

/** Bytes that clients of all runs of this process haven't read yet. */
export interface Backlog {
  bytes: number;
}

/** What a recording ends, and what waits for it. */
export interface RecordedRun {
  fail(failure: ShownFailure): void;
  /** The log has stored what it was given. */
  resume(): void;
}

/** Events on their way to the log and then to the client. */
interface Piece {
  /** As they are stored. */
  bytes: Buffer;
  /** As they are sent. */
  data: Buffer;
  lastId: number;
  isLast: boolean;
  client: RecordedClient;
}

/** Whom the events of a recorded run are sent to. An object, not a closure: see `StreamListener`. */
export interface RecordedClient {
  /** @param data what was given to `append` */
  deliver(data: Buffer, isLast: boolean): void;
}

/**
 * Records a run. Its events get ids, and are delivered to the client once they are stored. The events of several reads from the
 * provider are stored together while the log is busy. Ends the run if nobody has read it for some time.
 */
export class Recording implements RunControl, EventSink<object> {
  readonly #events: EventBuffer;
  readonly #batch: StoredBatch;
  readonly #orphanMs: number;
  readonly #backlog: Backlog;
  /** Identifies the run among those of this process. */
  readonly name: string;
  readonly #onEnd: ((recording: Recording) => void) | undefined;
  #ownBacklog = 0;
  #writer: RunWriter | undefined;
  #run: RecordedRun | undefined;
  readonly #ids = new EventIds();
  #storedBytes = 0;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #isStoring = false;
  /** The run waits for its client, so that the log must not let it go on. */
  #isHeldBack = false;
  #hasEnded = false;
  #hasClient = true;
  /** When each reader's need for the run ends, in the time of `performance.now()`. */
  readonly #readers = new Map<string, number>();
  #orphanTimer: NodeJS.Timeout | undefined;
  #stopRequested = false;

  /**
   * @param options.onEnd called once, when the run has ended. Shared by all recordings, so that it costs none of them a closure
   */
  constructor(options: {
    events: EventBuffer;
    batch: StoredBatch;
    orphanMs: number;
    backlog: Backlog;
    name?: string;
    onEnd?: (recording: Recording) => void;
  }) {
    this.#events = options.events;
    this.#batch = options.batch;
    this.#orphanMs = options.orphanMs;
    this.#backlog = options.backlog;
    this.name = options.name ?? "";
    this.#onEnd = options.onEnd;
  }

  /** @param writer undefined if the log can't be reached: the run can't be resumed */
  begin(writer: RunWriter | undefined): void {
    this.#writer = writer;
  }

  attach(run: RecordedRun): void {
    this.#run = run;
    if (this.#stopRequested) this.stop();
  }

  event(event: object): void {
    const json = JSON.stringify(event);
    this.#events.json(json, this.#ids.nextLine());
    this.#batch.event(json);
  }

  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void {
    this.#events.eventWithLiteral(this.#ids.nextBefore(prefix), bytes, start, end);
    this.#batch.eventWithLiteral(prefix, bytes, start, end);
  }

  /**
   * Stores the events since the last call, then delivers them. Returns false when too much waits to be stored.
   *
   * @param data what waits to be delivered
   * @param isLent whether the data may change after this call
   */
  append(data: Buffer, isLast: boolean, client: RecordedClient, isLent = false): boolean {
    if (isLast) this.#end();
    const bytes = this.#batch.take();
    const { last: lastId } = this.#ids;
    const stored = this.#isStoring ? undefined : this.#store(bytes, lastId, isLast);
    if (!this.#isStoring && stored === undefined) {
      client.deliver(data, isLast);
      return true;
    }
    const piece = { bytes, data: isLent ? Buffer.from(data) : data, lastId, isLast, client };
    if (stored) this.#deliverOnce(stored, [piece]);
    else this.#waiting.push({ ...piece, bytes: Buffer.from(bytes) });
    this.#waitingBytes += data.length;
    return this.#waitingBytes < limits.runUnstoredBytes;
  }

  /**
   * Notes how far behind the client is. Returns false when the run should wait for it: a client that is behind slows down neither
   * the log nor its other readers, as long as the memory for that lasts.
   */
  noteBacklog(bytes: number): boolean {
    this.#backlog.bytes += bytes - this.#ownBacklog;
    this.#ownBacklog = bytes;
    this.#isHeldBack = bytes > 0 && (this.#isLost || this.#backlog.bytes >= limits.runBacklogBytes);
    return !this.#isHeldBack;
  }

  /** The run ends without its last event, because of an error in the relay. */
  discard(): void {
    this.#end();
    this.#batch.take();
    this.#writer?.discard("The relay failed on this run.");
  }

  clientLeft(): void {
    this.noteBacklog(0);
    // The run may have been waiting for this client.
    this.#run?.resume();
    this.#hasClient = false;
    this.#checkOrphaned();
  }

  watch(reader: string, forMs: number): void {
    this.#readers.set(reader, performance.now() + forMs);
    this.#checkOrphaned();
  }

  unwatch(reader: string): void {
    this.#readers.delete(reader);
    this.#checkOrphaned();
  }

  stop(): void {
    this.#stopRequested = true;
    this.#run?.fail(runFailures.stopped);
  }

  get #isLost(): boolean {
    return this.#writer === undefined || this.#writer.isLost;
  }

  #deliverOnce(stored: Promise<void>, pieces: Piece[]): void {
    this.#isStoring = true;
    void stored.then(() => {
      this.#isStoring = false;
      this.#deliver(pieces);
      this.#storeWaiting();
      if (!this.#isHeldBack) this.#run?.resume();
    });
  }

  #storeWaiting(): void {
    const pieces = this.#waiting;
    const last = pieces.at(-1);
    if (last === undefined) return;
    this.#waiting = [];
    const stored = this.#store(Buffer.concat(pieces.map(({ bytes }) => bytes)), last.lastId, last.isLast);
    if (stored === undefined) this.#deliver(pieces);
    else this.#deliverOnce(stored, pieces);
  }

  /** Returns undefined if the events are stored at once, or the run can't be resumed. */
  #store(bytes: Buffer, lastId: number, isLast: boolean): Promise<void> | undefined {
    if (this.#isLost) return undefined;
    this.#storedBytes += bytes.length;
    if (this.#storedBytes > limits.runLogBytes || lastId > limits.runLogEvents) {
      this.#writer?.discard(
        `The run has more than ${limits.runLogEvents} events or ${limits.runLogBytes} bytes, which is the limit for runs that can be resumed.`,
      );
      return undefined;
    }
    return this.#writer?.append({ bytes, lastId, isLast });
  }

  #deliver(pieces: Piece[]): void {
    for (const { data, isLast, client } of pieces) {
      this.#waitingBytes -= data.length;
      client.deliver(data, isLast);
    }
  }

  #end(): void {
    if (!this.#hasEnded) this.#onEnd?.(this);
    this.#hasEnded = true;
    clearTimeout(this.#orphanTimer);
    // A log keeps the recording for some time. The run is much larger.
    this.#run = undefined;
  }

  /** A run without readers ends once nobody has read it for `orphanMs`. */
  #checkOrphaned(): void {
    clearTimeout(this.#orphanTimer);
    if (this.#hasEnded || this.#hasClient) return;
    const now = performance.now();
    const waitMs = Math.max(0, ...this.#readers.values(), now) + this.#orphanMs - now;
    if (waitMs === Number.POSITIVE_INFINITY) return;
    if (waitMs === 0) this.#run?.fail(runFailures.orphaned);
    else this.#orphanTimer = setTimeout(() => this.#run?.fail(runFailures.orphaned), waitMs);
  }
}
