import type { RelayProfile } from "@agent-backends/contract";
import type { RunControl, RunReader, RunWriter, StoredRun } from "../run-log.ts";
import { RunLostError } from "../run-log.ts";
import { SentEvents } from "../stored-events.ts";
import type { PagePool } from "./page-pool.ts";
import { pageBytes } from "./page-pool.ts";

/** Maximum bytes of one read, and the minimum distance between marks. */
const readBytes = 64 * 1_024;

/** Start of a batch of events. */
interface Mark {
  /** Offset in the stored bytes of the run. */
  readonly place: number;
  /** Id of the last event before the batch. */
  readonly after: number;
}

/** Callbacks of a run to its log. */
interface LogEvents {
  onAppended(run: MemoryRun): void;
  /** The run can no longer be resumed. */
  onLost(): void;
  /** The run has ended or is lost. */
  onEnded(run: MemoryRun): void;
}

export class MemoryRun implements RunWriter, StoredRun {
  readonly name: string;
  readonly profile: RelayProfile;
  lastId = 0;
  /** Number of stored bytes. */
  length = 0;
  hasEnded = false;
  readonly #pool: PagePool;
  readonly #log: LogEvents;
  /** Undefined once the run has ended: the log keeps the run for some time, and its recording takes more memory. */
  #control: RunControl | undefined;
  #pages: number[] = [];
  #marks: Mark[] = [{ place: 0, after: 0 }];
  #lostReason: string | undefined;
  #wakers: (() => void)[] = [];
  #readers = 0;

  constructor(name: string, profile: RelayProfile, control: RunControl, pool: PagePool, log: LogEvents) {
    this.name = name;
    this.profile = profile;
    this.#control = control;
    this.#pool = pool;
    this.#log = log;
  }

  get isLost(): boolean {
    return this.#lostReason !== undefined;
  }

  append({ bytes, lastId, isLast }: { bytes: Buffer; lastId: number; isLast: boolean }): undefined {
    this.#write(bytes);
    this.lastId = lastId;
    this.#log.onAppended(this);
    if (isLast) this.#end();
    this.#wake();
  }

  discard(reason: string): void {
    if (this.isLost) return;
    this.#log.onLost();
    this.release(reason);
    this.#end();
    this.#wake();
  }

  /** Frees the memory. Readers get the reason. */
  release(reason: string): void {
    this.#lostReason ??= reason;
    for (const page of this.#pages) this.#pool.give(page);
    this.#pages = [];
    this.#marks = [];
  }

  /** @throws RunLostError */
  throwIfLost(): void {
    if (this.#lostReason !== undefined) throw new RunLostError(this.#lostReason);
  }

  openReader(after: number): RunReader {
    this.#readers += 1;
    return new MemoryReader(this, String(this.#readers), after);
  }

  async stop(): Promise<void> {
    this.#control?.stop();
  }

  watch(reader: string): void {
    this.#control?.watch(reader, Number.POSITIVE_INFINITY);
  }

  unwatch(reader: string): void {
    this.#control?.unwatch(reader);
  }

  /** Calls `wake` at the next change. */
  onChange(wake: () => void): void {
    this.#wakers.push(wake);
  }

  /** The last mark at or before the event that follows the given id. */
  findMark(after: number): Mark {
    return this.#marks.findLast((mark) => mark.after <= after) as Mark;
  }

  /** The stored bytes from `start` to `end`. */
  read(start: number, end: number): Buffer {
    const pieces: Buffer[] = [];
    for (let place = start; place < end; ) {
      const inPage = place % pageBytes;
      const length = Math.min(pageBytes - inPage, end - place);
      pieces.push(this.#pool.read(this.#pages[Math.floor(place / pageBytes)] as number, inPage, inPage + length));
      place += length;
    }
    return Buffer.concat(pieces);
  }

  #end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#control = undefined;
    this.#log.onEnded(this);
  }

  #wake(): void {
    if (this.#wakers.length === 0) return;
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }

  #write(bytes: Buffer): void {
    if (this.length - (this.#marks.at(-1)?.place ?? 0) >= readBytes) {
      this.#marks.push({ place: this.length, after: this.lastId });
    }
    for (let written = 0; written < bytes.length; ) {
      const inPage = this.length % pageBytes;
      if (inPage === 0) this.#pages.push(this.#pool.take());
      const count = this.#pool.write(this.#pages.at(-1) as number, inPage, bytes, written);
      written += count;
      this.length += count;
    }
  }
}

class MemoryReader implements RunReader {
  readonly #run: MemoryRun;
  readonly #id: string;
  readonly #after: number;
  /** Undefined before the first read. */
  #events: SentEvents | undefined;
  #place = 0;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(run: MemoryRun, id: string, after: number) {
    this.#run = run;
    this.#id = id;
    this.#after = after;
    run.watch(id);
  }

  async next(): Promise<Buffer | undefined> {
    while (!this.#isClosed) {
      this.#run.throwIfLost();
      const bytes = this.#take();
      if (bytes.length > 0) return bytes;
      if (this.#place < this.#run.length) continue;
      if (this.#run.hasEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#run.onChange(resolve);
      });
    }
    return undefined;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake?.();
    this.#run.unwatch(this.#id);
  }

  #take(): Buffer {
    const run = this.#run;
    if (this.#events === undefined) {
      const { place, after } = run.findMark(this.#after);
      this.#events = new SentEvents(after, this.#after);
      this.#place = place;
    }
    // Only whole events can be returned, so large events need several attempts.
    for (let size = readBytes; ; size *= 2) {
      const end = Math.min(this.#place + size, run.length);
      const stored = run.read(this.#place, end);
      const whole = end === run.length ? stored : stored.subarray(0, stored.lastIndexOf(0x0a) + 1);
      if (whole.length === 0 && end < run.length) continue;
      this.#place += whole.length;
      return this.#events.decode(whole);
    }
  }
}
