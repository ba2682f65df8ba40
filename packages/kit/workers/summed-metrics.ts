import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import type { MetricData } from "../observability/metrics.ts";
import type { Supervisor } from "./supervisor.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** A worker that takes longer counts with what it said last. */
const readTimeoutMs = 1_000;

/** Where a sum or the library's choice would mislead: of these the worst worker's value is shown. */
const worstOfWorkers = /^(nodejs_eventloop_lag_|process_(open|max)_fds$)/;

/** The metrics of all workers as one service. */
export class SummedMetrics {
  readonly #supervisor: Supervisor;
  /** Of this process: how the workers are. */
  readonly #registry = new Registry();
  /** What workers had counted that have ended: counters never go back. */
  readonly #ended: MetricData[][] = [];

  constructor(service: string, supervisor: Supervisor) {
    this.#supervisor = supervisor;
    this.#registry.setDefaultLabels({ service });
    const registers = [this.#registry];
    const workers: Gauge = new Gauge({
      name: "agent_workers",
      help: "Workers that listen.",
      registers,
      collect() {
        workers.set(supervisor.servingCount);
      },
    });
    const deaths: Counter = new Counter({
      name: "agent_worker_deaths_total",
      help: "Workers that ended by themselves.",
      registers,
      collect() {
        deaths.reset();
        deaths.inc(supervisor.deaths);
      },
    });
  }

  /** Keeps what this worker has counted when it ends. */
  follow(worker: WorkerProcess): void {
    void worker.exited.then(() => {
      this.#ended.push(worker.metrics.filter(({ type }) => type === "counter" || type === "histogram"));
    });
  }

  async text(): Promise<{ contentType: string; body: string }> {
    const workers = [...this.#supervisor.running];
    const ended = [...this.#ended];
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, readTimeoutMs);
    await Promise.all(workers.map((worker) => Promise.race([worker.readMetrics(), late.promise])));
    clearTimeout(timer);
    const all = sum([...workers.map(({ metrics }) => metrics), ...ended, await toData(this.#registry)]);
    if (ended.length > 1) {
      const endedTogether = await toData(sum(ended));
      this.#ended.splice(0, ended.length, endedTogether);
    }
    return { contentType: all.contentType, body: await all.metrics() };
  }
}

const toData = (registry: Registry): Promise<MetricData[]> =>
  registry.getMetricsAsJSON() as Promise<object[]> as Promise<MetricData[]>;

/** Adds the metrics of several processes up, each as its `aggregator` says. */
export function sum(processes: readonly MetricData[][]): Registry {
  return AggregatorRegistry.aggregate(
    processes.map((metrics) =>
      metrics.map((metric) => ({
        ...metric,
        aggregator: worstOfWorkers.test(metric.name) ? "max" : metric.aggregator,
      })),
    ),
  );
}
