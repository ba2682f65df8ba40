import { readFileSync } from "node:fs";
import type { ServiceProcess } from "@agent-backends/testing";
import { answer, postWithoutReading, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, describe, expect, test } from "vitest";
import type { Scrape } from "./prometheus.ts";
import { parseScrape } from "./prometheus.ts";
import { post, requestLines, root, start, streaming } from "./services.ts";

const services: Partial<Record<"relay-express" | "knowledge" | "listing", ServiceProcess>> = {};

const provider = await startScriptedProvider();
const variables = {
  LLM_BASE_URL: provider.baseUrl,
  LISTING_API_URL: "http://127.0.0.1:9/graphql",
  LLM_FALLBACKS: "http://127.0.0.1:9/v1 - small-model",
  KNOWLEDGE_RERANK_URL: "http://127.0.0.1:9/rerank",
  METRICS_PORT: "0",
};
await Promise.all(
  (["relay-express", "knowledge", "listing"] as const).map(async (name) => {
    services[name] = await start(name, variables);
  }),
);
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.end()));
  await provider.close();
});

const running = (name: keyof typeof services) => services[name] as ServiceProcess;

async function scrape(name: keyof typeof services): Promise<Scrape> {
  const response = await fetch(running(name).metricsUrl ?? "");
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return parseScrape(await response.text());
}

/** Repeats an assertion until it holds, because a service counts a request after the client has read its answer. */
const soon = (expectation: () => Promise<void>) => expect.poll(() => expectation().then(() => true, String)).toBe(true);

describe("the metrics", () => {
  test("count requests, streams, first tokens and frames of the relay", async () => {
    const { path, body } = streaming["relay-express"];
    const ask = async () => (await post(running("relay-express").baseUrl + path, body)).text();
    provider.script(answer.text(..."many words of one frame each that look alike".split(" ")));
    await ask();
    provider.script(answer.cutAfter("Hel"));
    await ask();
    const before = provider.chatRequests.length;
    provider.script(answer.hangAfter("Hel"));
    const client = await postWithoutReading(running("relay-express").baseUrl + path, body);
    await provider.chatRequest(before + 1);
    await soon(async () => {
      const { value } = await scrape("relay-express");
      expect(value("agent_http_requests_total", { route: "/agent", status: "200", outcome: "finished" })).toBe(1);
      expect(value("agent_http_requests_total", { route: "/agent", outcome: "error" })).toBe(1);
      expect(value("agent_provider_errors_total", { kind: "cut" })).toBe(1);
      expect(value("agent_http_request_duration_seconds_count", { route: "/agent" })).toBe(2);
      expect(value("agent_first_token_seconds_count", { route: "/agent" })).toBe(2);
      expect(value("agent_streams_open")).toBe(1);
      expect(value("agent_http_requests_open")).toBe(1);
      expect(value("agent_relay_frames_total", { path: "fast" })).toBeGreaterThan(3);
      expect(value("agent_relay_frames_total", { path: "slow" })).toBeGreaterThan(2);
    });
    client.leave();
    await soon(async () => {
      const { value } = await scrape("relay-express");
      expect(value("agent_streams_open")).toBe(0);
      expect(value("agent_http_requests_total", { outcome: "client_gone" })).toBe(1);
    });
  });

  test("count the stages of ingests, the store's bytes and tokens of the knowledge service", async () => {
    const { baseUrl } = running("knowledge");
    const sources = [{ type: "text", value: "Refunds take five days." }];
    await (await post(`${baseUrl}/api/tools/ingest`, { sources })).text();
    provider.script(answer.text("Five days [1]."));
    await (
      await post(`${baseUrl}/stream`, {
        thread_id: "t",
        run_id: "r",
        messages: [{ role: "user", content: "Refunds?" }],
      })
    ).text();
    await soon(async () => {
      const { value } = await scrape("knowledge");
      for (const stage of ["extracting", "chunking", "embedding", "storing"]) {
        expect(value("agent_ingest_stage_duration_seconds_count", { stage })).toBe(1);
      }
      expect(value("agent_store_size_bytes")).toBeGreaterThan(1_000);
      expect(value("agent_tokens_total", { direction: "input" })).toBe(7);
      expect(value("agent_tokens_total", { direction: "output" })).toBe(5);
      expect(value("agent_first_token_seconds_count", { route: "/stream" })).toBe(1);
    });
  });

  test("name each with its unit and its service, and tell the delay of the event loop", async () => {
    const { types, samples, value } = await scrape("listing");
    for (const [name, type] of types) {
      if (type === "counter") expect(name).toMatch(/_total$/);
      if (type === "histogram") expect(name).toMatch(/_(seconds|bytes)$/);
    }
    expect(samples.every(({ labels }) => labels.service === "listing")).toBe(true);
    expect(value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  });

  test("have no series for unknown paths", async () => {
    for (const path of ["/a", "/b", "/c"]) await (await fetch(running("listing").baseUrl + path)).text();
    await requestLines(running("listing"), 3);
    const { samples } = await scrape("listing");
    expect(new Set(samples.flatMap(({ labels }) => labels.route ?? []))).toEqual(new Set(["other"]));
  });

  test("are served at one address and for reading only", async () => {
    const url = new URL(running("listing").metricsUrl ?? "");
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    expect((await fetch(url.origin)).status).toBe(404);
    expect((await fetch(`${running("listing").baseUrl}/metrics`)).status).toBe(404);
  });

  test("are all that the dashboard shows", async () => {
    const dashboard = JSON.parse(readFileSync(`${root}docs/grafana-dashboard.json`, "utf8"));
    const expressions: string[] = dashboard.panels
      .flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets)
      .map(({ expr }: { expr: string }) => expr);
    const scrapes = await Promise.all((["relay-express", "knowledge", "listing"] as const).map(scrape));
    // Of a service with several processes; tests/workers reads these.
    const ofWorkers = ["agent_workers", "agent_worker_deaths_total"];
    const known = new Set([...ofWorkers, ...scrapes.flatMap(({ types }) => [...types.keys()])]);
    const shown = new Set(expressions.flatMap((expr) => expr.match(/\b(agent|nodejs|process)_\w+/g) ?? []));
    const base = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""));
    expect([...shown].filter((name) => !known.has(base(name)))).toEqual([]);
    expect([...known].filter((name) => name.startsWith("agent_") && ![...shown].map(base).includes(name))).toEqual([]);
  });
});

/** Together they took a quarter of the start: metrics, traces, MCP, JSON Schema, HTTP pools, and apache-arrow's second build. */
const neededLater =
  /prom-client|opentelemetry\/(?!api)|modelcontextprotocol|ajv|undici|zod-to-json-schema|Arrow\.node\.mjs/;

test.concurrent.each(["knowledge", "listing"] as const)(
  "%s loads at its start nothing that only some requests need",
  async (name) => {
    const service = await start(
      name,
      { LLM_BASE_URL: provider.baseUrl },
      { nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(reportsLoadedModules)}`] },
    );
    await service.end();
    expect(service.metricsUrl).toBeUndefined();
    expect(service.printed.join("\n")).toContain("pino");
    expect(service.printed.filter((specifier) => neededLater.test(specifier))).toEqual([]);
  },
);

const reportsLoadedModules = `
  import { registerHooks } from "node:module";
  registerHooks({ resolve: (specifier, context, next) => { process.stderr.write(specifier + "\\n"); return next(specifier, context); } });
`;
