import type { RelayProfile } from "@agent-backends/contract";
import { limits } from "@agent-backends/contract";
import type { RunControl, RunLog, RunWriter, StoredRun } from "../run-log.ts";
import { describeTooManyRuns } from "../run-log.ts";
import { MemoryRun } from "./memory-run.ts";
import { PagePool } from "./page-pool.ts";

const sweepIntervalMs = 1_000;

/** Stores runs in the memory of this process, so that only this process can resume them. */
export class MemoryRunLog implements RunLog {
  readonly counts = { appended: 0, lost: 0 };
  readonly #retentionMs: number;
  readonly #pool = new PagePool();
  readonly #runs = new Map<string, MemoryRun>();
  /** Ended runs, the earliest first, with the time of their expiry. */
  readonly #ended = new Map<MemoryRun, number>();
  readonly #sweep: NodeJS.Timeout;
  /** Shared by all runs. */
  readonly #runEvents = {
    onAppended: (run: MemoryRun) => {
      this.counts.appended += 1;
      if (this.#pool.usedBytes > limits.runLogTotalBytes) this.#makeRoom(run);
    },
    onLost: () => {
      this.counts.lost += 1;
    },
    onEnded: (run: MemoryRun) => void this.#ended.set(run, performance.now() + this.#retentionMs),
  };

  constructor(options: { retentionMs: number }) {
    this.#retentionMs = options.retentionMs;
    this.#sweep = setInterval(() => {
      this.#expire();
      this.#pool.shrink();
    }, sweepIntervalMs).unref();
  }

  async create(name: string, profile: RelayProfile, control: RunControl): Promise<RunWriter | undefined> {
    this.#expire();
    if (this.#runs.has(name)) return undefined;
    const run = new MemoryRun(name, profile, control, this.#pool, this.#runEvents);
    this.#runs.set(name, run);
    while (this.#runs.size > limits.runLogRuns && this.#dropEarliest());
    if (this.#runs.size > limits.runLogRuns) run.discard(describeTooManyRuns());
    return run;
  }

  async find(name: string): Promise<StoredRun | undefined> {
    this.#expire();
    const run = this.#runs.get(name);
    run?.throwIfLost();
    return run;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
  }

  #makeRoom(run: MemoryRun): void {
    while (this.#pool.usedBytes > limits.runLogTotalBytes && this.#dropEarliest());
    if (this.#pool.usedBytes > limits.runLogTotalBytes) {
      run.discard(`The runs that are going on have more than ${limits.runLogTotalBytes} bytes, which is the limit.`);
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
