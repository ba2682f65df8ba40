import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { limits, ProblemError, problems } from "@agent-backends/contract";
import { writeProblem } from "./problem.ts";
import { ShuttingDownError } from "./streams/ended-errors.ts";
import { withinTime } from "./timeouts/index.ts";

/** Timeout of a readiness check. A check that takes longer has failed. */
const checkTimeoutMs = 5_000;
/** Time to send the last events of streams that are still open when the grace period ends. */
export const finalEventsTimeoutMs = 500;

/** Whether this is the URL of health or readiness, which are open to everyone at any time. */
export const isAlwaysOpen = (url: string): boolean => /^\/(?:health|ready)\/?(?:\?|$)/i.test(url);

/** Tracks whether a service is ready, and shuts it down gracefully: refuses new requests and lets running ones finish. */
export class Lifecycle {
  readonly #graceMs: number;
  readonly #checkReady: () => Promise<void>;
  readonly #describe: () => object | Promise<object>;
  /** Access information for a client in `/ready`, if the service has a guard. */
  describeAccess: ((request: IncomingMessage) => Promise<object>) | undefined;
  readonly #grace = new AbortController();
  #onIdle = () => {};
  #check: Promise<ProblemError | undefined> | undefined;
  #running = 0;
  #isAttached = false;
  #draining: Promise<void> | undefined;

  /**
   * @param options.graceMs how long running requests may continue after `drain` is called
   * @param options.checkReady throws the ProblemError that says why the service isn't ready
   * @param options.describe further fields for `/ready`, such as the provider's state. Must not wait for other services
   */
  constructor(options: {
    graceMs: number;
    checkReady?: () => Promise<void>;
    describe?: () => object | Promise<object>;
  }) {
    this.#graceMs = options.graceMs;
    this.#describe = options.describe ?? (() => ({}));
    this.#checkReady = options.checkReady ?? (async () => {});
  }

  get draining(): boolean {
    return this.#draining !== undefined;
  }

  /** Aborts with a ShuttingDownError when the grace period ends and running streams must end. */
  get graceEnded(): AbortSignal {
    return this.#grace.signal;
  }

  /**
   * The body of `GET /ready`.
   *
   * @throws ProblemError `unavailable` with the reason when the service is not ready
   */
  async readiness(request: IncomingMessage): Promise<object> {
    const problem = await this.#findProblem();
    if (problem) throw problem;
    return { status: "ready", ...(await this.#describe()), ...(await this.describeAccess?.(request)) };
  }

  async #findProblem(): Promise<ProblemError | undefined> {
    if (this.draining) return problems.shuttingDown();
    // Requests that arrive during a check share it: thousands of concurrent checks would hold up all other requests.
    this.#check ??= this.#runCheck().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  async #runCheck(): Promise<ProblemError | undefined> {
    try {
      const check = this.#checkReady().then(() => true);
      return (await withinTime(checkTimeoutMs, check)) ? undefined : problems.checkTooSlow();
    } catch (error) {
      return error instanceof ProblemError ? error : problems.checkFailed();
    }
  }

  /** Sets the server's timeouts, and counts its requests so that `drain` knows when the last one has ended. */
  attach(server: Server): void {
    server.keepAliveTimeout = limits.keepAliveMs;
    server.headersTimeout = limits.headMs;
    // Fastify turns this timeout off. A slow request could then occupy a slot forever.
    server.requestTimeout = limits.requestMs;
    // Node.js responds to a request without a host with an empty body. `refuse` responds with a problem.
    (server as Server & { requireHostHeader?: boolean }).requireHostHeader = false;
    server.on("request", (_request, response: ServerResponse) => this.#count(response));
    this.#isAttached = true;
  }

  /** Counts a request to the server of a host application. Requests to an attached server are already counted. */
  countRequest(response: ServerResponse): void {
    if (!this.#isAttached && !response.closed) this.#count(response);
  }

  #count(response: ServerResponse): void {
    this.workStarted();
    response.on("close", () => this.workEnded());
  }

  /** Makes `drain` wait for this work as it does for requests. Call `workEnded` once for each call. */
  workStarted(): void {
    this.#running += 1;
  }

  workEnded(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onIdle();
  }

  /**
   * Refuses requests without a host (RFC 9112, 3.2) and, while draining, everything except health and readiness. Returns whether it has
   * answered the request.
   */
  refuse(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.headers.host === undefined && request.httpVersion !== "1.0") {
      writeProblem(response, problems.missingHost());
      return true;
    }
    // For an app mounted at a path, Express removes that path from `url` and keeps the full URL in `originalUrl`.
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url ?? "";
    if (!this.draining || isAlwaysOpen(url)) return false;
    writeProblem(response, problems.shuttingDown({ Connection: "close" }));
    return true;
  }

  /** Refuses new requests. Resolves when all running requests and other work have ended, or when the grace period ends. */
  drain(): Promise<void> {
    this.#draining ??= this.#allEnded(this.#graceMs).then(async () => {
      if (this.#running === 0) return;
      this.#grace.abort(new ShuttingDownError());
      await this.#allEnded(finalEventsTimeoutMs);
    });
    return this.#draining;
  }

  async #allEnded(timeoutMs: number): Promise<void> {
    if (this.#running === 0) return;
    await withinTime(timeoutMs, new Promise<void>((resolve) => (this.#onIdle = resolve)));
  }
}
