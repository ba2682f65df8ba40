import type { Lifecycle, Logger } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { Runs } from "@agent-backends/kit/runs";
import type { IngestDependencies } from "../ingest/ingest.ts";
import type { RunningIngests } from "../ingest/running-ingests.ts";
import type { IngestJobs } from "../jobs/ingest-jobs.ts";
import type { LibrarianDependencies } from "../librarian/answer.ts";
import type { Reranker } from "../search/hybrid-search.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";

export interface KnowledgeDependencies extends IngestDependencies, Pick<LibrarianDependencies, "askModel"> {
  store: KnowledgeStore;
  ingests: RunningIngests;
  jobs: IngestJobs;
  guard: Guard;
  /** Origins of the pages that may call the service. Undefined allows any origin. */
  corsOrigins: readonly string[] | undefined;
  newId: () => string;
  lifecycle: Lifecycle;
  logger: Logger;
  /** Absent if runs of AG-UI clients can't be resumed. */
  runs: Runs | undefined;
  /** Version of the service, shown to MCP clients. */
  version: string;
  heartbeatMs: number;
  reranker: Reranker | undefined;
  /** Whether several providers may answer. If so, each answer names the provider. */
  hasFallbacks: boolean;
  /** Maximum number of sources and files together in one ingest. */
  maxSources: number;
  /** Maximum number of namespaces for a key whose namespaces are patterns. */
  maxNamespacesPerKey: number;
  /** Host names under which MCP may be used, in addition to the loopback names. */
  mcpAllowedHosts: readonly string[];
}
