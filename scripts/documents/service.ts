import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { KnowledgeClient } from "@agent-backends/client";
import { serviceMains, startService } from "@agent-backends/testing";

/** The knowledge service in its own process, with a new store and the offline provider. */
export interface TestedService {
  baseUrl: string;
  client: KnowledgeClient;
  end(): Promise<void>;
}

/** Starts the service. @throws Error with its output if it exits before it listens */
export async function startTestedService(variables: Record<string, string> = {}): Promise<TestedService> {
  const store = await mkdtemp(join(tmpdir(), "knowledge-documents-"));
  const provider = new Worker(new URL("./provider.ts", import.meta.url));
  const [providerUrl] = (await once(provider, "message")) as [string];
  const main = join(import.meta.dirname, "../..", serviceMains.knowledge);
  const settings = { LLM_API_KEY: "offline", LLM_BASE_URL: providerUrl, KNOWLEDGE_EMBEDDING_MODEL: "offline" };
  const service = await startService(main, { ...settings, KNOWLEDGE_STORE: store, ...variables }, { keepsLog: false });
  return {
    baseUrl: service.baseUrl,
    client: new KnowledgeClient({ baseUrl: service.baseUrl }),
    async end() {
      service.process.kill();
      await service.exited;
      await provider.terminate();
      await rm(store, { recursive: true, force: true });
    },
  };
}
