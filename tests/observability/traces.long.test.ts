import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { describe, expect, test } from "vitest";
import { post, start, streaming } from "./services.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number; doubleValue?: number } }[];
  status: { code?: number };
}

/** A stand-in for a trace collector that accepts OTLP as JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
async function startCollector() {
  const spans: (Span & { service: string })[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request));
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === "service.name").value.stringValue;
      for (const scope of scopeSpans) for (const span of scope.spans) spans.push({ ...span, service });
    }
    response.writeHead(request.url === "/v1/traces" ? 200 : 404, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, spans, close: () => server.close().closeAllConnections() };
}

const readAttributes = (span: Span | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

const traceId = "0af7651916cd43dd8448eb211c80319c";
const clientSpanId = "b7ad6b7169203331";
const headers = { traceparent: `00-${traceId}-${clientSpanId}-01`, tracestate: "vendor=1" };

const variables = { LISTING_API_URL: "http://127.0.0.1:9/graphql" };

describe("traces", () => {
  test.concurrent.each(["relay-express", "knowledge", "listing"] as const)(
    "of %s join the client's trace and the provider's, and name the model and its tokens",
    async (name) => {
      const { path, body } = streaming[name];
      const provider = await startScriptedProvider({ script: [answer.text("Hi"), answer.cutAfter("Hel")] });
      const collector = await startCollector();
      const service = await start(name, {
        ...variables,
        LLM_BASE_URL: provider.baseUrl,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      });
      await (await post(service.baseUrl + path, body, headers)).text();
      await (await post(service.baseUrl + path, body)).text();
      expect(await service.end()).toBe(0);
      const [request, failed] = collector.spans.filter(({ kind }) => kind === 2);
      const [call, failedCall] = collector.spans.filter(({ kind, name }) => kind === 3 && name.startsWith("chat "));
      expect(request).toMatchObject({ service: name, name: `POST ${path}`, traceId, parentSpanId: clientSpanId });
      expect(readAttributes(request)).toMatchObject({
        "http.request.method": "POST",
        "http.route": path,
        "http.response.status_code": 200,
      });
      const model = name.startsWith("relay") ? "gpt-4o" : "gpt-4o-mini";
      expect(call).toMatchObject({ name: `chat ${model}`, traceId, parentSpanId: request?.spanId });
      expect(readAttributes(call)).toMatchObject({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": model,
        "gen_ai.response.time_to_first_chunk": expect.any(Number),
        "server.address": "127.0.0.1",
        ...(!name.startsWith("relay") && { "gen_ai.usage.input_tokens": 7, "gen_ai.usage.output_tokens": 5 }),
      });
      expect(provider.chatRequests[0]?.headers).toMatchObject({
        traceparent: `00-${traceId}-${call?.spanId}-01`,
        tracestate: "vendor=1",
      });
      expect(failed?.traceId).not.toBe(traceId);
      expect(failed?.status.code).toBe(2);
      expect(readAttributes(failedCall)).toMatchObject({ "error.type": "cut" });
      expect(JSON.stringify(collector.spans)).not.toContain("SECRET");
      collector.close();
      await provider.close();
    },
  );
});

test.concurrent("a collector that does not answer doesn't delay the shutdown", async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = await startScriptedProvider();
  const service = await start("listing", { LLM_BASE_URL: provider.baseUrl, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await (await post(service.baseUrl + streaming.listing.path, streaming.listing.body)).text();
  expect(await service.end()).toBe(0);
  expect(service.log).toContainEqual(expect.objectContaining({ level: 40, msg: "the last traces could not be sent" }));
  server.close().closeAllConnections();
  await provider.close();
});
