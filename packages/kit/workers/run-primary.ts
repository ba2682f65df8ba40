import { finalEventsTimeoutMs } from "../lifecycle.ts";
import { openLimitCounts } from "../limits/limit-counts.ts";
import { listenAt } from "../listen.ts";
import type { Logger } from "../logger.ts";
import { closeTimeoutMs, onStopSignals } from "../shutdown.ts";
import { Supervisor } from "./supervisor.ts";
import { WorkerCounts } from "./worker-counts.ts";
import { WorkerProcess } from "./worker-process.ts";

/** Added to the maximum time that a worker may take to stop before it is killed. */
const stopReserveMs = 2_000;

/** Variables that the primary itself reads. */
interface PrimaryConfiguration {
  WORKERS: number;
  HOST: string;
  PORT: number;
  METRICS_HOST: string;
  METRICS_PORT?: number | undefined;
  RATE_LIMIT_URL?: string | undefined;
  SHUTDOWN_GRACE_MS: number;
}

/**
 * Runs a service as several workers behind one port. This process holds the port, keeps the counts for the limits of all workers, sums up
 * their metrics and replaces workers that end. It handles no requests itself.
 *
 * @param options.environment the environment without the `.env` files. Each worker reads these itself: they may have changed when SIGHUP
 *   starts it
 * @throws ConfigurationError if the metrics port can't be used
 */
export async function runPrimary(options: {
  name: string;
  countsAs: string;
  configuration: PrimaryConfiguration;
  environment: Readonly<Record<string, string | undefined>>;
  logger: Logger;
}): Promise<void> {
  const { name, configuration, logger } = options;
  const { WORKERS: workers, METRICS_PORT } = configuration;
  const counts = await openLimitCounts(configuration, { name: options.countsAs, logger });
  const fromFiles = Object.keys(process.env).filter((variable) => options.environment[variable] === undefined);
  const environment = {
    ...Object.fromEntries(fromFiles.map((variable) => [variable, undefined])),
    PORT: String(configuration.PORT),
    HOST: configuration.HOST,
    WORKERS: String(workers),
  };
  let exitCode = 0;
  let isStopping = false;
  async function stop(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    const endedWell = await supervisor.stop(
      configuration.SHUTDOWN_GRACE_MS + finalEventsTimeoutMs + closeTimeoutMs + stopReserveMs,
    );
    counts.close();
    process.exit(endedWell ? exitCode : 1);
  }
  function fail(): void {
    exitCode = 1;
    void stop();
  }
  const supervisor = new Supervisor({
    start(number) {
      const worker = new WorkerProcess({ number, environment, counts: new WorkerCounts(counts) });
      metrics?.follow(worker);
      return worker;
    },
    logger,
    onFatal: fail,
  });
  const metrics =
    METRICS_PORT === undefined ? undefined : new (await import("./summed-metrics.ts")).SummedMetrics(name, supervisor);
  onStopSignals(
    () => void stop(),
    () => {
      supervisor.kill();
      process.exit(1);
    },
  );
  const onError = (error: unknown) => {
    logger.fatal({ err: error }, "an error that nothing handled: stops");
    fail();
  };
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  if (metrics && METRICS_PORT !== undefined) {
    const { createMetricsServer } = await import("../observability/metrics.ts");
    const server = createMetricsServer(metrics, logger);
    const address = await listenAt(server, { ...configuration, METRICS_PORT }, "METRICS_PORT");
    logger.info({ metrics: `${address}/metrics` }, "metrics are served");
  }
  // Closing a terminal also sends SIGHUP.
  const isDaemon = !process.stdin.isTTY;
  let isReady = false;
  process.on("SIGHUP", () => {
    if (!isDaemon) void stop();
    else if (isReady) void supervisor.restart();
  });
  let address: string;
  try {
    address = await supervisor.start(workers);
  } catch {
    // The worker has already logged the reason.
    if (!isStopping) process.exit(1);
    return;
  }
  isReady = true;
  if (!counts.isShared) {
    logger.info(
      "the workers count rates, slots and token budgets together; set RATE_LIMIT_URL to count with other machines too",
    );
  }
  logger.info({ address }, `${name} listens on ${address} with ${workers} workers`);
}
