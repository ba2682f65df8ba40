import { limits } from "@agent-backends/contract";
import { toOneLine } from "../streams/event-stream.ts";
import type { EventBuffer, EventSink } from "./event-buffer.ts";
import { EventIds } from "./event-buffer.ts";
import type { ShownFailure } from "./run-errors.ts";
import { runFailures } from "./run-errors.ts";
import type { RunControl, RunWriter } from "./run-log.ts";
import type { StoredBatch } from "./stored-events.ts";

/** Bytes that the clients of all runs of this process haven't read yet. */
export interface Backlog {
  bytes: number;
}

/** The live run, which a recording can end or resume. */
export interface RecordedRun {
  fail(failure: ShownFailure): void;
  /** Called when the log has stored the appended events. */
  resume(): void;
}

/** Events that are waiting to be stored and then delivered. */
interface Piece {
  /** The events in stored form. */
  bytes: Buffer;
  /** The events in the form that is sent. */
  data: Buffer;
  lastId: number;
  isLast: boolean;
  client: RecordedClient;
}

/** Receives the events of a recorded run. An object instead of a closure: see `StreamListener`. */
export interface RecordedClient {
  /** @param data the data that was passed to `append` */
  deliver(data: Buffer, isLast: boolean): void;
}

/**
 * Records a run. Assigns ids to its events, and delivers them to the client once they are stored. While the log is busy, the events of
 * several provider reads are stored together. Ends the run if nobody has read it for some time.
 */
export class Recording implements RunControl, EventSink<object> {
  readonly #events: EventBuffer;
  readonly #batch: StoredBatch;
  readonly #orphanMs: number;
  readonly #backlog: Backlog;
  /** Identifies the run among those of this process. */
  readonly name: string;
  readonly #onEnd: ((recording: Recording) => void) | undefined;
  #backlogBytes = 0;
  #writer: RunWriter | undefined;
  #run: RecordedRun | undefined;
  readonly #ids = new EventIds();
  #storedBytes = 0;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #isStoring = false;
  /** The run waits for its client, so the log must not resume it. */
  #isAwaitingClient = false;
  #hasEnded = false;
  #hasClient = true;
  /** Time at which each reader's watch expires, as `performance.now()`. */
  readonly #readers = new Map<string, number>();
  #orphanTimer: NodeJS.Timeout | undefined;
  #isStopRequested = false;

  /** @param options.onEnd called once, when the run has ended. Shared by all recordings, which avoids a closure for each */
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

  /** @param writer undefined if the log can't be reached: the run can't be resumed then */
  begin(writer: RunWriter | undefined): void {
    this.#writer = writer;
  }

  attach(run: RecordedRun): void {
    this.#run = run;
    if (this.#isStopRequested) this.stop();
  }

  event(event: object): void {
    const json = toOneLine(event);
    this.#events.json(json, this.#ids.nextLine());
    this.#batch.event(json);
  }

  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void {
    this.#events.eventWithLiteral(this.#ids.nextBefore(prefix), bytes, start, end);
    this.#batch.eventWithLiteral(prefix, bytes, start, end);
  }

  /**
   * Stores the events since the last call, then delivers them. Returns false when too much data waits to be stored.
   *
   * @param data the bytes to deliver
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
   * Records how far behind the client is. Returns false when the run should wait for it. A slow client holds up neither the log nor other
   * readers until the memory limit for that is reached.
   */
  noteBacklog(bytes: number): boolean {
    this.#backlog.bytes += bytes - this.#backlogBytes;
    this.#backlogBytes = bytes;
    this.#isAwaitingClient = bytes > 0 && (this.#isLost || this.#backlog.bytes >= limits.runBacklogBytes);
    return !this.#isAwaitingClient;
  }

  /** Ends the run without its last event, because of an error in the relay. */
  discard(): void {
    this.#end();
    this.#batch.take();
    this.#writer?.discard(runFailures.failed.message);
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
    this.#isStopRequested = true;
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
      if (!this.#isAwaitingClient) this.#run?.resume();
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

  /** Returns undefined if the events are stored at once, or if the run can't be resumed. */
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
    // A log keeps the recording for some time. The run takes much more memory.
    this.#run = undefined;
  }

  /** Ends a run that has no reader, once nobody has read it for `orphanMs`. */
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
