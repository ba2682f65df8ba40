import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { limits, problems } from "@agent-backends/contract";
import { isAlwaysOpen } from "./always-open.ts";
import { writeProblem } from "./problem.ts";

/** A check of readiness that takes longer counts as failed. */
const checkTimeoutMs = 5_000;
/** Time for the last events of streams that are cut when the grace is over. */
const farewellMs = 500;

/** The service stops and this stream's time is over. The message goes to the client. */
export class ShuttingDownError extends Error {
  override readonly name = "ShuttingDownError";
  constructor() {
    super(problems.shuttingDown().message);
  }
}

/** Whether a service is ready, and how it stops: no new requests, running ones may end, nothing is left half sent. */
export class Lifecycle {
  readonly #graceMs: number;
  readonly #checkReady: () => Promise<string | undefined>;
  readonly #describe: () => object | Promise<object>;
  /** What a request for readiness is told of its own credentials, where they matter. */
  describeAccess: ((request: IncomingMessage) => Promise<object>) | undefined;
  readonly #grace = new AbortController();
  readonly #idle = new Set<() => void>();
  #running = 0;
  #draining: Promise<void> | undefined;

  /**
   * @param options.graceMs how long running requests may go on after `drain` was called
   * @param options.checkReady gives the reason why the service can't do its work now, or nothing when it can
   * @param options.describe what readiness says besides, such as how the provider is; it waits for nobody else
   */
  constructor(options: {
    graceMs: number;
    checkReady?: () => Promise<string | undefined>;
    describe?: () => object | Promise<object>;
  }) {
    this.#graceMs = options.graceMs;
    this.#describe = options.describe ?? (() => ({}));
    this.#checkReady = options.checkReady ?? (async () => undefined);
  }

  get draining(): boolean {
    return this.#draining !== undefined;
  }

  /** Aborts, with a ShuttingDownError, when running streams must end now. */
  get graceEnded(): AbortSignal {
    return this.#grace.signal;
  }

  /**
   * What `GET /ready` answers.
   *
   * @throws ProblemError `unavailable` with the reason when the service is not ready
   */
  async readiness(request: IncomingMessage): Promise<object> {
    const reason = await this.#notReadyBecause();
    if (reason) throw problems.unavailable(reason);
    return { status: "ready", ...(await this.#describe()), ...(await this.describeAccess?.(request)) };
  }

  async #notReadyBecause(): Promise<string | undefined> {
    if (this.draining) return new ShuttingDownError().message;
    const timeout = new AbortController();
    const late = delay(checkTimeoutMs, "A check of what the service depends on takes too long.", timeout);
    try {
      return await Promise.race([this.#checkReady(), late]);
    } catch {
      return "A check of what the service depends on failed; its log says why.";
    } finally {
      timeout.abort();
      late.catch(() => undefined);
    }
  }

  /** Counts the server's requests, so that `drain` knows when the last has ended. */
  attach(server: Server): void {
    server.keepAliveTimeout = limits.keepAliveMs;
    server.headersTimeout = limits.headMs;
    // fastify lets a request arrive as slowly as it likes, while it holds one of the places there are.
    server.requestTimeout = limits.requestMs;
    // Node's own answer to a request without a host is an empty one: `refuse` gives it.
    (server as Server & { requireHostHeader?: boolean }).requireHostHeader = false;
    server.on("request", (_request, response: ServerResponse) => {
      this.#running += 1;
      response.on("close", () => {
        this.#running -= 1;
        if (this.#running === 0) for (const resolve of this.#idle) resolve();
      });
    });
  }

  /**
   * Answers what no route has to see, and says whether it did: requests without a host (RFC 9112, 3.2), and while draining
   * everything but health and readiness.
   */
  refuse(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.headers.host === undefined && request.httpVersion !== "1.0") {
      writeProblem(response, problems.missingHost());
      return true;
    }
    // Where an app is mounted at a path, its framework takes that path off `url` and keeps the whole in `originalUrl`.
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? "";
    if (!this.draining || isAlwaysOpen(url)) return false;
    writeProblem(response, problems.shuttingDown({ Connection: "close" }));
    return true;
  }

  /** Stops taking requests and resolves when all that run have ended, or when their grace is over. */
  drain(): Promise<void> {
    this.#draining ??= this.#allEnded(this.#graceMs).then(async () => {
      if (this.#running === 0) return;
      this.#grace.abort(new ShuttingDownError());
      await this.#allEnded(farewellMs);
    });
    return this.#draining;
  }

  #allEnded(timeoutMs: number): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#idle.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#idle.add(done);
    });
  }
}
