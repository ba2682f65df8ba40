import { expect, test } from "vitest";
import { createLogger } from "../logger.ts";
import { Supervisor } from "./supervisor.ts";
import type { WorkerProcess } from "./worker-process.ts";

type How = number | NodeJS.Signals;

/** A worker without a process. */
class FakeWorker {
  readonly #listening = Promise.withResolvers<string>();
  readonly #exited = Promise.withResolvers<How>();
  readonly orders: string[] = [];
  readonly number: number;
  readonly pid = 1;
  readonly startedAt = performance.now();
  readonly listening = this.#listening.promise;
  readonly exited = this.#exited.promise;
  readonly gone = this.exited;

  constructor(number: number) {
    this.number = number;
    this.listening.catch(() => undefined);
  }

  listen(): void {
    this.#listening.resolve("http://127.0.0.1:1");
  }

  exit(how: How): void {
    this.#exited.resolve(how);
    this.#listening.reject(new Error(`worker ${this.number} ended before it listened`));
  }

  order(order: string): void {
    this.orders.push(order);
    this.exit(0);
  }
}

function supervise(onStart: (worker: FakeWorker, all: FakeWorker[]) => void) {
  const started: FakeWorker[] = [];
  const waits: number[] = [];
  const log: string[] = [];
  const fatal = Promise.withResolvers<void>();
  const supervisor = new Supervisor({
    start(number) {
      const worker = new FakeWorker(number);
      started.push(worker);
      setImmediate(() => onStart(worker, started));
      return worker as unknown as WorkerProcess;
    },
    logger: createLogger("test", "info", { write: (line: string) => void log.push(JSON.parse(line).msg) }),
    onFatal: fatal.resolve,
    wait: async (ms) => void waits.push(ms),
  });
  return { supervisor, started, waits, log, fatal: fatal.promise };
}

test("a worker that dies is replaced at once, under its number", async () => {
  const { supervisor, started, waits } = supervise((worker) => worker.listen());
  await supervisor.start(2);
  started[1]?.exit("SIGKILL");
  await expect.poll(() => supervisor.servingCount).toBe(2);
  expect(started.map(({ number }) => number)).toEqual([1, 2, 2]);
  expect([supervisor.deaths, waits]).toEqual([1, []]);
});

test("workers that keep dying are started less and less often, until the service ends", async () => {
  const { supervisor, started, waits, log, fatal } = supervise((worker, all) => {
    if (all.length <= 2) worker.listen();
    else worker.exit(1);
  });
  await supervisor.start(2);
  started[0]?.exit(1);
  started[1]?.exit(1);
  await fatal;
  expect([waits[0], Math.max(...waits)]).toEqual([250, 10_000]);
  expect(log.at(-1)).toMatch(/^worker \d ended 9 times in a row: stops$/);
});

test("a worker that keeps dying doesn't end the service while another one listens", async () => {
  const { supervisor, started, waits } = supervise((worker, all) => {
    if (all.length <= 2 || all.length > 20) worker.listen();
    else worker.exit(1);
  });
  await supervisor.start(2);
  started[0]?.exit(1);
  await expect.poll(() => supervisor.servingCount).toBe(2);
  expect(Math.max(...waits)).toBe(10_000);
});

test("the first worker that can't start ends the start, before others are tried", async () => {
  const { supervisor, started } = supervise((worker) => worker.exit(1));
  await expect(supervisor.start(4)).rejects.toThrow("worker 1 ended before it listened");
  expect(started).toHaveLength(1);
});

test("a restart replaces one worker after the other, and stops at one that can't start", async () => {
  let works = true;
  const { supervisor, started, log } = supervise((worker) => (works ? worker.listen() : worker.exit(1)));
  await supervisor.start(2);
  await supervisor.restart();
  expect(started.map(({ number, orders }) => [number, ...orders])).toEqual([[1, "retire"], [2, "retire"], [1], [2]]);
  works = false;
  await supervisor.restart();
  expect(started.slice(2).map(({ orders }) => orders)).toEqual([[], [], []]);
  expect([supervisor.servingCount, supervisor.deaths]).toEqual([2, 0]);
  expect(log.at(-1)).toBe("the restart ends: a new worker could not start");
  // The one that stays is still replaced if it dies.
  works = true;
  started[2]?.exit("SIGSEGV");
  await expect.poll(() => supervisor.deaths).toBe(1);
  await expect.poll(() => supervisor.servingCount).toBe(2);
});

test("a restart during a restart follows it", async () => {
  const { supervisor, started } = supervise((worker) => worker.listen());
  await supervisor.start(2);
  await Promise.all([supervisor.restart(), supervisor.restart(), supervisor.restart()]);
  expect(started).toHaveLength(6);
});

test("a stop drains every worker and tells whether one of them failed", async () => {
  const { supervisor, started } = supervise((worker) => worker.listen());
  await supervisor.start(2);
  expect(await supervisor.stop(1_000)).toBe(true);
  expect(started.map(({ orders }) => orders)).toEqual([["drain"], ["drain"]]);
});
