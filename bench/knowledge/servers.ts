import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { services } from "@agent-backends/contract/services";
import { buildDirectory, rootDirectory } from "../harness/paths.ts";
import type { Server } from "../harness/processes.ts";
import { allCores, cpuMicros, startServer } from "../harness/processes.ts";

/** Maximum time that a service gets to stop. */
const patienceMs = 30_000;
/** Background work counts as finished once the process used less than this share of a core in several consecutive checks. */
const idleShare = 0.03;
const idlePollIntervalMs = 500;
const idlePolls = 8;

/** The provider that answers immediately, as an OpenAI base URL. */
export async function startProvider(): Promise<Server> {
  const server = await startServer([join(import.meta.dirname, "provider.ts")], {}, allCores);
  return { ...server, baseUrl: `${server.baseUrl}/v1` };
}

/** The same provider with precomputed vectors, for scenarios in which similarity doesn't matter. */
export function pooled(provider: Server): Server {
  return { ...provider, baseUrl: provider.baseUrl.replace(/\/v1$/, "/pooled/v1") };
}

/** The built service on a store, as users run it: durable, and started like in `package.json`. */
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

/** A folder for a store on the project's disk, because a store in memory isn't durable. */
export async function makeStore(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(buildDirectory, "knowledge-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A store that `fill` has filled. If an earlier run was interrupted, its store is used again, because filling one takes up to an hour. */
export async function makeFilledStore(
  name: string,
  fill: (path: string) => Promise<void>,
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = join(buildDirectory, `filled-${name}`);
  const mark = `${path}.complete`;
  const remove = async () => {
    await rm(mark, { force: true });
    await rm(path, { recursive: true, force: true });
  };
  if (!existsSync(mark)) {
    await remove();
    await fill(path);
    await writeFile(mark, "");
  }
  return { path, remove };
}

/** Resolves once a server has no work left, such as building an index. */
export async function untilIdle({ pid }: Server): Promise<void> {
  let used = cpuMicros(pid);
  for (let quiet = 0; quiet < idlePolls; ) {
    await new Promise((resolve) => setTimeout(resolve, idlePollIntervalMs));
    const now = cpuMicros(pid);
    quiet = now - used < idleShare * idlePollIntervalMs * 1_000 ? quiet + 1 : 0;
    used = now;
  }
}
