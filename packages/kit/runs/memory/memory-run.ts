import type { RelayProfile } from "@agent-backends/contract";
import type { RunControl, RunReader, RunWriter, StoredRun } from "../run-log.ts";
import { RunLostError } from "../run-log.ts";
import { countEvents, toSentEvents } from "../stored-events.ts";
import type { SlabPool } from "./slab-pool.ts";

interface Slab {
  readonly bytes: Buffer;
  /** How much of it is filled. */
  length: number;
  /** The id of the last event before this slab. */
  readonly after: number;
}

/** What a run tells its log. */
interface LogEvents {
  appended(): void;
  /** It can no longer be resumed. */
  lost(): void;
  /** It has ended, or is lost. */
  ended(run: MemoryRun): void;
}

export class MemoryRun implements RunWriter, StoredRun {
  readonly name: string;
  readonly profile: RelayProfile;
  readonly control: RunControl;
  slabs: Slab[] = [];
  lastId = 0;
  hasEnded = false;
  readonly #pool: SlabPool;
  readonly #events: LogEvents;
  #lostReason: string | undefined;
  #wakers: (() => void)[] = [];
  #readers = 0;

  constructor(name: string, profile: RelayProfile, control: RunControl, pool: SlabPool, events: LogEvents) {
    this.name = name;
    this.profile = profile;
    this.control = control;
    this.#pool = pool;
    this.#events = events;
  }

  get isLost(): boolean {
    return this.#lostReason !== undefined;
  }

  append({ bytes, lastId, isLast }: { bytes: Buffer; lastId: number; isLast: boolean }): undefined {
    this.#write(bytes);
    this.lastId = lastId;
    this.#events.appended();
    if (isLast) this.#end();
    this.#wake();
  }

  discard(reason: string): void {
    if (this.isLost) return;
    this.#events.lost();
    this.release(reason);
    this.#end();
    this.#wake();
  }

  /** Frees the memory. Readers get the reason. */
  release(reason: string): void {
    this.#lostReason ??= reason;
    for (const { bytes } of this.slabs) this.#pool.give(bytes);
    this.slabs = [];
  }

  /** @throws RunLostError */
  requireKept(): void {
    if (this.#lostReason !== undefined) throw new RunLostError(this.#lostReason);
  }

  openReader(after: number): RunReader {
    this.#readers += 1;
    return new MemoryReader(this, String(this.#readers), after);
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) this.control.stop();
  }

  /** Calls `wake` at the next change. */
  onChange(wake: () => void): void {
    this.#wakers.push(wake);
  }

  #end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#events.ended(this);
  }

  #wake(): void {
    if (this.#wakers.length === 0) return;
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }

  #write(bytes: Buffer): void {
    let slab = this.slabs.at(-1);
    if (slab === undefined || slab.bytes.length - slab.length < bytes.length) {
      slab = { bytes: this.#pool.take(bytes.length, slab === undefined), length: 0, after: this.lastId };
      this.slabs.push(slab);
    }
    bytes.copy(slab.bytes, slab.length);
    slab.length += bytes.length;
  }
}

class MemoryReader implements RunReader {
  readonly #run: MemoryRun;
  readonly #id: string;
  readonly #after: number;
  /** The slab that is read, what was read of it, and the id of the last event in that. */
  #slab: Slab | undefined;
  #place = 0;
  #lastId = 0;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(run: MemoryRun, id: string, after: number) {
    this.#run = run;
    this.#id = id;
    this.#after = after;
    run.control.watch(id, Number.POSITIVE_INFINITY);
  }

  async next(): Promise<Buffer | undefined> {
    while (!this.#isClosed) {
      this.#run.requireKept();
      const bytes = this.#take();
      if (bytes.length > 0) return bytes;
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
    this.#run.control.unwatch(this.#id);
  }

  #take(): Buffer {
    const { slabs } = this.#run;
    if (this.#slab === undefined) {
      this.#enter(slabs.findLast(({ after }) => after <= this.#after));
    } else if (this.#place === this.#slab.length) {
      this.#enter(slabs[slabs.indexOf(this.#slab) + 1]);
    }
    if (this.#slab === undefined) return Buffer.alloc(0);
    const stored = this.#slab.bytes.subarray(this.#place, this.#slab.length);
    const events = toSentEvents(stored, this.#lastId, this.#after);
    this.#place = this.#slab.length;
    this.#lastId += countEvents(stored);
    return events;
  }

  #enter(slab: Slab | undefined): void {
    if (slab === undefined) return;
    this.#slab = slab;
    this.#place = 0;
    this.#lastId = slab.after;
  }
}
