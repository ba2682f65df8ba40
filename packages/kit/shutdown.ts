import type { Server } from "node:http";
import { Server as ListeningServer } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@agent-backends/contract";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "./logger.ts";
import { withinTime } from "./timeouts/index.ts";
import type { PrimaryConnection } from "./workers/primary-connection.ts";

/** Signals this close together count as one: npm forwards a terminal's Ctrl-C to a process that already got it. */
const duplicateSignalMs = 1_000;

/**
 * After the last running request has ended, new requests are refused until none has arrived for this long. Connections still waiting to be
 * accepted are reset when the server closes.
 */
const quietPeriodMs = 20;
/** Time limit for these refusals on a server that never gets quiet. */
const maxRefusalPeriodMs = 500;

/** Time limit for closing the service's resources. */
export const closeTimeoutMs = 10_000;

/** The parts of a service that a shutdown ends. */
interface Stoppable {
  server: Server;
  lifecycle: Lifecycle;
  /** Closes the service's resources other than its server. */
  close?(): Promise<void>;
}

/** Shuts down a service's process in order: refuses new requests, lets running ones finish, closes resources and exits. */
export class Shutdown {
  readonly #service: Stoppable;
  readonly #logger: Logger;
  readonly #primary: PrimaryConnection | undefined;
  #exitCode = 0;
  #isStopping = false;

  /** @param options.primary sends the orders if this process is a worker */
  constructor(options: { service: Stoppable; logger: Logger; primary: PrimaryConnection | undefined }) {
    this.#service = options.service;
    this.#logger = options.logger;
    this.#primary = options.primary;
  }

  /** Follows signals or, in a worker, the primary's orders: a terminal sends its signals to all processes. */
  listen(): void {
    const primary = this.#primary;
    if (primary) {
      ignoreSignals();
      primary.onOrder = (order) => void (order === "retire" ? this.#retire() : this.#stop());
    } else {
      onStopSignals(
        () => void this.#stop(),
        () => process.exit(this.#exitCode || 1),
      );
    }
    // Further errors during the shutdown don't cut it short: running streams keep their grace period.
    const fail = (error: unknown) => {
      this.#exitCode = 1;
      this.#logger.fatal({ err: error }, "an error that nothing handled: stops");
      if (primary) {
        primary.isFailing();
        this.#takeNoConnections();
      }
      void this.#stop();
    };
    process.on("uncaughtException", fail);
    process.on("unhandledRejection", fail);
  }

  async #stop(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const { server, lifecycle, close } = this.#service;
    this.#logger.info("stops: takes no new requests, lets running ones end");
    await lifecycle.drain();
    await untilQuiet(server);
    await withinTime(maxRefusalPeriodMs, new Promise<void>((resolve) => server.close(() => resolve())));
    server.closeAllConnections();
    const late = setTimeout(() => {
      this.#logger.error(`closing took longer than ${closeTimeoutMs} ms: exits as it is`);
      process.exit(1);
    }, closeTimeoutMs);
    try {
      await close?.();
      await this.#primary?.close();
    } catch (error) {
      this.#exitCode = 1;
      this.#logger.error({ err: error }, "could not close all that the service held");
    }
    clearTimeout(late);
    this.#logger.info("stopped");
    process.exit(this.#exitCode);
  }

  /** Ends the process once all its connections have ended. Until then it handles requests on them. */
  async #retire(): Promise<void> {
    this.#logger.info("another worker takes its place: takes no new connections, ends with its last one");
    const { server } = this.#service;
    server.prependListener("request", (_request, response) => {
      response.setHeader("Connection", "close");
    });
    await withinTime(limits.retireMs, this.#takeNoConnections());
    await this.#stop();
  }

  /** Stops accepting connections. Resolves when the existing ones have ended. */
  #takeNoConnections(): Promise<void> {
    // The server's own `close` would close idle connections on which a request may be on its way.
    return new Promise((resolve) => ListeningServer.prototype.close.call(this.#service.server, () => resolve()));
  }
}

/** Calls `stop` on the first SIGTERM or SIGINT, and `end` on a later one. */
export function onStopSignals(stop: () => void, end: () => void): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined && performance.now() - firstAt > duplicateSignalMs) end();
    firstAt ??= performance.now();
    stop();
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

async function untilQuiet(server: Server): Promise<void> {
  const startedAt = performance.now();
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  for (let known = -1; known !== connections && performance.now() - startedAt < maxRefusalPeriodMs; ) {
    known = connections;
    await delay(quietPeriodMs);
    // After a busy period a process first accepts the waiting connections, and then reads from them.
    await nextTurn();
    await nextTurn();
  }
}

function ignoreSignals(): void {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
}
