import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startOfflineProvider } from "@agent-backends/llm/offline";
import type { ServiceName, ServiceProcess } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { findProviderProblems } from "../../scripts/start/readiness.ts";
import { post, sendRaw, start } from "../observability/services.ts";

async function run(name: ServiceName, variables: Record<string, string>): Promise<ServiceProcess> {
  const service = await start(name, variables);
  onTestFinished(() => service.end("SIGKILL").then(() => undefined));
  return service;
}

async function startProvider() {
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  return provider;
}

/** The body of `/ready` once the provider has been checked. The status must be 200 all the time. */
async function readiness(service: ServiceProcess, headers: Record<string, string> = {}) {
  for (;;) {
    const response = await fetch(`${service.baseUrl}/ready`, { headers });
    expect(response.status).toBe(200);
    const body = (await response.json()) as { provider: { status: string } };
    if (body.provider.status !== "checking") return body;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test("each service says in /ready which provider and models it uses, what is wrong with them and which names it refuses, and stays ready", async () => {
  const [refusing, hanging, limited] = [await startProvider(), await startProvider(), await startProvider()];
  refusing.scriptModels(answer.error(401, "No such key: sk-test-secret"));
  hanging.scriptModels(answer.hang());
  limited.scriptModels(answer.rateLimited(60));
  const offline = await startOfflineProvider();
  onTestFinished(() => offline.close());

  // Started together: most of the time goes into starting them.
  const [express, nest, listing, knowledge] = await Promise.all([
    run("relay-express", { LLM_BASE_URL: refusing.baseUrl }),
    run("relay-nest", { LLM_BASE_URL: limited.baseUrl, RELAY_MODEL: "my-model" }),
    run("listing", { LLM_BASE_URL: offline.baseUrl }),
    run("knowledge", { LLM_BASE_URL: hanging.baseUrl }),
  ]);
  const keyRefused = `LLM_API_KEY was rejected by ${new URL(refusing.baseUrl).host}: put a valid key into .env and restart.`;
  const body = await readiness(express);
  expect(body).toEqual({
    status: "ready",
    service: "relay",
    provider: {
      status: "degraded",
      code: "key_refused",
      fault: "configuration",
      detail: keyRefused,
      fix: "LLM_API_KEY=your-key",
      host: new URL(refusing.baseUrl).host,
      models: { chat: "gpt-4o" },
      checkedAt: expect.any(String),
    },
    asksForKey: false,
  });
  expect(JSON.stringify(body)).not.toContain("sk-test");

  expect(await readiness(nest)).toMatchObject({
    service: "relay",
    provider: { status: "degraded", code: "limited", fault: "provider", models: { chat: "my-model" } },
  });

  expect(await readiness(listing)).toMatchObject({
    service: "listing",
    provider: { status: "ok", offline: true, models: { chat: "gpt-4o-mini" } },
    site: { status: "degraded", detail: expect.stringMatching(/LISTING_API_TOKEN is not set.*LISTING_SEARCH_APP_ID/) },
  });

  const models = { chat: "gpt-4o-mini", embeddings: "text-embedding-3-small" };
  // The provider delays its answer. Readiness doesn't wait for it.
  for (let count = 0; count < 3; count += 1) {
    const ready = await fetch(`${knowledge.baseUrl}/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ service: "knowledge", provider: { status: "checking", models } });
  }
  await expect.poll(() => hanging.requests.length).toBe(1);

  // What npm start repeats of them: each sentence once.
  const problems = await findProviderProblems([express, express, listing].map(({ baseUrl }) => baseUrl));
  expect(problems).toEqual([keyRefused]);

  // Without keys a service doesn't answer under another machine's name, and says so.
  const get = (path: string) =>
    sendRaw(listing.baseUrl, `GET ${path} HTTP/1.1\r\nHost: box.example\r\nConnection: close\r\n\r\n`);
  expect(await get("/")).toContain("HTTP/1.1 403");
  expect(await get("/ready")).toMatch(
    /^HTTP\/1\.1 200 .*"refusal":"This service asks for no key, so it refuses requests to box.example/s,
  );
});

const asking = {
  "relay-express": ["/agent", { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hello" }] }],
  listing: ["/agent", { messages: [{ role: "user", content: "Hello" }] }],
  knowledge: [
    "/api/agents/knowledge/generate",
    { thread_id: "t", run_id: "r", messages: [{ role: "user", content: "Hello" }] },
  ],
} as const;

test.each(["relay-express", "listing", "knowledge"] as const)(
  "what happens to the real calls of %s shows in /ready at once",
  async (name) => {
    const provider = await startProvider();
    const service = await run(name, { LLM_BASE_URL: provider.baseUrl });
    expect(await readiness(service)).toMatchObject({ provider: { status: "ok", offline: false } });
    const [path, body] = asking[name];
    const ask = async () => (await post(service.baseUrl + path, body)).text();
    // Too long to wait for, so the call isn't retried.
    provider.script(answer.rateLimited(3_600));
    await ask();
    expect(await readiness(service)).toMatchObject({ provider: { status: "degraded", code: "limited" } });
    provider.script(answer.text("Hello."));
    await ask();
    expect(await readiness(service)).toMatchObject({ provider: { status: "ok" } });
  },
);

test("a service that asks for keys says so in /ready, and whether it knows the one that was sent", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const sha256 = createHash("sha256").update("good-key").digest("hex");
  await writeFile(
    join(folder, "keys.json"),
    JSON.stringify({ keys: [{ name: "mine", sha256, namespaces: ["mine"], scopes: ["read"] }] }),
  );
  const provider = await startProvider();
  const service = await run("relay-express", {
    LLM_BASE_URL: provider.baseUrl,
    AUTH_KEYS_FILE: join(folder, "keys.json"),
  });
  const access = async (headers?: Record<string, string>) => {
    const { asksForKey, key, scopes } = (await readiness(service, headers)) as Record<string, unknown>;
    return [asksForKey, key, scopes];
  };
  expect(await access()).toEqual([true, undefined, undefined]);
  expect(await access({ "X-API-Key": "good-key" })).toEqual([true, "accepted", ["read"]]);
  expect(await access({ Authorization: "Bearer bad-key" })).toEqual([true, "refused", undefined]);
});
