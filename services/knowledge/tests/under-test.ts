import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import type { ScriptedProvider } from "@agent-backends/testing";
import { startScriptedProvider } from "@agent-backends/testing";
import { judgeResponses } from "@agent-backends/testing/openapi";
import { afterAll } from "vitest";
import type { KnowledgeProcess } from "./knowledge-process.ts";
import { startKnowledge } from "./knowledge-process.ts";

/** The service in a process of its own, with a store and a scripted provider of its own. */
export interface UnderTest {
  provider: ScriptedProvider;
  service: KnowledgeProcess;
}

/** The store of a test. `npm run test:postgres` runs the same tests with a database, where each store is a schema of its own. */
export function storeIn(folder: string): string {
  const { TEST_DATABASE } = process.env;
  return TEST_DATABASE === undefined ? join(folder, "store") : `${TEST_DATABASE}?schema=${basename(folder)}`;
}

/**
 * Starts the service for the tests of a file; it ends after its last one. Responses that tests read must be in the OpenAPI document.
 *
 * @param variables beside those that name the provider and the store
 */
export async function startUnderTest(variables: Record<string, string> = {}): Promise<UnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "knowledge-test-"));
  const provider = await startScriptedProvider();
  const service = await startKnowledge({
    LLM_BASE_URL: provider.baseUrl,
    KNOWLEDGE_STORE: storeIn(folder),
    ...variables,
  });
  afterAll(await judgeResponses(knowledgeOperations, service.baseUrl));
  afterAll(async () => {
    await service.end("SIGKILL");
    await provider.close();
    await rm(folder, { recursive: true });
  });
  return { provider, service };
}
