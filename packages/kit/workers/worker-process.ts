import type { Worker } from "node:cluster";
import cluster from "node:cluster";
import type { MetricData } from "../observability/metrics.ts";
import { handBackConnections } from "./hand-back-connections.ts";
import type { PrimaryMessage, WorkerMessage } from "./messages.ts";
import { Outbox, workerVariable } from "./messages.ts";
import type { WorkerCounts } from "./worker-counts.ts";

/** A worker that takes longer to listen is killed. */
const startTimeoutMs = 120_000;

/** The primary's view of a worker. */
export class WorkerProcess {
  readonly number: number;
  readonly startedAt = performance.now();
  /** Resolves with the worker's address when it listens. Rejects if it ends before that. */
  readonly listening: Promise<string>;
  /** Resolves with the exit code, or with the signal that ended the worker. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Resolves when the worker accepts no more connections: it has ended, or is about to. */
  readonly gone: Promise<number | NodeJS.Signals | "failing">;
  /** Metrics as of the last scrape, or of the worker's end. */
  metrics: MetricData[] = [];
  readonly #worker: Worker;
  readonly #outbox: Outbox<PrimaryMessage>;
  #onMetrics = () => {};

  /** @param options.counts the worker's counts; released when it ends */
  constructor(options: {
    number: number;
    environment: Record<string, string | undefined>;
    counts: WorkerCounts;
  }) {
    this.number = options.number;
    const worker = cluster.fork({ ...options.environment, [workerVariable]: String(options.number) });
    this.#worker = worker;
    handBackConnections(worker);
    this.#outbox = new Outbox((messages) => {
      if (worker.isConnected()) worker.send(messages, () => undefined);
    });
    // Sending a message to a worker that has just died fails.
    worker.on("error", () => undefined);
    const [listening, exited, failing] = [
      Promise.withResolvers<string>(),
      Promise.withResolvers<number | NodeJS.Signals>(),
      Promise.withResolvers<"failing">(),
    ];
    this.listening = listening.promise;
    this.exited = exited.promise;
    this.gone = Promise.race([exited.promise, failing.promise]);
    const late = setTimeout(() => worker.process.kill("SIGKILL"), startTimeoutMs);
    worker.on("message", (messages: WorkerMessage[]) => {
      for (const message of messages) {
        if ("address" in message) {
          clearTimeout(late);
          listening.resolve(message.address);
        } else if ("failing" in message) failing.resolve("failing");
        else if ("metrics" in message) {
          this.metrics = message.metrics;
          this.#onMetrics();
        } else void options.counts.receive(message, (answer) => this.#outbox.add(answer));
      }
    });
    worker.on("exit", (code: number | null, signal: NodeJS.Signals) => {
      clearTimeout(late);
      options.counts.close();
      exited.resolve(code ?? signal);
      listening.reject(new Error(`worker ${options.number} ended before it listened (${code ?? signal})`));
      this.#onMetrics();
    });
    this.listening.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  order(order: "drain" | "retire"): void {
    this.#outbox.add({ order });
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }

  /** Requests the worker's metrics. Resolves when they have arrived, or the worker has ended. */
  readMetrics(): Promise<void> {
    return new Promise((resolve) => {
      this.#onMetrics = resolve;
      this.#outbox.add({ wanted: "metrics" });
    });
  }
}
