import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import type { z } from "zod";
import type { Guard } from "./auth/guard.ts";
import { openGuard } from "./auth/open-guard.ts";
import type { serviceVariables } from "./configuration.ts";
import { ConfigurationError, loadEnvironmentFiles, readConfiguration } from "./configuration.ts";
import type { Egress } from "./egress/index.ts";
import { openEgress } from "./egress/index.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";
import { createLogger } from "./logger.ts";
import { createInstruments } from "./observability/create-instruments.ts";
import type { Observability, Reading } from "./observability/index.ts";
import { answerUnreadable } from "./unreadable-requests.ts";

/** Higher than Node's default of 511, so that a burst of clients is not refused. */
const listenBacklog = 4096;

/** Signals this close together count as one: npm forwards a terminal's Ctrl-C to a process that already got it. */
const sameSignalMs = 1_000;

/** Closing the service's resources may take this long. */
const closeTimeoutMs = 10_000;

/** A service that doesn't listen yet. */
export interface Service {
  server: Server;
  lifecycle: Lifecycle;
  /** Its paths, if its framework neither records a request's route nor sends its id in the answer. */
  routes?: readonly string[];
  /** The service's own metrics. */
  readings?: readonly Reading[];
  /** Closes the service's resources other than its server. */
  close?(): Promise<void>;
}

/** Listens, and resolves with the base URL: `http://host:port`. */
export function listen(server: Server, options: { host: string; port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...options, backlog: listenBacklog }, () => {
      server.off("error", reject);
      const { address, family, port } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
    });
  });
}

/** The version in a service's package.json. `directory` is the folder of its built main module. */
export function readVersion(directory: string): string {
  return (JSON.parse(readFileSync(join(directory, "../package.json"), "utf8")) as { version: string }).version;
}

type ServiceConfiguration = z.output<z.ZodObject<ReturnType<typeof serviceVariables>>>;

/**
 * Runs a service as this process. Reads the `.env` files of the working directory and of the service's folders, then the
 * variables. Logs one line when it listens. Drains on SIGTERM or SIGINT and exits with 0; a second signal exits at once. Prints
 * wrong variables, one line each, and exits with 1, as it does for a port that is taken. With `--check` it reads the variables only.
 */
export async function runService<Schema extends z.ZodType<ServiceConfiguration>>(options: {
  name: string;
  /** The folder of the service's built main module. */
  directory: string;
  variables: Schema;
  start(
    configuration: z.output<Schema>,
    logger: Logger,
    observability: Observability,
    guard: Guard,
    egress: Egress,
  ): Promise<Service>;
}): Promise<void> {
  loadEnvironmentFiles(process.cwd(), resolve(options.directory, ".."), resolve(options.directory, "../.."));
  let configuration: z.output<Schema>;
  try {
    configuration = readConfiguration(options.variables, process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  if (process.argv.includes("--check")) return;
  const logger = createLogger(options.name, configuration.LOG_LEVEL);
  let portVariable: "PORT" | "METRICS_PORT" = "PORT";
  try {
    const instruments = await createInstruments({
      service: options.name,
      logger,
      metricsPort: configuration.METRICS_PORT,
      tracesEndpoint: configuration.OTEL_EXPORTER_OTLP_ENDPOINT,
      providerUrl: (configuration as { LLM_BASE_URL?: string }).LLM_BASE_URL,
    });
    const { observability, metricsServer } = instruments;
    const egress = await openEgress(configuration);
    const guard = await openGuard(configuration, { name: options.name, logger, fetch: egress.fetch });
    const service = await options.start(configuration, logger, observability, guard, egress);
    service.lifecycle.describeAccess = (request) => guard.describeAccess(request);
    service.lifecycle.attach(service.server);
    answerUnreadable(service.server, logger, (configuration as { CORS_ORIGINS?: string[] }).CORS_ORIGINS);
    observability.observe(service.server, service.routes);
    instruments.addReadings(service.readings ?? []);
    const close = () => Promise.all([service.close?.(), instruments.close()]).then(() => undefined);
    stopOnSignals({ ...service, close }, logger);
    if (metricsServer && configuration.METRICS_PORT !== undefined) {
      portVariable = "METRICS_PORT";
      const metrics = await listen(metricsServer, {
        host: configuration.METRICS_HOST,
        port: configuration.METRICS_PORT,
      });
      logger.info({ metrics: `${metrics}/metrics` }, "metrics are served");
    }
    portVariable = "PORT";
    const address = await listen(service.server, { host: configuration.HOST, port: configuration.PORT });
    logger.info({ address }, `${options.name} listens on ${address}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const hostVariable = portVariable === "PORT" ? "HOST" : "METRICS_HOST";
    if (error instanceof ConfigurationError) {
      process.stderr.write(`${error.message}\n`);
    } else if (code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL") {
      process.stderr.write(
        `${portVariable} ${configuration[portVariable]} on ${hostVariable} ${configuration[hostVariable]} can't be used (${code}): set ${portVariable} or ${hostVariable} to one that is free\n`,
      );
    } else {
      logger.fatal({ err: error }, `${options.name} could not start`);
    }
    process.exit(1);
  }
}

function stopOnSignals({ server, lifecycle, close }: Service, logger: Logger): void {
  let exitCode = 0;
  let stopping = false;
  let firstSignalAt: number | undefined;
  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    logger.info("stops: takes no new requests, lets running ones end");
    await lifecycle.drain();
    server.close();
    server.closeAllConnections();
    const late = setTimeout(() => {
      logger.error(`closing took longer than ${closeTimeoutMs} ms: exits as it is`);
      process.exit(1);
    }, closeTimeoutMs);
    try {
      await close?.();
    } catch (error) {
      exitCode = 1;
      logger.error({ err: error }, "could not close all that the service held");
    }
    clearTimeout(late);
    logger.info("stopped");
    process.exit(exitCode);
  }
  function onSignal(): void {
    if (firstSignalAt !== undefined && performance.now() - firstSignalAt > sameSignalMs) process.exit(exitCode || 1);
    firstSignalAt ??= performance.now();
    void stop();
  }
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  // Another error during the shutdown doesn't cut it short: running streams keep their grace period.
  const fail = (error: unknown) => {
    exitCode = 1;
    logger.fatal({ err: error }, "an error that nothing handled: stops");
    void stop();
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
}
