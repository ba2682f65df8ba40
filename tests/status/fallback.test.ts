import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, runToExit, serviceMains, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, expect, test } from "vitest";
import { post, root, start, streaming } from "../observability/services.ts";

const toProviderName = ({ baseUrl }: ScriptedProvider, model: string) => `${new URL(baseUrl).host} ${model}`;

const first = await startScriptedProvider({ script: answer.error(401, "No such key.") });
const second = await startScriptedProvider({ script: answer.text("Hello ", "there.") });
const variables = {
  LLM_BASE_URL: first.baseUrl,
  LLM_FALLBACKS: `${second.baseUrl} SECOND_KEY second-model`,
  SECOND_KEY: "sk-second-secret",
  LISTING_API_URL: "http://127.0.0.1:9/graphql",
  METRICS_PORT: "0",
};
const names = ["relay-nest", "knowledge", "listing"] as const;
const services = await Promise.all(names.map((name) => start(name, variables)));
afterAll(async () => {
  await Promise.all(services.map((service) => service.end("SIGKILL")));
  await Promise.all([first.close(), second.close()]);
});

test.each(names.map((name, index) => [name, services[index] as ServiceProcess] as const))(
  "%s answers from the second provider, and says so in header, log, metrics and /ready",
  async (name, service) => {
    const { path, body } = streaming[name];
    const response = await post(`${service.baseUrl}${path}`, body);
    expect(await response.text()).toMatch(/there\./);
    const answering = toProviderName(second, "second-model");
    expect(response.headers.get("x-llm-provider")).toBe(name === "listing" ? null : answering);
    await expect.poll(() => service.log.find(({ msg }) => msg === "request")).toMatchObject({ provider: answering });
    const fallback = service.log.find(({ msg }) => /the next one is asked/.test(msg ?? ""));
    expect(fallback).toMatchObject({ next: answering, request_id: response.headers.get("x-request-id") });

    const metrics = await (await fetch(service.metricsUrl ?? "")).text();
    expect(metrics).toMatch(new RegExp(`agent_provider_answers_total{.*provider="${answering}".*} 1`));
    const ready = await (await fetch(`${service.baseUrl}/ready`)).text();
    expect(JSON.parse(ready).provider).toMatchObject({
      status: "degraded",
      code: "key_refused",
      circuit: "closed",
      fallbacks: [{ status: "ok", circuit: "closed", models: { chat: "second-model" } }],
    });
    expect(ready + metrics + JSON.stringify(service.log)).not.toContain("sk-second-secret");
  },
);

test("generate names who answered, and embeddings never come from another provider", async () => {
  second.requests.length = 0;
  const service = services[names.indexOf("knowledge")] as ServiceProcess;
  const question = { messages: [{ role: "user", content: "How long do refunds take?" }] };
  const generated = await post(`${service.baseUrl}/api/agents/knowledge/generate`, question);
  expect(await generated.json()).toMatchObject({ content: "Hello there." });
  expect(generated.headers.get("x-llm-provider")).toBe(toProviderName(second, "second-model"));

  const ingest = (value: string) => post(`${service.baseUrl}/api/tools/ingest`, { sources: [{ type: "text", value }] });
  expect((await ingest("Refunds take three days.")).status).toBe(200);
  first.scriptEmbeddings(answer.error(401, "No such key."));
  expect((await ingest("Parcels take five days.")).status).toBe(400);
  second.script(answer.text("Three days [1]."));
  const byWords = await post(`${service.baseUrl}/api/agents/knowledge/generate`, question);
  expect(await byWords.json()).toMatchObject({ citations: [{ quote: "Refunds take three days." }] });
  await expect
    .poll(() => service.log.filter(({ msg }) => msg === "request").at(-1))
    .toMatchObject({ outcome: "finished", provider: toProviderName(second, "second-model") });
  expect(second.embeddingRequests).toHaveLength(0);
});

test("a key that is not set stops the start, in one line that says where", async () => {
  const { SECOND_KEY: _, ...others } = variables;
  const { code, lines } = await runToExit(root + serviceMains["relay-express"], { LLM_API_KEY: "k", ...others });
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [`LLM_FALLBACKS entry 1: the variable of the key of ${new URL(second.baseUrl).host} is not set`],
  });
});
