import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Meters } from "./meters.ts";
import { ProviderCall } from "./provider-call.ts";
import { requestIdHeader, requestIdOf } from "./request-id.ts";
import { attachRecord, currentRecord, RequestRecord } from "./request-record.ts";
import type { Tracing } from "./spans.ts";
import { traceHeadersOf } from "./trace-context.ts";

/** How a request ended. `refused` are answers of 4xx, and 503, which the service gives before it has begun. */
export type Outcome = "finished" | "error" | "client_gone" | "refused";

/** Makes what a service does visible: one log line for each request, and metrics and traces where they are wanted. */
export class Observability {
  /** How many requests and streams are being answered now. */
  readonly #open: { requests: number; streams: number };
  readonly #logger: Logger;
  readonly #meters: Meters | undefined;
  readonly #tracing: Tracing | undefined;

  /** @param options.open is counted up and down */
  constructor(options: {
    logger: Logger;
    open: { requests: number; streams: number };
    meters?: Meters | undefined;
    tracing?: Tracing | undefined;
  }) {
    this.#logger = options.logger;
    this.#open = options.open;
    this.#meters = options.meters;
    this.#tracing = options.tracing;
  }

  /**
   * Observes every request of a server.
   *
   * @param routes paths that are their own templates, where the framework in front of the server neither writes a request's
   *   template into its record nor the record's id into the answer
   */
  observe(server: Server, routes?: readonly string[]): void {
    const known = new Set(routes);
    const context = { open: this.#open, meters: this.#meters };
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      const record = new RequestRecord(
        {
          id: requestIdOf(request.headers["x-request-id"]),
          method: request.method ?? "",
          route: routeOf(request.url ?? "", known),
          trace: request.headers.traceparent === undefined ? undefined : traceHeadersOf(request.headers),
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

  /** A call of the provider begins, for the request that is being answered, if there is one. */
  callProvider(operation: "chat" | "embeddings", model: string): ProviderCall {
    return currentRecord()?.callProvider(operation, model) ?? new ProviderCall(undefined, undefined, this.#meters);
  }

  /** An item was in this stage of its ingest for so long. */
  ingestStage(stage: string, durationMs: number): void {
    this.#meters?.ingestStage(stage, durationMs);
  }

  #answered(record: RequestRecord, response: ServerResponse): void {
    this.#open.requests -= 1;
    if (record.isStream) this.#open.streams -= 1;
    const outcome = outcomeOf(record, response);
    const status = response.headersSent ? response.statusCode : clientClosedRequest;
    const { method, route, firstTokenMs } = record;
    const durationMs = performance.now() - record.startedAt;
    this.#meters?.answered({ method, route, status, outcome, durationMs, firstTokenMs });
    record.span?.end({ status, outcome });
    if (!this.#logger.isLevelEnabled("info")) return;
    this.#logger.info(
      {
        request_id: record.id,
        method,
        route,
        status,
        outcome,
        duration_ms: rounded(durationMs),
        queue_ms: record.queueMs === undefined ? undefined : rounded(record.queueMs),
        first_token_ms: firstTokenMs === undefined ? undefined : rounded(firstTokenMs),
        input_tokens: record.inputTokens,
        output_tokens: record.outputTokens,
        key: record.keyName,
        namespace_hash: record.namespaceHash,
        failure: record.failure,
      },
      "request",
    );
  }
}

/** What nginx calls the status of a request whose client left before the answer. */
const clientClosedRequest = 499;

function routeOf(url: string, known: ReadonlySet<string>): string {
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return known.has(path) ? path : "other";
}

function outcomeOf(record: RequestRecord, response: ServerResponse): Outcome {
  const { statusCode } = response;
  if (!response.writableFinished) return record.failure === undefined ? "client_gone" : "error";
  if (record.failure !== undefined) return "error";
  if (statusCode === 503 || (statusCode >= 400 && statusCode < 500)) return "refused";
  return statusCode >= 500 ? "error" : "finished";
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
