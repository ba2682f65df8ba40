import type { Server } from "node:http";
import { createServer } from "node:http";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Upper bounds in seconds. A first token takes from milliseconds to a minute, a whole answer up to many minutes. */
const firstTokenBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** A metric that is read on demand: a gauge, or a counter since the start of the process. */
export interface Reading {
  kind: "gauge" | "counter";
  /** Named as Prometheus recommends, with its unit. */
  name: string;
  help: string;
  /** The name of its only label. */
  label?: string;
  /** What the values of several workers are together. Default: their sum. */
  together?: "sum" | "max";
  read(): Promise<number | Record<string, number>> | number | Record<string, number>;
}

/** A metric as plain data, which one process can send to another. */
export interface MetricData {
  name: string;
  type: string;
  aggregator: string;
  values: { value: number }[];
}

const toSeconds = (milliseconds: number) => milliseconds / 1_000;

/**
 * Metrics for Prometheus, named by its convention: https://prometheus.io/docs/practices/naming/. The default metrics of the
 * process (`process_…`, `nodejs_…`) are included.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = this.#counter("http_requests_total", "Answered requests.", [
    "route",
    "method",
    "status",
    "outcome",
  ]);
  readonly #durations = this.#histogram(
    "http_request_duration_seconds",
    "From a request's arrival to the end of its answer.",
    ["route"],
    durationBuckets,
  );
  readonly #firstTokens = this.#histogram(
    "first_token_seconds",
    "From a request's arrival to the first text of the model.",
    ["route"],
    firstTokenBuckets,
  );
  readonly #tokens = this.#counter("tokens_total", "Tokens, as the provider counted them.", ["direction"]);
  readonly #providerErrors = this.#counter("provider_errors_total", "Failed calls of the model provider.", ["kind"]);
  readonly #stages = this.#histogram(
    "ingest_stage_duration_seconds",
    "How long an item was in a stage of its ingest.",
    ["stage"],
    durationBuckets,
  );

  constructor(service: string, open: Readonly<Record<"requests" | "streams", number>>) {
    this.#registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.#registry });
    this.add({ kind: "gauge", name: "http_requests_open", help: "Requests in progress.", read: () => open.requests });
    this.add({ kind: "gauge", name: "streams_open", help: "Streams in progress.", read: () => open.streams });
  }

  /** Adds a service-specific metric. */
  add({ kind, name, help, label, together = "sum", read }: Reading): void {
    const labelNames = label === undefined ? [] : [label];
    const options = { name: addPrefix(name), help, labelNames, registers: [this.#registry], aggregator: together };
    const collect = async () => {
      const value = await read();
      metric.reset();
      const values = typeof value === "number" ? { "": value } : value;
      for (const [of, number] of Object.entries(values)) {
        const labels = label === undefined ? {} : { [label]: of };
        if (metric instanceof Gauge) metric.set(labels, number);
        else metric.inc(labels, number);
      }
    };
    const metric = kind === "gauge" ? new Gauge({ ...options, collect }) : new Counter({ ...options, collect });
  }

  answered(request: {
    labels: { route: string; method: string; status: number; outcome: string };
    durationMs: number;
    firstTokenMs: number | undefined;
  }): void {
    const { labels, durationMs, firstTokenMs } = request;
    const { route } = labels;
    this.#requests.inc(labels);
    this.#durations.observe({ route }, toSeconds(durationMs));
    if (firstTokenMs !== undefined) this.#firstTokens.observe({ route }, toSeconds(firstTokenMs));
  }

  tokens({ input = 0, output = 0 }: { input?: number | undefined; output?: number | undefined }): void {
    this.#tokens.inc({ direction: "input" }, input);
    this.#tokens.inc({ direction: "output" }, output);
  }

  providerError(kind: string): void {
    this.#providerErrors.inc({ kind });
  }

  ingestStage(stage: string, durationMs: number): void {
    this.#stages.observe({ stage }, toSeconds(durationMs));
  }

  /** All metrics in Prometheus's text format, with its media type. */
  async text(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  /** Returns all metrics as plain data. */
  snapshot(): Promise<MetricData[]> {
    // The library's type declares metric types as numbers, but they are strings.
    return this.#registry.getMetricsAsJSON() as Promise<object[]> as Promise<MetricData[]>;
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: addPrefix(name), help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, labelNames: string[], buckets: number[]): Histogram {
    return new Histogram({ name: addPrefix(name), help, labelNames, buckets, registers: [this.#registry] });
  }
}

const addPrefix = (name: string) => `agent_${name}`;

/** Creates a separate server for `GET /metrics`, so that access to the metrics is independent of access to the service. */
export function createMetricsServer(metrics: Pick<Metrics, "text">, logger: Logger): Server {
  return createServer(async (request, response) => {
    if (!/^\/metrics\/?(\?|$)/.test(request.url ?? "")) {
      response.writeHead(404).end();
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else {
      try {
        const { contentType, body } = await metrics.text();
        response.writeHead(200, { "Content-Type": contentType }).end(request.method === "GET" ? body : undefined);
      } catch (error) {
        logger.error({ err: error }, "the metrics could not be read");
        response.writeHead(500).end();
      }
    }
  });
}
