import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { MetricData, Metrics, Reading } from "./metrics.ts";
import { Observability } from "./observability.ts";

/** Time limit for sending the last traces when the service closes. */
const maxCloseMs = 5_000;

/** A service's logs, metrics and traces, configured by its variables. */
export interface Instruments {
  readonly observability: Observability;
  /** The server of `/metrics`, not yet listening. Undefined without `METRICS_PORT`. */
  readonly metricsServer: Server | undefined;
  /** Adds service-specific metrics. */
  addReadings(readings: readonly Reading[]): void;
  /** Returns all metrics so far. Empty without `METRICS_PORT`. */
  snapshot(): Promise<MetricData[]>;
  /** Sends the remaining traces. */
  close(): Promise<void>;
}

/** Creates the instruments, and loads only what is configured: metrics need `METRICS_PORT`, traces `OTEL_EXPORTER_OTLP_ENDPOINT`. */
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
    const { Metrics, createMetricsServer } = await import("./metrics.ts");
    metrics = new Metrics(service, open);
    metricsServer = createMetricsServer(metrics, logger);
  }
  const tracing =
    tracesEndpoint === undefined
      ? undefined
      : (await import("./tracing.ts")).createTracing({ service, endpoint: tracesEndpoint, providerUrl });
  return {
    observability: new Observability({ logger, open, metrics, tracing }),
    metricsServer,
    addReadings(readings) {
      for (const reading of readings) metrics?.add(reading);
    },
    async snapshot() {
      return metrics?.snapshot() ?? [];
    },
    async close() {
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      if (tracing === undefined) return;
      try {
        const isLate = delay(maxCloseMs, true, { ref: false });
        if (await Promise.race([tracing.close(), isLate]))
          throw new Error(`the collector took longer than ${maxCloseMs} ms`);
      } catch (error) {
        logger.warn({ err: error }, "the last traces could not be sent");
      }
    },
  };
}
