import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@agent-backends/kit";
import { offlineEmbeddingWeight, offlineModel } from "@agent-backends/llm";
import { lexicalEmbedding } from "@agent-backends/llm/offline";
import { searchNamespace } from "../../services/knowledge/search/hybrid-search.ts";
import { LanceStore } from "../../services/knowledge/store/lance/lance-store.ts";

/** Creates a namespace in an empty store in a temporary folder, searched with the offline embeddings. */
export async function createOfflineStore() {
  const namespace = "evaluation";
  const folder = await mkdtemp(join(tmpdir(), "evaluation-"));
  const store = new LanceStore({ folder }, { logger: createLogger("eval", "warn") });
  const embedder = {
    model: offlineModel,
    embed: async (texts: string[]) => texts.map((text) => lexicalEmbedding(text)),
    getWeight: () => offlineEmbeddingWeight,
  };
  const caller = { client: "eval", signal: new AbortController().signal };
  return {
    namespace,
    store,
    search: (query: string, limit: number) => searchNamespace({ store, embedder }, { namespace, query, limit, caller }),
    /** The common header of every stored document. Its hash is that of `content`. */
    createHeader(content: string) {
      const hash = createHash("sha256").update(content).digest("hex");
      return { id: hash.slice(0, 32), hash, ingestedAt: "2026-01-01T00:00:00.000Z", embeddingModel: offlineModel };
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
