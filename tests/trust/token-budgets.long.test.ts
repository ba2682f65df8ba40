import { join } from "node:path";
import type { ScriptedAnswer, ServiceProcess } from "@agent-backends/testing";
import { answer, startRedisServer, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { post, start, streaming } from "../observability/services.ts";
import { writeKeys } from "./key-file.ts";

const folder = await createTemporaryFolder();
const names = ["relay-express", "relay-nest", "knowledge", "listing"] as const;

const provider = await startScriptedProvider();
const budgets = [...names, "left", "early", "shared", "uncounted", "whole-1", "whole-2"].map((name) => ({
  name,
  key: `${name}-key`,
  tokensPerDay: 30,
}));
await writeKeys(
  join(folder, "keys.json"),
  [...budgets, { name: "free", key: "free-key" }, { name: "rated", key: "rated-key", rate: 2 }].map((key) => ({
    ...key,
    namespaces: ["*"],
  })),
);
// Each answer costs 12 tokens, as the provider counts.
beforeEach(() => provider.script(answer.text("Hello ", "there.")));

const startWith = (name: (typeof names)[number], variables: Record<string, string> = {}) =>
  start(name, {
    LLM_BASE_URL: provider.baseUrl,
    LISTING_API_URL: "http://127.0.0.1:9/graphql",
    AUTH_KEYS_FILE: join(folder, "keys.json"),
    ...variables,
  });
const [express, nest, knowledge, listing] = await Promise.all([
  startWith("relay-express"),
  startWith("relay-nest"),
  startWith("knowledge"),
  startWith("listing"),
]);
const services = { "relay-express": express, "relay-nest": nest, knowledge, listing };
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.end("SIGKILL")));
  await provider.close();
});

/** Starts another one, which counts for itself or as the variables say. */
async function run(name: (typeof names)[number], variables: Record<string, string>): Promise<ServiceProcess> {
  const service = await startWith(name, variables);
  onTestFinished(() => service.end("SIGKILL").then(() => undefined));
  return service;
}

async function ask(service: ServiceProcess, name: (typeof names)[number], key: string) {
  const { path, body } = streaming[name];
  const response = await post(`${service.baseUrl}${path}`, body, { "x-api-key": `${key}-key` });
  return { response, text: await response.text() };
}

const remaining = ({ response }: { response: Response }) => {
  const [, left] = /^"tokens-per-day";r=(\d+);t=\d+$/.exec(response.headers.get("ratelimit") ?? "") ?? [];
  return Number(left);
};

test.each(names)(
  "%s answers a key until its tokens are spent, then says when to come back; others go on",
  async (name) => {
    const service = services[name];
    const statuses: number[] = [];
    let refused: Awaited<ReturnType<typeof ask>> | undefined;
    for (let request = 0; request < 4; request += 1) {
      const asked = await ask(service, name, name);
      statuses.push(asked.response.status);
      expect(asked.response.headers.get("ratelimit")).toMatch(/^"tokens-per-day";r=\d+;t=\d+$/);
      if (asked.response.status === 429) refused = asked;
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    const headers = refused?.response.headers;
    expect(Number(headers?.get("retry-after"))).toBeGreaterThan(0);
    expect(headers?.get("ratelimit-policy")).toBe('"tokens-per-day";q=30;w=86400');
    expect(refused && remaining(refused)).toBe(0);
    expect(JSON.parse(refused?.text ?? "")).toMatchObject({
      type: "urn:agent-backends:problem:too-many-requests",
      detail: expect.stringMatching(
        /^This key has used its budget of 30 tokens per day, .*; wait \d+ s, until 00:00 UTC\.$/,
      ),
    });
    const free = await ask(service, name, "free");
    expect(free.response.status).toBe(200);
    expect(free.response.headers.has("ratelimit")).toBe(false);
    expect(
      service.log.filter(({ msg }) => /token budgets are counted by this process alone/.test(msg ?? "")),
    ).toHaveLength(1);
  },
);

test.each([1, 2])("a whole answer of %i workers says what is left after it", async (workers) => {
  const service = workers === 1 ? knowledge : await run("knowledge", { WORKERS: String(workers) });
  const key = `whole-${workers}`;
  const headers = { "x-api-key": `${key}-key` };
  const messages = [{ role: "user", content: "Hi" }];
  const left: number[] = [];
  for (const path of ["/api/agents/knowledge/generate", "/v1/chat/completions"]) {
    const response = await post(service.baseUrl + path, { model: "knowledge", messages }, headers);
    await response.text();
    left.push(remaining({ response }));
  }
  expect(left).toEqual([18, 6]);
});

/** Asks and leaves once the provider has the request, and has sent this much of an answer. */
async function askAndLeave(
  service: ServiceProcess,
  key: string,
  script: ScriptedAnswer,
  content = "Hello",
): Promise<void> {
  provider.script(script);
  const before = provider.chatRequests.length;
  const leaving = new AbortController();
  const { path, body } = streaming["relay-nest"];
  const response = await fetch(service.baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": `${key}-key`, "content-type": "application/json" },
    body: JSON.stringify({ ...body, messages: [{ id: "1", role: "user", content }] }),
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  const request = await provider.chatRequest(before + 1);
  // The first chunk is RUN_STARTED.
  await reader?.read();
  if (script !== hanging) await reader?.read();
  leaving.abort();
  await request.closed;
  provider.script(answer.text("Hello"));
}

const hanging = answer.hang();

test("a client that leaves pays for what was read and sent, and one whose run fails pays nothing", async () => {
  const status = async (key: string) => (await ask(nest, "relay-nest", key)).response.status;
  provider.script(answer.error(400, "Invalid tool."));
  expect([await status("left"), await status("left"), await status("left")]).toEqual([200, 200, 200]);

  await askAndLeave(nest, "left", answer.hangAfter(...Array(40).fill("a")));
  await expect.poll(() => status("left")).toBe(429);
  await askAndLeave(nest, "early", hanging, "A long question. ".repeat(20));
  await expect.poll(() => status("early")).toBe(429);
});

test("where the provider counts nothing, all that the librarian sends it is counted, and not only the question", async () => {
  provider.script(answer.chunks([{ choices: [{ delta: { content: "Hello" }, finish_reason: "stop" }] }]));
  const statuses: number[] = [];
  for (let request = 0; request < 2; request += 1)
    statuses.push((await ask(knowledge, "knowledge", "uncounted")).response.status);
  expect(statuses).toEqual([200, 429]);
});

test("replicas and services share a key's budget in Redis", async () => {
  const redis = await startRedisServer();
  onTestFinished(() => redis.stop());
  const variables = { RATE_LIMIT_URL: redis.url };
  const [one, other, librarian] = await Promise.all([
    run("relay-nest", variables),
    run("relay-express", variables),
    run("knowledge", variables),
  ]);
  const asked = [
    await ask(one, "relay-nest", "shared"),
    await ask(other, "relay-express", "shared"),
    await ask(librarian, "knowledge", "shared"),
    await ask(one, "relay-nest", "shared"),
  ];
  expect(asked.map(({ response }) => response.status)).toEqual([200, 200, 200, 429]);
  // Both relays are one service, with one rate.
  const rated = [
    await ask(one, "relay-nest", "rated"),
    await ask(other, "relay-express", "rated"),
    await ask(one, "relay-nest", "rated"),
    await ask(librarian, "knowledge", "rated"),
  ];
  expect(rated.map(({ response }) => response.status)).toEqual([200, 200, 429, 200]);
});
