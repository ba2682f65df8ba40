import { providerVariables, serviceVariables, variables } from "@agent-backends/kit";
import { mcpVariables } from "@agent-backends/kit/mcp";
import { z } from "zod";

/** What the knowledge service reads from its environment. */
export const knowledgeVariables = z.object({
  ...serviceVariables(8001),
  ...providerVariables,
  ...mcpVariables,
  KNOWLEDGE_LLM_MODEL: variables.text("gpt-4o-mini"),
  KNOWLEDGE_EMBEDDING_MODEL: variables.text("text-embedding-3-small"),
  /** A folder, or `s3://…`, `gs://…`, `az://…`. */
  KNOWLEDGE_STORE: variables.text("./data/knowledge"),
  KNOWLEDGE_MAX_FILE_BYTES: variables.bytes(50 * 1024 * 1024),
  KNOWLEDGE_MAX_SOURCES: variables.count(100),
  KNOWLEDGE_URL_TIMEOUT_MS: variables.milliseconds(15_000),
  KNOWLEDGE_URL_ALLOW_PRIVATE: variables.flag(false),
});

export type KnowledgeConfiguration = z.output<typeof knowledgeVariables>;
