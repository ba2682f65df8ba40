import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { services } from "@agent-backends/contract/services";
import { buildDirectory, rootDirectory } from "../harness/paths.ts";
import type { Server } from "../harness/processes.ts";
import { allCores, cpuMicros, startServer } from "../harness/processes.ts";

/** What a service gets to end its work. */
const patienceMs = 30_000;
/** Background work has ended when the process used less than this share of a core for so many looks in a row. */
const idleShare = 0.03;
const idleLookMs = 500;
const idleLooks = 8;

/** The provider that answers at once, as an OpenAI base URL. */
export async function startProvider(): Promise<Server> {
  const server = await startServer([join(import.meta.dirname, "provider.ts")], {}, allCores);
  return { ...server, baseUrl: `${server.baseUrl}/v1` };
}

/** The same provider with vectors that are ready, for scenarios that don't ask what is near. */
export function pooled(provider: Server): Server {
  return { ...provider, baseUrl: provider.baseUrl.replace(/\/v1$/, "/pooled/v1") };
}

/** The built service on a store, with what its users get: durability on, and started as `package.json` does. */
export function startKnowledge(store: string, provider: Server): Promise<Server> {
  const { nodeFlags, nodeEnvironment } = services.knowledge;
  const main = join(rootDirectory, services.knowledge.main);
  if (!existsSync(main)) throw new Error("Build the project first: npm run build");
  const variables = {
    ...nodeEnvironment,
    LLM_API_KEY: "sk-benchmark",
    LLM_BASE_URL: provider.baseUrl,
    KNOWLEDGE_STORE: store,
    KNOWLEDGE_MAX_FILE_BYTES: String(200 * 1024 * 1024),
    KNOWLEDGE_MAX_SOURCES: "2000",
    LOG_LEVEL: "error",
  };
  return startServer([...nodeFlags, main], variables, allCores, patienceMs);
}

/** A folder for a store, on the disk on which the project lies: what lies in memory is no store that is durable. */
export async function makeStore(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(buildDirectory, "knowledge-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Resolves when a server has nothing left to do, such as building an index. */
export async function untilIdle({ pid }: Server): Promise<void> {
  let used = cpuMicros(pid);
  for (let quiet = 0; quiet < idleLooks; ) {
    await new Promise((resolve) => setTimeout(resolve, idleLookMs));
    const now = cpuMicros(pid);
    quiet = now - used < idleShare * idleLookMs * 1_000 ? quiet + 1 : 0;
    used = now;
  }
}
