import type { RelayProfile } from "@agent-backends/contract";
import { limits } from "@agent-backends/contract";
import type { RunControl, RunKey, RunLog, RunReader, RunWriter, StoredRun } from "../run-log.ts";
import { eventsAfter, RunLostError } from "../run-log.ts";

const minSlabBytes = 1_024;
const maxSlabBytes = 64 * 1_024;
const sweepIntervalMs = 1_000;

/** Where a slab's events begin, and how much of it is filled. Filled bytes never change, so readers need no copy. */
interface Slab {
  readonly bytes: Buffer;
  length: number;
  /** The id of the last event before this slab. */
  readonly after: number;
}

/** Keeps runs in the memory of this process, so that only this process can resume them. */
export class MemoryRunLog implements RunLog {
  readonly counts = { appended: 0, lost: 0 };
  readonly #retentionMs: number;
  readonly #runs = new Map<string, MemoryRun>();
  /** The runs that have ended, the earliest first, with the time of their expiry. */
  readonly #ended = new Map<MemoryRun, number>();
  readonly #sweep: NodeJS.Timeout;
  #bytes = 0;

  constructor(options: { retentionMs: number }) {
    this.#retentionMs = options.retentionMs;
    this.#sweep = setInterval(() => this.#expire(), sweepIntervalMs).unref();
  }

  async create(key: RunKey, profile: RelayProfile, control: RunControl): Promise<RunWriter | undefined> {
    const name = toName(key);
    this.#expire();
    if (this.#runs.has(name)) return undefined;
    const run = new MemoryRun(name, profile, control, {
      grow: (bytes) => this.#grow(run, bytes),
      appended: () => {
        this.counts.appended += 1;
      },
      ended: () => void this.#ended.set(run, performance.now() + this.#retentionMs),
      lost: () => {
        this.counts.lost += 1;
      },
    });
    this.#runs.set(name, run);
    while (this.#runs.size > limits.runLogRuns && this.#dropEarliest());
    if (this.#runs.size > limits.runLogRuns) {
      run.discard(
        `More than ${limits.runLogRuns} runs were going on, which is the limit for runs that can be resumed.`,
      );
    }
    return run;
  }

  async find(key: RunKey): Promise<StoredRun | undefined> {
    this.#expire();
    const run = this.#runs.get(toName(key));
    run?.requireKept();
    return run;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
  }

  #grow(run: MemoryRun, bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > limits.runLogTotalBytes && this.#dropEarliest());
    if (this.#bytes > limits.runLogTotalBytes) {
      run.discard(`All runs together have more than ${limits.runLogTotalBytes} bytes, which is the limit.`);
    }
  }

  #expire(): void {
    const now = performance.now();
    for (const [run, expiresAt] of this.#ended) {
      if (expiresAt > now) return;
      this.#drop(run);
    }
  }

  #dropEarliest(): boolean {
    const [run] = this.#ended.keys();
    if (run) this.#drop(run);
    return run !== undefined;
  }

  #drop(run: MemoryRun): void {
    this.#ended.delete(run);
    this.#runs.delete(run.name);
    run.release("The run ended some time ago, and its events are no longer kept.");
  }
}

const toName = ({ owner, runId }: RunKey) => JSON.stringify([owner, runId]);

interface Events {
  /** May discard the run. */
  grow(bytes: number): void;
  appended(): void;
  ended(): void;
  lost(): void;
}

class MemoryRun implements RunWriter, StoredRun {
  readonly name: string;
  readonly profile: RelayProfile;
  readonly control: RunControl;
  readonly #events: Events;
  slabs: Slab[] = [];
  lastId = 0;
  hasEnded = false;
  #lostReason: string | undefined;
  #wakers: (() => void)[] = [];
  #readers = 0;

  constructor(name: string, profile: RelayProfile, control: RunControl, events: Events) {
    this.name = name;
    this.profile = profile;
    this.control = control;
    this.#events = events;
  }

  get isLost(): boolean {
    return this.#lostReason !== undefined;
  }

  append({ bytes, lastId, isLast }: { bytes: Buffer; lastId: number; isLast: boolean }): undefined {
    this.#write(bytes);
    this.#events.appended();
    this.lastId = lastId;
    if (isLast && !this.hasEnded) {
      this.hasEnded = true;
      this.#events.ended();
    }
    this.#wake();
  }

  discard(reason: string): void {
    if (this.isLost) return;
    this.#events.lost();
    this.release(reason);
    if (!this.hasEnded) this.#events.ended();
    this.hasEnded = true;
    this.#wake();
  }

  /** Frees the memory. Readers get the reason. */
  release(reason: string): void {
    this.#lostReason ??= reason;
    const slabs = this.slabs;
    this.slabs = [];
    this.#events.grow(-slabs.reduce((sum, { bytes }) => sum + bytes.length, 0));
  }

  /** @throws RunLostError */
  requireKept(): void {
    if (this.#lostReason !== undefined) throw new RunLostError(this.#lostReason);
  }

  openReader(after: number): RunReader {
    this.#readers += 1;
    return new MemoryReader(this, `${this.#readers}`, after);
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) this.control.stop();
  }

  /** Calls `wake` at the next change. */
  onChange(wake: () => void): void {
    this.#wakers.push(wake);
  }

  #wake(): void {
    if (this.#wakers.length === 0) return;
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }

  // Copies, because the socket's small buffers are parts of larger ones, which would stay in memory as a whole.
  #write(bytes: Buffer): void {
    let slab = this.slabs.at(-1);
    if (slab === undefined || slab.bytes.length - slab.length < bytes.length) {
      const next = slab === undefined ? minSlabBytes : Math.min(maxSlabBytes, slab.bytes.length * 2);
      slab = { bytes: Buffer.allocUnsafeSlow(Math.max(next, bytes.length)), length: 0, after: this.lastId };
      this.slabs.push(slab);
      this.#events.grow(slab.bytes.length);
    }
    bytes.copy(slab.bytes, slab.length);
    slab.length += bytes.length;
  }
}

class MemoryReader implements RunReader {
  readonly #run: MemoryRun;
  readonly #id: string;
  #slab: Slab | undefined;
  #place = 0;
  #after: number;
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
      const slab = slabs.findLast(({ after }) => after <= this.#after);
      if (slab === undefined || this.#after >= this.#run.lastId) return Buffer.alloc(0);
      const bytes = eventsAfter(slab.bytes.subarray(0, slab.length), this.#after);
      this.#slab = slab;
      this.#place = slab.length;
      if (bytes.length > 0) return bytes;
    }
    if (this.#place === this.#slab.length) {
      const next = slabs[slabs.indexOf(this.#slab) + 1];
      if (next === undefined) return Buffer.alloc(0);
      this.#slab = next;
      this.#place = 0;
    }
    const bytes = this.#slab.bytes.subarray(this.#place, this.#slab.length);
    this.#place = this.#slab.length;
    return bytes;
  }
}
