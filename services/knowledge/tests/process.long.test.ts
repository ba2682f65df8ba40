import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { runToExit, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { KnowledgeProcess } from "./knowledge-process.ts";
import { mainModule, startKnowledge } from "./knowledge-process.ts";

let folder: string;
const running = new Set<KnowledgeProcess>();

const provider = await startScriptedProvider();
afterAll(() => provider.close());
beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished);
});
afterEach(async () => {
  await Promise.all([...running].map((service) => service.end("SIGKILL")));
  running.clear();
});

async function start(variables: Record<string, string> = {}): Promise<KnowledgeProcess> {
  const service = await startKnowledge({
    LLM_BASE_URL: provider.baseUrl,
    KNOWLEDGE_STORE: join(folder, "store"),
    ...variables,
  });
  running.add(service);
  return service;
}

const ingest = (service: KnowledgeProcess, sources: unknown[]) => service.ingest({ sources });

async function listDocuments(service: KnowledgeProcess) {
  const response = await fetch(`${service.baseUrl}/api/namespaces/default/documents?limit=100`);
  return ((await response.json()) as { documents: { document_id: string; hash: string; chunks: number }[] }).documents;
}

const key = { LLM_API_KEY: "sk-test" };

describe("the process", () => {
  it("does not start without a key, and says for each variable what is wrong", async () => {
    expect(await runToExit(mainModule, { KNOWLEDGE_MAX_SOURCES: "many" })).toEqual({
      code: 1,
      lines: [
        expect.stringMatching(/^LLM_API_KEY /),
        expect.stringMatching(/^KNOWLEDGE_MAX_SOURCES must be a whole number/),
      ],
    });
  });

  it("does not start with an invalid KNOWLEDGE_STORE", async () => {
    expect(await runToExit(mainModule, { ...key, KNOWLEDGE_STORE: "s3://" })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^KNOWLEDGE_STORE must be a folder such as .*s3:\/\/bucket/)],
    });
    const file = join(folder, "file");
    await writeFile(file, "");
    expect(await runToExit(mainModule, { ...key, KNOWLEDGE_STORE: file })).toEqual({
      code: 1,
      lines: [`KNOWLEDGE_STORE ${file} is a file: set it to a folder, such as ./data/knowledge`],
    });
  });

  it("does not start on an object store that lets writers overwrite each other", async () => {
    const careless = createServer((request, response) => request.resume().on("end", () => response.end()));
    const AWS_ENDPOINT = await listenOnLoopback(careless, onTestFinished);
    const keys = { ...key, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
    expect(await runToExit(mainModule, { KNOWLEDGE_STORE: "s3://bucket/store", AWS_ENDPOINT, ...keys })).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^KNOWLEDGE_STORE .*If-None-Match/)],
    });
  });

  it("says in a bounded time that it is not ready when its store does not answer", async () => {
    const silent = createServer(() => undefined);
    const service = await start({
      KNOWLEDGE_STORE: "s3://bucket/store",
      AWS_ENDPOINT: await listenOnLoopback(silent, onTestFinished),
      AWS_ALLOW_HTTP: "true",
    });
    expect(JSON.stringify(service.log)).toContain("If-None-Match is not known");
    const ready = await fetch(`${service.baseUrl}/ready`, { signal: AbortSignal.timeout(60_000) });
    expect(ready.status).toBe(503);
    expect((await fetch(`${service.baseUrl}/health`)).status).toBe(200);
  }, 120_000);

  it.each([
    ["a folder that can't be made", () => join(folder, "file", "store")],
    ["a database that is away", () => "postgres://someone@127.0.0.1:1/x"],
  ])("is alive but not ready with %s as its store, and says when to come back", async (_what, location) => {
    await writeFile(join(folder, "file"), "");
    const service = await start({ KNOWLEDGE_STORE: location() });
    expect(await (await fetch(`${service.baseUrl}/health`)).json()).toMatchObject({ status: "ok" });
    const ready = await fetch(`${service.baseUrl}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ detail: expect.stringContaining("KNOWLEDGE_STORE") });
    const found = await service.search({ query: "refunds" });
    expect([found.status, found.headers.has("retry-after")]).toEqual([503, true]);
  });
});

describe("what was stored", () => {
  it("is stored once when two processes are brought the same at the same time", async () => {
    const services = [await start(), await start()];
    const texts = Array.from(
      { length: 16 },
      (_, index) => `Document ${index}. ${"Some words more. ".repeat(index * 10)}`,
    );
    const answers = await Promise.all(
      texts.flatMap((text) => services.map(async (service) => (await ingest(service, [text])).body)),
    );
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    const saved = answers.flatMap((body) => body.saved);
    expect(saved).toHaveLength(texts.length);
    expect(new Set(saved.map(({ hash }) => hash)).size).toBe(texts.length);
    for (const service of services) {
      const documents = await listDocuments(service);
      expect(documents.map(({ hash, chunks }) => `${hash} ${chunks}`).sort()).toEqual(
        saved.map(({ hash, chunks }) => `${hash} ${chunks}`).sort(),
      );
    }
  }, 60_000);
});
