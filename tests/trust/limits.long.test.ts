import { join, resolve } from "node:path";
import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { post } from "../observability/services.ts";
import { writeKeys } from "./key-file.ts";

const message = { role: "user", content: "Hello" };
const streaming = {
  "relay-express": ["/agent", { threadId: "t", runId: "r", messages: [{ id: "m", ...message }] }],
  "relay-nest": ["/agent", { threadId: "t", runId: "r", messages: [{ id: "m", ...message }] }],
  knowledge: ["/stream", { thread_id: "t", run_id: "r", messages: [message] }],
  listing: ["/agent", { messages: [{ ...message, content: "Give me advice on naming" }] }],
} as const;
const names = ["relay-express", "relay-nest", "knowledge", "listing"] as const;

const folder = await createTemporaryFolder();
const provider = await startScriptedProvider();
await writeKeys(join(folder, "keys.json"), [
  { name: "slow", key: "slow-key", namespaces: ["*"], rate: 3 },
  ...["usual", "other", "third"].map((name) => ({ name, key: `${name}-key`, namespaces: ["*"] })),
]);
afterAll(() => provider.close());

/** Stops answers half-way until the returned function is called. */
function holdAnswers(): () => void {
  const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
  const half = `data: {"choices":[{"index":0,"delta":{"content":"half "}}]}\n\n`;
  const whole = `data: {"choices":[{"index":0,"delta":{"content":"whole"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  provider.script(answer.bytes([half, goOn, whole]));
  return finish;
}

async function expectProblem(response: Response, status: number, name: string): Promise<void> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ type: `urn:agent-backends:problem:${name}`, status });
}

describe.each(names)("%s", (name) => {
  const [path, body] = streaming[name];
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService(resolve(serviceMains[name]), {
      LLM_BASE_URL: provider.baseUrl,
      KNOWLEDGE_STORE: join(folder, name),
      AUTH_KEYS_FILE: join(folder, "keys.json"),
      MAX_STREAMS: "3",
      MAX_STREAMS_PER_KEY: "2",
    });
  });
  afterAll(() => service.end("SIGKILL"));
  beforeEach(() => provider.script(answer.text("Hello.")));

  const ask = (key: string) => post(service.baseUrl + path, body, { "X-API-Key": key });
  /** Opens a stream, once the slots of earlier streams are free. They become free a moment after a stream's end. */
  const begun = (key: string) =>
    vi.waitFor(
      async () => {
        const response = await ask(key);
        if (response.status !== 200) await response.text();
        expect(response.status).toBe(200);
        return response;
      },
      { timeout: 30_000, interval: 20 },
    );

  test("a key that has used up its minute waits, others don't", async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 3; request++) {
      const response = await ask("slow-key");
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([200, 200, 200]);
    await expectProblem(await ask("slow-key"), 429, "too-many-requests");
    const lines = () => service.log.filter(({ msg, status }) => msg === "request" && status === 429);
    await expect.poll(lines).toMatchObject([{ key: "slow" }]);
    expect((await (await ask("usual-key")).text()).length).toBeGreaterThan(0);
  });

  test("over a key's share of streams it is asked to wait, while those that run go on", async () => {
    const finish = holdAnswers();
    const running = await Promise.all([ask("usual-key"), ask("usual-key")]);
    await expectProblem(await ask("usual-key"), 429, "too-many-requests");
    expect((await fetch(`${service.baseUrl}/health`)).status).toBe(200);
    finish();
    for (const response of running) expect(await response.text()).toContain("whole");
    await (await begun("usual-key")).text();
  });

  test("a full process refuses every further request at once while its streams continue", async () => {
    const finish = holdAnswers();
    const running = await Promise.all([begun("usual-key"), begun("usual-key"), begun("other-key")]);
    for (const key of ["usual-key", "other-key", "third-key"]) await expectProblem(await ask(key), 503, "unavailable");
    finish();
    for (const response of running) expect(await response.text()).toContain("whole");
    await (await begun("third-key")).text();
  });
});

describe("the knowledge service", () => {
  let busy: ScriptedProvider;
  let service: ServiceProcess;
  beforeAll(async () => {
    busy = await startScriptedProvider();
    service = await startService(resolve(serviceMains.knowledge), {
      LLM_BASE_URL: busy.baseUrl,
      KNOWLEDGE_STORE: join(folder, "shares"),
      AUTH_KEYS_FILE: join(folder, "keys.json"),
      MAX_INGESTS_PER_KEY: "1",
      MAX_SEARCHES: "2",
      MAX_SEARCHES_PER_KEY: "1",
    });
  });
  afterAll(async () => {
    await service.end("SIGKILL");
    await busy.close();
  });
  const send = (path: string, key: string, body: object) => post(service.baseUrl + path, body, { "X-API-Key": key });

  test("over a key's share of searches it is asked to wait, over the process's places everybody is", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    onTestFinished(() => release());
    const search = (key: string) => send("/api/tools/searchDocs", key, { query: "ducks" });
    expect((await send("/api/tools/ingest", "usual-key", { sources: ["Ducks swim."] })).status).toBe(200);
    busy.scriptEmbeddings(answer.embeddingsAfter(released));
    const asked = busy.embeddingRequests.length;
    const running = [search("usual-key")];
    await expect.poll(() => busy.embeddingRequests.length).toBe(asked + 1);
    await expectProblem(await search("usual-key"), 429, "too-many-requests");
    running.push(search("other-key"));
    await expect.poll(() => busy.embeddingRequests.length).toBe(asked + 2);
    await expectProblem(await search("third-key"), 503, "unavailable");
    release();
    for (const response of await Promise.all(running)) expect(response.status).toBe(200);
    expect((await search("third-key")).status).toBe(200);
  });

  // The last one: its ingests never end.
  test("over a key's share of ingests, those in the background included, it is asked to wait", async () => {
    busy.scriptEmbeddings(answer.hang());
    const ingest = (key: string, query = "") => send(`/api/tools/ingest${query}`, key, { sources: ["Geese fly."] });
    expect((await ingest("usual-key", "?async=true")).status).toBe(202);
    await expectProblem(await ingest("usual-key", "?async=true"), 429, "too-many-requests");
    expect((await ingest("slow-key", "?async=true")).status).toBe(202);
    const waiting = ingest("usual-key").catch(() => undefined);
    await vi.waitFor(async () => expectProblem(await ingest("usual-key"), 429, "too-many-requests"), {
      timeout: 30_000,
    });
    await service.end("SIGKILL");
    await waiting;
  });
});

test("without keys an address is limited only where that is asked for", async () => {
  const service = await startService(resolve(serviceMains.listing), { RATE_LIMIT_PER_ADDRESS: "2" });
  try {
    const roll = () => post(`${service.baseUrl}/tools/confetti`, {});
    expect([(await roll()).status, (await roll()).status]).toEqual([200, 200]);
    await expectProblem(await roll(), 429, "too-many-requests");
    expect((await fetch(`${service.baseUrl}/ready`)).status).toBe(200);
  } finally {
    await service.end("SIGKILL");
  }
});
