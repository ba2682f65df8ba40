import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** Delay before the second restart in a row. The first one is immediate. Doubles on each further one. */
const initialRestartDelayMs = 250;
const maxRestartDelayMs = 10_000;
/** A restart after this uptime counts as the first one again. */
const stableAfterMs = 60_000;
/** Maximum restarts of a worker in a row while no other worker listens. Then the service ends. */
const maxRestarts = 8;

/** Keeps a fixed number of workers running. */
export class Supervisor {
  readonly #start: (number: number) => WorkerProcess;
  readonly #logger: Logger;
  readonly #onFatal: () => void;
  readonly #wait: (ms: number) => Promise<void>;
  /** Workers that listen and accept connections, by number. */
  readonly #serving = new Map<number, WorkerProcess>();
  readonly #running = new Set<WorkerProcess>();
  /** Workers that are being replaced, or have been. */
  readonly #replaced = new WeakSet<WorkerProcess>();
  /** Workers that have ended, or stopped accepting connections, without being told to. */
  readonly #failedWorkers = new WeakSet<WorkerProcess>();
  /** Retired workers that still have connections. */
  readonly #retiring = new Set<WorkerProcess>();
  #restarting: Promise<void> | undefined;
  #restartingAgain: Promise<void> | undefined;
  #isStopping = false;
  /** Number of workers that have ended unexpectedly. */
  deaths = 0;

  /**
   * @param options.start starts the worker with this number
   * @param options.onFatal called when no worker can be kept running
   */
  constructor(options: {
    start(number: number): WorkerProcess;
    logger: Logger;
    onFatal(): void;
    wait?: (ms: number) => Promise<void>;
  }) {
    this.#start = options.start;
    this.#logger = options.logger;
    this.#onFatal = options.onFatal;
    this.#wait = options.wait ?? ((ms) => delay(ms));
  }

  /** All workers that have not ended. */
  get running(): ReadonlySet<WorkerProcess> {
    return this.#running;
  }

  get servingCount(): number {
    return this.#serving.size;
  }

  /**
   * Starts the workers. Resolves with their address once all are listening.
   *
   * @throws Error if a worker ends before that
   */
  async start(count: number): Promise<string> {
    // Start the first worker alone, so that an error that prevents the start is reported once.
    const first = this.#launch(1);
    await first.listening;
    const workers = [first, ...Array.from({ length: count - 1 }, (_, index) => this.#launch(index + 2))];
    const [address = ""] = await Promise.all(workers.map(({ listening }) => listening));
    for (const worker of workers) this.#restartOnExit(worker);
    return address;
  }

  /**
   * Replaces the workers one after the other. A new worker listens before the old one stops accepting connections, and the old one ends
   * when its connections have ended. Stops early if a new worker can't start. If called during a restart, another restart follows.
   */
  restart(): Promise<void> {
    if (this.#restarting) {
      this.#restartingAgain ??= this.#restarting.then(() => {
        this.#restartingAgain = undefined;
        return this.restart();
      });
      return this.#restartingAgain;
    }
    this.#restarting = this.#replaceEach().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /** Lets all workers drain. Resolves with whether all of them ended without an error within this time. */
  async stop(timeoutMs: number): Promise<boolean> {
    this.#isStopping = true;
    const workers = [...this.#running];
    for (const worker of workers) worker.order("drain");
    const late = setTimeout(() => this.kill(), timeoutMs);
    const codes = await Promise.all(workers.map(({ exited }) => exited));
    clearTimeout(late);
    return codes.every((code) => code === 0);
  }

  kill(): void {
    this.#isStopping = true;
    for (const worker of this.#running) worker.kill();
  }

  #launch(number: number): WorkerProcess {
    const worker = this.#start(number);
    this.#running.add(worker);
    void worker.exited.then(() => {
      this.#running.delete(worker);
      this.#retiring.delete(worker);
    });
    worker.listening.then(
      () => this.#serving.set(number, worker),
      () => undefined,
    );
    return worker;
  }

  /** Starts another worker when this one ends unexpectedly. */
  #restartOnExit(worker: WorkerProcess, restarts = 0): void {
    worker.gone
      .then((how) => this.#onGone(worker, how, restarts))
      .catch((error: unknown) => {
        this.#logger.fatal({ err: error }, "a worker could not be started");
        this.#onFatal();
      });
  }

  async #onGone(worker: WorkerProcess, how: string | number, restarts: number): Promise<void> {
    const { number, pid } = worker;
    this.#failedWorkers.add(worker);
    if (this.#serving.get(number) === worker) this.#serving.delete(number);
    if (this.#isStopping || this.#replaced.has(worker)) return;
    this.deaths += 1;
    const inARow = performance.now() - worker.startedAt > stableAfterMs ? 0 : restarts;
    if (inARow >= maxRestarts && this.#serving.size === 0) {
      this.#logger.fatal({ how }, `worker ${number} ended ${inARow + 1} times in a row: stops`);
      this.#onFatal();
      return;
    }
    this.#logger.error({ pid, how }, `worker ${number} ended by itself; another one is started`);
    if (inARow > 0) await this.#wait(Math.min(initialRestartDelayMs * 2 ** (inARow - 1), maxRestartDelayMs));
    if (!this.#isStopping) this.#restartOnExit(this.#launch(number), inARow + 1);
  }

  async #replaceEach(): Promise<void> {
    this.#logger.info("workers are restarted one after the other");
    const count = this.#serving.size;
    for (const [number, worker] of [...this.#serving]) {
      // Each retiring worker uses memory until its last connection has ended.
      while (this.#retiring.size >= count) await Promise.race([...this.#retiring].map(({ exited }) => exited));
      if (this.#isStopping) return;
      this.#replaced.add(worker);
      const next = this.#launch(number);
      try {
        await next.listening;
      } catch (error) {
        this.#replaced.delete(worker);
        // The worker ended while it was about to be replaced.
        if (this.#failedWorkers.has(worker)) this.#restartOnExit(worker);
        if (!this.#isStopping) this.#logger.error({ err: error }, "the restart ends: a new worker could not start");
        return;
      }
      this.#retiring.add(worker);
      worker.order("retire");
      this.#restartOnExit(next);
    }
    this.#logger.info("all workers were restarted");
  }
}
