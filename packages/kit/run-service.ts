import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { z } from "zod";
import { ConfigurationError, loadEnvironmentFiles, readConfiguration } from "./configuration.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";
import { createLogger } from "./logger.ts";
import { Observability } from "./observability/index.ts";

/** More connections may wait to be accepted than node's 511, so that a burst of clients is not refused. */
const listenBacklog = 4096;

/** npm hands a terminal's Ctrl-C to a process that already got it: signals this close together count as one. */
const sameSignalMs = 1_000;

/** A service that is built but does not listen yet. */
export interface Service {
  server: Server;
  lifecycle: Lifecycle;
  /** Its paths, where the framework in front of it does not tell a request's route. */
  routes?: readonly string[];
  /** Releases what the service holds besides its server. */
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

/**
 * Runs a service as this process: reads `.env` of the working directory and of the service's own, then the variables,
 * starts, logs one line when it listens, drains on SIGTERM or SIGINT and exits 0; a second signal exits at once.
 * Wrong variables are printed, one line each, and end the process with 1; so does a port that is taken.
 */
export async function runService<Schema extends z.ZodType<{ HOST: string; PORT: number; LOG_LEVEL: string }>>(options: {
  name: string;
  /** The folder of the service's built main module. */
  directory: string;
  variables: Schema;
  start(configuration: z.output<Schema>, logger: Logger, observability: Observability): Promise<Service>;
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
  const logger = createLogger(options.name, configuration.LOG_LEVEL);
  try {
    const observability = new Observability({ logger });
    const service = await options.start(configuration, logger, observability);
    service.lifecycle.attach(service.server);
    observability.observe(service.server, service.routes);
    stopOnSignals(service, logger);
    const address = await listen(service.server, { host: configuration.HOST, port: configuration.PORT });
    logger.info({ address }, `${options.name} listens on ${address}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL") {
      process.stderr.write(
        `PORT ${configuration.PORT} on HOST ${configuration.HOST} can't be used (${code}): set PORT or HOST to one that is free\n`,
      );
    } else {
      logger.fatal({ err: error }, `${options.name} could not start`);
    }
    process.exit(1);
  }
}

function stopOnSignals({ server, lifecycle, close }: Service, logger: Logger): void {
  let firstSignalAt: number | undefined;
  async function stop(exitCode: number): Promise<void> {
    if (firstSignalAt !== undefined) {
      if (performance.now() - firstSignalAt > sameSignalMs) process.exit(exitCode || 1);
      return;
    }
    firstSignalAt = performance.now();
    logger.info("stops: takes no new requests, lets running ones end");
    await lifecycle.drain();
    server.close();
    server.closeAllConnections();
    await close?.();
    logger.info("stopped");
    process.exit(exitCode);
  }
  process.on("SIGTERM", () => void stop(0));
  process.on("SIGINT", () => void stop(0));
  const fail = (error: unknown) => {
    logger.fatal({ err: error }, "an error that nothing handled: stops");
    void stop(1);
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
}
