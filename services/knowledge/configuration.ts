import { knowledgeLimits, services } from "@agent-backends/contract";
import { providerVariables, serviceVariables, variables } from "@agent-backends/kit";
import { mcpVariables } from "@agent-backends/kit/mcp";
import { z } from "zod";

/** A bucket or container, and a path in it where wanted. */
const objectStore = /^(?:s3|gs|az):\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/;
/** One letter before the colon is a drive of Windows. */
const startsLikeAddress = /^[a-z][\w+.-]+:/i;

/** What the knowledge service reads from its environment. */
export const knowledgeVariables = z.object({
  ...serviceVariables(services.knowledge.port),
  ...providerVariables,
  ...mcpVariables,
  KNOWLEDGE_LLM_MODEL: variables.text(services.knowledge.models.KNOWLEDGE_LLM_MODEL),
  KNOWLEDGE_EMBEDDING_MODEL: variables.text(services.knowledge.models.KNOWLEDGE_EMBEDDING_MODEL),
  /** A folder, or `s3://…`, `gs://…`, `az://…`. */
  KNOWLEDGE_STORE: variables
    .text("./data/knowledge")
    .refine(
      (location) => objectStore.test(location) || !startsLikeAddress.test(location),
      "must be a folder such as ./data/knowledge, or s3://bucket/path, gs://bucket/path or az://container/path",
    ),
  KNOWLEDGE_MAX_FILE_BYTES: variables.bytes(knowledgeLimits.fileBytes),
  KNOWLEDGE_MAX_SOURCES: variables.count(knowledgeLimits.sourcesPerRequest),
  KNOWLEDGE_MAX_NAMESPACES_PER_KEY: variables.count(knowledgeLimits.namespacesPerKey),
  KNOWLEDGE_URL_TIMEOUT_MS: variables.milliseconds(15_000),
  KNOWLEDGE_URL_ALLOW_PRIVATE: variables.flag(false),
});

export type KnowledgeConfiguration = z.output<typeof knowledgeVariables>;
