import { knowledgeLimits, offlineStore, services, variableDefaults } from "@agent-backends/contract";
import { pageVariables, providerVariables, serviceVariables, variables } from "@agent-backends/kit";
import { mcpVariables } from "@agent-backends/kit/mcp";
import { runVariables } from "@agent-backends/kit/runs";
import { z } from "zod";

/** A bucket or container, with an optional path in it. */
const objectStore = /^(?:s3|gs|az):\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/;
const databaseScheme = /^postgres(?:ql)?:\/\//;
/**
 * Whether the location is a database URL, possibly with parameters. An unescaped `/` or `#` in the password would end the address too
 * early.
 */
function isDatabase(location: string): boolean {
  if (!(databaseScheme.test(location) && URL.canParse(location))) return false;
  const { pathname, hash } = new URL(location);
  return /^(\/[^/@]*)?$/.test(pathname) && hash === "";
}
/** A single letter before the colon is a Windows drive. */
const addressScheme = /^[a-z][\w+.-]+:/i;

/** The knowledge service's environment variables. The table in docs/configuration.md is generated from them. */
export const knowledgeVariables = z.object({
  ...serviceVariables(services.knowledge.port),
  ...providerVariables,
  ...mcpVariables,
  ...runVariables,
  KNOWLEDGE_LLM_MODEL: variables
    .text(services.knowledge.models.KNOWLEDGE_LLM_MODEL)
    .describe("the librarian's chat model"),
  KNOWLEDGE_EMBEDDING_MODEL: variables
    .text(services.knowledge.models.KNOWLEDGE_EMBEDDING_MODEL)
    .describe(
      "the embedding model; a namespace keeps the model that it was created with until `npm run knowledge:reindex`",
    ),
  KNOWLEDGE_STORE: variables
    .text(variableDefaults.KNOWLEDGE_STORE)
    .refine(
      (location) => !databaseScheme.test(location) || isDatabase(location),
      "must be postgres://user:password@host:5432/database, with special characters of the password percent-encoded: %2F for /",
    )
    .refine(
      (location) => objectStore.test(location) || databaseScheme.test(location) || !addressScheme.test(location),
      `must be a folder such as ${variableDefaults.KNOWLEDGE_STORE}, s3://bucket/path, gs://bucket/path, az://container/path, or postgres://user:password@host:5432/database`,
    )
    .describe(
      `a folder, \`s3://…\`, \`gs://…\`, \`az://…\`, or [\`postgres://…\`](guides/postgresql.md). Without a key, \`npm start\` uses \`${offlineStore}\`, so that vectors of the offline provider and of a real one never mix`,
    ),
  KNOWLEDGE_DATABASE_CONNECTIONS: variables
    .count(knowledgeLimits.databaseConnections)
    .describe("maximum number of connections of a process if the store is PostgreSQL"),
  KNOWLEDGE_PURGE_AFTER_MS: variables
    .milliseconds(knowledgeLimits.purgeAfterMs, 60_000)
    .describe(
      "the maximum time that deleted, replaced and failed text stays on the disk; `DELETE …?purge=true` removes it at once",
    ),
  KNOWLEDGE_MAX_FILE_BYTES: variables
    .bytes(knowledgeLimits.fileBytes)
    .describe("maximum size of a file, a page, or the JSON body of an ingest"),
  KNOWLEDGE_MAX_SOURCES: variables
    .count(knowledgeLimits.sourcesPerRequest)
    .describe("maximum number of sources and files in one request"),
  KNOWLEDGE_MAX_NAMESPACES_PER_KEY: variables
    .count(knowledgeLimits.namespacesPerKey)
    .describe("maximum number of namespaces that one key may create"),
  KNOWLEDGE_RERANK_URL: variables
    .optionalUrl("https://api.cohere.com/v2/rerank")
    .describe("the address of a [reranker](guides/reranker.md) that orders search results; without it there is none"),
  KNOWLEDGE_RERANK_API_KEY: variables.optionalKey().describe("the reranker's key, if it needs one"),
  KNOWLEDGE_RERANK_MODEL: variables.optionalText().describe("the reranker's model, if requests have to name one"),
  KNOWLEDGE_RERANK_TIMEOUT_MS: variables
    .milliseconds(knowledgeLimits.rerankMs)
    .describe("timeout, after which the search keeps its own order"),
  KNOWLEDGE_OCR_URL: variables
    .optionalUrl("https://api.mistral.ai/v1/ocr")
    .describe(
      "the address of a server that [recognises the text of scanned pages](guides/scanned-pages.md); without it there is none",
    ),
  KNOWLEDGE_OCR_API_KEY: variables.optionalKey().describe("this server's key, if it needs one"),
  KNOWLEDGE_OCR_MODEL: variables.optionalText().describe("this server's model, if requests have to name one"),
  KNOWLEDGE_OCR_TIMEOUT_MS: variables
    .milliseconds(knowledgeLimits.recognitionMs)
    .describe("timeout, after which the item is an error"),
  KNOWLEDGE_URL_TIMEOUT_MS: variables.milliseconds(15_000).describe("total timeout for fetching one address"),
  KNOWLEDGE_URL_ALLOW_PRIVATE: variables.flag(false).describe("whether to fetch addresses of private networks, too"),
  ...pageVariables,
});

export type KnowledgeConfiguration = z.output<typeof knowledgeVariables>;
