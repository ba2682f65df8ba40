import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { join, resolve } from "node:path";
import { setDefaultHighWaterMark } from "node:stream";
import { limits } from "@agent-backends/contract";
import type { z } from "zod";
import type { Guard } from "./auth/guard.ts";
import { openGuard, openKeyRing } from "./auth/open-guard.ts";
import type { serviceVariables } from "./configuration.ts";
import { findMisspeltVariables, readConfiguration, redisUrlForm } from "./configuration.ts";
import type { Egress } from "./egress/index.ts";
import { openEgress } from "./egress/index.ts";
import { ConfigurationError, loadEnvironmentFiles } from "./environment-files.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { openLimitCounts } from "./limits/limit-counts.ts";
import { listenAt } from "./listen.ts";
import type { Logger } from "./logger.ts";
import { createLogger } from "./logger.ts";
import { createInstruments } from "./observability/create-instruments.ts";
import type { Observability, Reading } from "./observability/index.ts";
import { Shutdown } from "./shutdown.ts";
import { answerUnreadable } from "./unreadable-requests.ts";
import type { PrimaryConnection } from "./workers/primary-connection.ts";
import { connectToPrimary } from "./workers/primary-connection.ts";

/** A service that isn't listening yet. */
export interface Service {
  server: Server;
  lifecycle: Lifecycle;
  /** The service's paths. Needed if the framework neither records a request's route nor sends the request's id in the response. */
  routes?: readonly string[];
  /** Service-specific metrics. */
  readings?: readonly Reading[];
  /** Closes the service's resources other than its server. */
  close?(): Promise<void>;
}

/** The version in a service's package.json. `directory` is the folder of its built main module. */
export function readVersion(directory: string): string {
  return (JSON.parse(readFileSync(join(directory, "../package.json"), "utf8")) as { version: string }).version;
}

type ServiceConfiguration = z.output<z.ZodObject<ReturnType<typeof serviceVariables>>>;

interface ServiceOptions<Schema extends z.ZodObject & z.ZodType<ServiceConfiguration>> {
  name: string;
  /** Name under which clients' limits are counted, if it differs from the service's own: used by a service with several implementations. */
  countsAs?: string;
  /** Folder of the service's built main module. */
  directory: string;
  variables: Schema;
  start(
    configuration: z.output<Schema>,
    logger: Logger,
    observability: Observability,
    guard: Guard,
    egress: Egress,
  ): Promise<Service>;
}

/**
 * Runs a service as this process or, with `WORKERS`, as several processes behind its port. Reads the `.env` files of the working directory
 * and of the service's folders, then the variables. Logs one line when it listens. Drains on SIGTERM or SIGINT and exits with 0. A second
 * signal exits at once. Prints invalid variables, one line each, and exits with 1, as it does if the port is taken. With `--check` it only
 * reads the variables and the files that they name.
 */
export async function runService<Schema extends z.ZodObject & z.ZodType<ServiceConfiguration>>(
  options: ServiceOptions<Schema>,
): Promise<void> {
  const primary = connectToPrimary(options.name);
  const environment = { ...process.env };
  let ineffective: string[] = [];
  let configuration: z.output<Schema>;
  try {
    loadEnvironmentFiles(process.cwd(), resolve(options.directory, ".."), resolve(options.directory, "../.."));
    ineffective = findMisspeltVariables(options.variables, process.env);
    configuration = readConfiguration(options.variables, process.env);
    requireTogether(configuration);
    ineffective.push(...findIdleVariables(configuration, process.env));
    if (process.argv.includes("--check")) {
      await openEgress(configuration);
      (await openKeyRing(configuration, { logger: createLogger(options.name, "silent") }))?.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // A variable that seems to be missing may be misspelt, so print both.
    process.stderr.write(`${[...error.lines, ...ineffective].join("\n")}\n`);
    process.exitCode = 1;
    // Otherwise the connection to the primary would keep the worker alive.
    if (primary) process.exit();
    return;
  }
  if (process.argv.includes("--check")) {
    for (const line of ineffective) process.stdout.write(`${line}\n`);
    return;
  }
  const { name } = options;
  const logger = createLogger(name, configuration.LOG_LEVEL, undefined, primary?.worker);
  if (!primary) for (const line of ineffective) logger.warn(line);
  try {
    if (primary === undefined && configuration.WORKERS > 1) {
      const { runPrimary } = await import("./workers/run-primary.ts");
      await runPrimary({ name, countsAs: options.countsAs ?? name, configuration, environment, logger });
    } else await runHere(options, configuration, logger, primary);
  } catch (error) {
    if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, `${name} could not start`);
    process.exit(1);
  }
}

async function runHere<Schema extends z.ZodObject & z.ZodType<ServiceConfiguration>>(
  { name, countsAs = name, start }: ServiceOptions<Schema>,
  configuration: z.output<Schema>,
  logger: Logger,
  primary: PrimaryConnection | undefined,
): Promise<void> {
  // Connections of the server inherit this value, which defines when they are full.
  setDefaultHighWaterMark(false, limits.streamBufferBytes);
  // Only the first worker logs the warnings of the start.
  if (primary && primary.worker > 1 && logger.isLevelEnabled("warn")) logger.level = "error";
  const instruments = await createInstruments({
    service: name,
    logger,
    metricsPort: configuration.METRICS_PORT,
    tracesEndpoint: configuration.OTEL_EXPORTER_OTLP_ENDPOINT,
    providerUrl: (configuration as { LLM_BASE_URL?: string }).LLM_BASE_URL,
  });
  const { observability, metricsServer } = instruments;
  const egress = await openEgress(configuration);
  const counts = primary?.counts ?? (await openLimitCounts(configuration, { name: countsAs, logger }));
  const guard = await openGuard(configuration, { counts, logger, fetch: egress.fetch });
  const service = await start(configuration, logger, observability, guard, egress);
  service.lifecycle.describeAccess = (request) => guard.describeAccess(request);
  service.lifecycle.attach(service.server);
  answerUnreadable(service.server, logger, (configuration as { CORS_ORIGINS?: string[] }).CORS_ORIGINS);
  observability.observe(service.server, service.routes);
  instruments.addReadings(service.readings ?? []);
  const close = () => Promise.all([service.close?.(), instruments.close()]).then(() => undefined);
  new Shutdown({ service: { ...service, close }, logger, primary }).listen();
  const { METRICS_PORT } = configuration;
  if (primary) primary.getMetrics = () => instruments.snapshot();
  else if (metricsServer && METRICS_PORT !== undefined) {
    const metrics = await listenAt(metricsServer, { ...configuration, METRICS_PORT }, "METRICS_PORT");
    logger.info({ metrics: `${metrics}/metrics` }, "metrics are served");
  }
  const address = await listenAt(service.server, configuration, "PORT");
  logger.level = configuration.LOG_LEVEL;
  if (primary) primary.listens(address);
  else logger.info({ address }, `${name} listens on ${address}`);
}

/**
 * Checks variables that are valid on their own but not in combination.
 *
 * @throws ConfigurationError
 */
function requireTogether(configuration: ServiceConfiguration): void {
  const { WORKERS: workers, PORT: port, METRICS_PORT: metricsPort } = configuration;
  if (metricsPort === port && port !== 0) {
    throw new ConfigurationError([`METRICS_PORT ${port} is PORT too: set one of them to another port, such as 9464`]);
  }
  const { RUNS_URL: url } = configuration as ServiceConfiguration & { RUNS_URL?: string };
  if (workers === 1 || url !== "memory:") return;
  throw new ConfigurationError([
    `RUNS_URL memory: keeps runs in one process, and WORKERS starts ${workers}: set it to ${redisUrlForm}, or set WORKERS to 1`,
  ]);
}

/** Finds variables that have no effect without another one. */
function findIdleVariables(configuration: ServiceConfiguration, environment: NodeJS.ProcessEnv): string[] {
  if ((configuration as ServiceConfiguration & { RUNS_URL?: string }).RUNS_URL !== "") return [];
  return ["RUN_ORPHAN_MS", "RUN_RETENTION_MS"]
    .filter((name) => environment[name]?.trim())
    .map((name) => `${name} does nothing without RUNS_URL: set RUNS_URL to memory: or the address of a Redis server`);
}
