import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { startKnowledge } from "./knowledge-process.ts";

const folder = await createTemporaryFolder();

const provider = await startScriptedProvider();
afterAll(() => provider.close());

const reindexModule = join(import.meta.dirname, "../dist/reindex/main.js");

it("after a change of the embedding model all goes on with the old one, and warns, until it was reindexed", async () => {
  const variables = { LLM_BASE_URL: provider.baseUrl, LLM_API_KEY: "sk-test-secret", KNOWLEDGE_STORE: folder };
  const before = await startKnowledge({ ...variables, KNOWLEDGE_EMBEDDING_MODEL: "the-old-one" });
  for (const namespace of ["shop", "zoo"]) {
    await before.ingest({ namespace, sources: [`Tea is sold in the ${namespace}.`] });
  }
  expect(await (await fetch(`${before.baseUrl}/ready`)).json()).not.toHaveProperty("warnings");
  await before.end();

  const changed = { ...variables, KNOWLEDGE_EMBEDDING_MODEL: "the-new-one" };
  const service = await startKnowledge(changed);
  try {
    const search = async () => {
      const { body } = await service.search({ namespace: "shop", query: "tea" });
      return { model: provider.embeddingRequests.at(-1)?.body.model, found: body.results.length };
    };
    const warnings = async () =>
      ((await (await fetch(`${service.baseUrl}/ready`)).json()) as { warnings?: string[] }).warnings;
    await expect.poll(warnings).toEqual([expect.stringMatching(/^2 namespaces .*the-old-one.*knowledge:reindex/)]);
    await expect.poll(() => JSON.stringify(service.log)).toContain("knowledge:reindex");
    expect(await search()).toEqual({ model: "the-old-one", found: 1 });
    const { body } = await service.ingest({ namespace: "shop", sources: ["Tea again."] });
    expect(body.saved).toHaveLength(1);
    expect(await search()).toEqual({ model: "the-old-one", found: 2 });

    const options = { env: { ...process.env, ...changed }, cwd: tmpdir() };
    provider.scriptEmbeddings(answer.error(400, "not now"));
    await expect(promisify(execFile)(process.execPath, [reindexModule], options)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^.*not now.* run this again once that is mended\.\n$/),
    });
    provider.scriptEmbeddings({ respond: (await import("@agent-backends/llm/offline")).respondWithLexicalEmbeddings });
    expect(await search()).toEqual({ model: "the-old-one", found: 2 });

    const elsewhere = { ...options.env, KNOWLEDGE_STORE: await createTemporaryFolder(onTestFinished) };
    expect(await promisify(execFile)(process.execPath, [reindexModule], { ...options, env: elsewhere })).toMatchObject({
      stdout: expect.stringContaining("no namespaces in the store of KNOWLEDGE_STORE"),
    });
    const { stdout } = await promisify(execFile)(process.execPath, [reindexModule], options);
    expect(stdout).toMatch(/1\/2 "shop": 2 of 2 chunks \(100 %\)/);
    expect(stdout).toMatch(/All namespaces have vectors of the-new-one/);
    expect(await search()).toEqual({ model: "the-new-one", found: 2 });
    expect(await warnings()).toBeUndefined();
  } finally {
    await service.end();
  }
}, 60_000);
