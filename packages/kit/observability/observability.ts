import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";
import { parseRequestId, parseTraceHeaders, requestIdHeader } from "./request-headers.ts";
import { attachRecord, currentRecord, ProviderCall, RequestRecord } from "./request-record.ts";
import type { Tracing } from "./tracing.ts";

/** Outcome of a request. `refused` covers responses with 4xx or 503 before any work began, and MCP calls that a key may not make. */
export type Outcome = "finished" | "error" | "client_gone" | "refused";

/** Records what a service does: one log line for each request, and optionally metrics and traces. */
export class Observability {
  readonly #open: { requests: number; streams: number };
  readonly #logger: Logger;
  readonly #metrics: Metrics | undefined;
  readonly #tracing: Tracing | undefined;

  /** @param options.open incremented and decremented here */
  constructor(options: {
    logger: Logger;
    open: { requests: number; streams: number };
    metrics?: Metrics | undefined;
    tracing?: Tracing | undefined;
  }) {
    this.#logger = options.logger;
    this.#open = options.open;
    this.#metrics = options.metrics;
    this.#tracing = options.tracing;
  }

  /**
   * Observes every request of a server.
   *
   * @param routes the server's paths, or templates such as `/runs/:id`. Needed if the framework neither records a request's route nor sends
   *   the record's id in the response
   */
  observe(server: Server, routes?: readonly string[]): void {
    const known = new Set(routes);
    const context = { open: this.#open, metrics: this.#metrics };
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      const record = new RequestRecord(
        {
          id: parseRequestId(request.headers["x-request-id"]),
          method: request.method ?? "",
          route: getRoute(request.url ?? "", known),
          trace: request.headers.traceparent === undefined ? undefined : parseTraceHeaders(request.headers),
          startedAt: performance.now(),
        },
        context,
      );
      attachRecord(request, record);
      if (routes !== undefined) response.setHeader(requestIdHeader, record.id);
      record.span = this.#tracing?.startRequest(record);
      this.#open.requests += 1;
      response.on("close", () => this.#answered(record, response));
    });
  }

  /** Starts observing a call to the provider, for the current request if there is one. */
  callProvider(operation: "chat" | "embeddings", model: string): ProviderCall {
    return currentRecord()?.callProvider(operation, model) ?? new ProviderCall(undefined, undefined, this.#metrics);
  }

  /** Records how long an item spent in an ingest stage. */
  ingestStage(stage: string, durationMs: number): void {
    this.#metrics?.ingestStage(stage, durationMs);
  }

  #answered(record: RequestRecord, response: ServerResponse): void {
    this.#open.requests -= 1;
    record.answered();
    const outcome = getOutcome(record, response);
    const status = response.headersSent ? response.statusCode : clientClosedRequest;
    const { method, route, firstTokenMs } = record;
    const durationMs = performance.now() - record.startedAt;
    this.#metrics?.answered({ labels: { route, method, status, outcome }, durationMs, firstTokenMs });
    record.span?.end({ status, outcome });
    if (!this.#logger.isLevelEnabled("info")) return;
    this.#logger.info(
      {
        request_id: record.id,
        method,
        route,
        status,
        outcome,
        duration_ms: roundToTenth(durationMs),
        queue_ms: record.queueMs === undefined ? undefined : roundToTenth(record.queueMs),
        first_token_ms: firstTokenMs === undefined ? undefined : roundToTenth(firstTokenMs),
        input_tokens: record.inputTokens,
        output_tokens: record.outputTokens,
        provider: record.provider,
        key: record.keyName,
        namespace_hash: record.namespaceHash,
        failure: record.failure,
      },
      "request",
    );
  }
}

/** nginx's status for a request whose client left before the response. */
const clientClosedRequest = 499;

const otherRoute = "other";

function getRoute(url: string, known: ReadonlySet<string>): string {
  // Fastify records the route itself.
  if (known.size === 0) return otherRoute;
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return known.has(path) ? path : findRoute(path, known);
}

/**
 * The route of a path, matched as Express does: case-insensitive, with an optional trailing slash or a host in front (RFC 9112, section
 * 3.2.2).
 */
function findRoute(url: string, known: ReadonlySet<string>): string {
  const path = url
    .toLowerCase()
    .replace(/^[a-z]+:\/\/[^/]*/, "")
    .replace(/(?<=.)\/$/, "");
  const given = path.split("/");
  for (const route of known) {
    const wanted = route.toLowerCase().split("/");
    if (wanted.length !== given.length) continue;
    if (wanted.every((name, at) => name === given[at] || (name.startsWith(":") && given[at] !== ""))) return route;
  }
  return otherRoute;
}

function getOutcome(record: RequestRecord, response: ServerResponse): Outcome {
  const { statusCode } = response;
  if (!response.writableFinished) return record.failure === undefined ? "client_gone" : "error";
  if (record.failure === "forbidden") return "refused";
  if (record.failure !== undefined) return "error";
  if (statusCode === 503 || (statusCode >= 400 && statusCode < 500)) return "refused";
  return statusCode >= 500 ? "error" : "finished";
}

const roundToTenth = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
