import type { Context, Span, Tracer } from "@opentelemetry/api";
import { isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TraceHeaders } from "./request-headers.ts";
import type { CallSpan, RequestRecord, RequestSpan } from "./request-record.ts";

export type Tracing = ReturnType<typeof createTracing>;

/**
 * Creates traces for an OTLP collector: a span for each request, with a child span for each call to the model provider. They have the
 * attributes of the GenAI conventions (https://opentelemetry.io/docs/specs/semconv/gen-ai/), never content.
 *
 * @param endpoint the collector's base URL from `OTEL_EXPORTER_OTLP_ENDPOINT`. OpenTelemetry reads the other `OTEL_EXPORTER_OTLP_…`
 *   variables itself
 */
export function createTracing(options: { service: string; endpoint: string; providerUrl: string | undefined }) {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": options.service, "service.namespace": "agent-backends" }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` }) }),
    ],
  });
  const tracer = provider.getTracer("agent-backends");
  const server = options.providerUrl === undefined ? {} : getServerAttributes(options.providerUrl);
  return {
    startRequest: (record: RequestRecord): RequestSpan => new HttpSpan(tracer, record, server),
    /** Sends the remaining spans. */
    close: () => provider.shutdown(),
  };
}

class HttpSpan implements RequestSpan {
  readonly #tracer: Tracer;
  readonly #record: RequestRecord;
  readonly #server: Record<string, string | number>;
  readonly #span: Span;

  constructor(tracer: Tracer, record: RequestRecord, server: Record<string, string | number>) {
    this.#tracer = tracer;
    this.#record = record;
    this.#server = server;
    this.#span = tracer.startSpan(
      record.method,
      { kind: SpanKind.SERVER, attributes: { "http.request.method": record.method, "request.id": record.id } },
      getParentContext(record.trace),
    );
  }

  startCall(operation: "chat" | "embeddings", model: string): CallSpan {
    const span = this.#tracer.startSpan(
      `${operation} ${model}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          "gen_ai.operation.name": operation,
          // The convention's value for any provider with an OpenAI-compatible API.
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": model,
          ...this.#server,
        },
      },
      trace.setSpan(ROOT_CONTEXT, this.#span),
    );
    return new ProviderSpan(span, this.#record.trace?.tracestate);
  }

  end({ status, outcome }: { status: number; outcome: string }): void {
    const { method, route, failure } = this.#record;
    this.#span.updateName(`${method} ${route}`);
    this.#span.setAttributes({ "http.route": route, "http.response.status_code": status, "request.outcome": outcome });
    if (outcome === "error") {
      this.#span.setAttribute("error.type", failure ?? String(status));
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

class ProviderSpan implements CallSpan {
  readonly headers: TraceHeaders;
  readonly #span: Span;
  readonly #startedAt = performance.now();
  #tokens = { input: 0, output: 0 };

  constructor(span: Span, tracestate: string | undefined) {
    this.#span = span;
    const { traceId, spanId, traceFlags } = span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    this.headers = tracestate === undefined ? { traceparent } : { traceparent, tracestate };
  }

  firstToken(): void {
    this.#span.setAttribute("gen_ai.response.time_to_first_chunk", (performance.now() - this.#startedAt) / 1_000);
  }

  answeredBy(provider: string): void {
    this.#span.setAttribute("agent.provider", provider);
  }

  usage({ input = 0, output = 0 }: { input?: number | undefined; output?: number | undefined }): void {
    this.#tokens = { input: this.#tokens.input + input, output: this.#tokens.output + output };
    this.#span.setAttributes({
      "gen_ai.usage.input_tokens": this.#tokens.input,
      "gen_ai.usage.output_tokens": this.#tokens.output,
    });
  }

  end(errorKind?: string): void {
    if (errorKind !== undefined) {
      this.#span.setAttribute("error.type", errorKind);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

function getParentContext(headers: TraceHeaders | undefined): Context {
  const [, traceId = "", spanId = "", flags = "0"] = headers?.traceparent.split("-") ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

function getServerAttributes(url: string): Record<string, string | number> {
  const { hostname, port, protocol } = new URL(url);
  return { "server.address": hostname, "server.port": Number(port) || (protocol === "https:" ? 443 : 80) };
}
