import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";
import type { MetricData } from "../observability/metrics.ts";
import { withinTime } from "../timeouts/index.ts";
import type { Supervisor } from "./supervisor.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** If a worker takes longer, its last known metrics are used. */
const readTimeoutMs = 1_000;

/** Metrics for which a sum, or the library's choice, would mislead. The value of the worst worker is shown. */
const worstOfWorkers = /^(nodejs_eventloop_lag_|process_(open|max)_fds$)/;

/** The metrics of all workers, combined into those of one service. */
export class SummedMetrics {
  readonly #supervisor: Supervisor;
  /** The primary's own metrics about the state of the workers. */
  readonly #registry = new Registry();
  /** Final counts of workers that have ended: counters must never decrease. */
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

  /** Keeps the worker's counts after it ends. */
  follow(worker: WorkerProcess): void {
    void worker.exited.then(() => {
      this.#ended.push(worker.metrics.filter(({ type }) => type === "counter" || type === "histogram"));
    });
  }

  async text(): Promise<{ contentType: string; body: string }> {
    const workers = [...this.#supervisor.running];
    const ended = [...this.#ended];
    await withinTime(readTimeoutMs, Promise.all(workers.map((worker) => worker.readMetrics())));
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

/** Combines the metrics of several processes, each according to its `aggregator`. */
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
