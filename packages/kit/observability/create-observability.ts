import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Reading } from "./meters.ts";
import type { Metrics } from "./metrics.ts";
import { Observability } from "./observability.ts";

/** A collector that does not answer must not keep a service from ending. */
const longestFarewellMs = 2_000;

/** What makes a service visible, as its variables ask for it. */
export interface Instruments {
  readonly observability: Observability;
  /** The server of `/metrics`, which does not listen yet; absent without `METRICS_PORT`. */
  readonly metricsServer: Server | undefined;
  /** Adds numbers that the service itself keeps to its metrics. */
  addReadings(readings: readonly Reading[]): void;
  /** Sends the traces that were not sent yet. */
  close(): Promise<void>;
}

/**
 * Loads what is asked for, and nothing else: without `METRICS_PORT` there are no metrics, and without
 * `OTEL_EXPORTER_OTLP_ENDPOINT` no traces.
 */
export async function createInstruments(options: {
  service: string;
  logger: Logger;
  metricsPort: number | undefined;
  tracesEndpoint: string | undefined;
  providerUrl: string | undefined;
}): Promise<Instruments> {
  const { service, logger, metricsPort, tracesEndpoint, providerUrl } = options;
  const open = { requests: 0, streams: 0 };
  let metrics: Metrics | undefined;
  let metricsServer: Server | undefined;
  if (metricsPort !== undefined) {
    const [{ Metrics }, { createMetricsServer }] = await Promise.all([
      import("./metrics.ts"),
      import("./metrics-server.ts"),
    ]);
    metrics = new Metrics(service, open);
    metricsServer = createMetricsServer(metrics, logger);
  }
  const tracing =
    tracesEndpoint === undefined
      ? undefined
      : (await import("./tracing.ts")).createTracing({ service, endpoint: tracesEndpoint, providerUrl });
  return {
    observability: new Observability({ logger, open, meters: metrics, tracing }),
    metricsServer,
    addReadings(readings) {
      for (const reading of readings) metrics?.add(reading);
    },
    async close() {
      const sent = tracing?.close().catch((error: unknown) => logger.warn({ err: error }, "traces could not be sent"));
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      await Promise.race([sent, delay(longestFarewellMs, undefined, { ref: false })]);
    },
  };
}
