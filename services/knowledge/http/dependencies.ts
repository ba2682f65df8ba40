import type { Lifecycle, Logger } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { Runs } from "@agent-backends/kit/runs";
import type { IngestDependencies } from "../ingest/ingest.ts";
import type { RunningIngests } from "../ingest/running-ingests.ts";
import type { IngestJobs } from "../jobs/ingest-jobs.ts";
import type { LibrarianDependencies } from "../librarian/answer.ts";
import type { Reranker } from "../search/hybrid-search.ts";

/** What the routes are made from. */
export interface KnowledgeDependencies extends IngestDependencies, Pick<LibrarianDependencies, "askModel"> {
  ingests: RunningIngests;
  jobs: IngestJobs;
  guard: Guard;
  /** The origins of pages that may call; undefined: any. */
  corsOrigins: readonly string[] | undefined;
  newId: () => string;
  lifecycle: Lifecycle;
  logger: Logger;
  /** Absent if runs of AG-UI clients can't be resumed. */
  runs: Runs | undefined;
  /** Of the service, for MCP clients. */
  version: string;
  heartbeatMs: number;
  reranker: Reranker | undefined;
  /** Whether several providers may answer. Then answers name the one that does. */
  hasFallbacks: boolean;
  /** Sources and files of one ingest together. */
  maxSources: number;
  /** Namespaces that a key may have whose namespaces are patterns. */
  maxNamespacesPerKey: number;
  /** Host names under which MCP may be used, beside those of loopback. */
  mcpAllowedHosts: readonly string[];
}
