import type { App } from "@agent-backends/kit/fastify";
import { createFastify } from "@agent-backends/kit/fastify";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { registerIngest } from "./ingest-route.ts";
import { registerJobs } from "./job-routes.ts";
import { registerLibrarian } from "./librarian-routes.ts";
import { registerMcp } from "./mcp-route.ts";
import { registerNamespaces } from "./namespace-routes.ts";
import { problemOf } from "./problem-of.ts";
import { registerSearch } from "./search-route.ts";

/** The knowledge service's HTTP interface. */
export function createKnowledgeApp(dependencies: KnowledgeDependencies): Promise<App> {
  return createFastify({
    lifecycle: dependencies.lifecycle,
    logger: dependencies.logger,
    guard: dependencies.guard,
    corsOrigins: dependencies.corsOrigins,
    problemOf,
    health: () => ({ embedding_model: dependencies.embedder.model }),
    routes: async (app) => {
      await registerIngest(app, dependencies);
      registerJobs(app, dependencies);
      registerSearch(app, dependencies);
      registerLibrarian(app, dependencies);
      registerNamespaces(app, dependencies);
      await registerMcp(app, dependencies);
    },
  });
}
