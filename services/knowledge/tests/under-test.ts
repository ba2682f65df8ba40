import { basename, join } from "node:path";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import type { ScriptedProvider } from "@agent-backends/testing";
import { startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { validateResponses } from "@agent-backends/testing/openapi";
import { afterAll } from "vitest";
import type { KnowledgeProcess } from "./knowledge-process.ts";
import { startKnowledge, startKnowledgeReplicas } from "./knowledge-process.ts";

/** The service in its own process, with its own store and scripted provider. */
export interface UnderTest {
  provider: ScriptedProvider;
  service: KnowledgeProcess;
}

/** The set-up in which the service runs: `npm run test:scale` runs the same tests in each set-up (tests/scale/set-ups.ts). */
const { TEST_SETUP = "folder", TEST_STORE = "", TEST_VARIABLES = "{}" } = process.env;

/** The location of a test's store, which isn't shared in any set-up. */
function toStoreLocation(folder: string): string {
  if (TEST_SETUP === "postgres") return `${TEST_STORE}?schema=${basename(folder)}`;
  return TEST_SETUP === "object-store" ? `${TEST_STORE}/${basename(folder)}` : join(folder, "store");
}

/** Starts the service, or its replicas, with a store in this folder. */
export function startInFolder(folder: string, variables: Record<string, string>): Promise<KnowledgeProcess> {
  const start = TEST_STORE === "" ? startKnowledge : startKnowledgeReplicas;
  return start({ KNOWLEDGE_STORE: toStoreLocation(folder), ...JSON.parse(TEST_VARIABLES), ...variables });
}

/**
 * Starts the service for the tests of a file, until the last one ends. Responses that tests read must be described in the OpenAPI
 * document.
 *
 * @param variables in addition to those that name the provider and the store
 */
export async function startUnderTest(variables: Record<string, string> = {}): Promise<UnderTest> {
  const folder = await createTemporaryFolder();
  const provider = await startScriptedProvider();
  const service = await startInFolder(folder, { LLM_BASE_URL: provider.baseUrl, ...variables });
  afterAll(await validateResponses(knowledgeOperations, service.baseUrl));
  afterAll(async () => {
    await service.end("SIGKILL");
    await provider.close();
  });
  return { provider, service };
}
