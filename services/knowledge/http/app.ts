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
    readiness: async () => {
      const warnings = await dependencies.warnings();
      return warnings.length > 0 ? { warnings } : {};
    },
    health: () => ({ embedding_model: dependencies.embedder.model }),
    routes: async (app) => {
      await app.register(async (routes: App) => {
        routes.setErrorHandler((error) => {
          throw isOwn(error) ? problemOf(error) : error;
        });
        await registerIngest(routes, dependencies);
        registerJobs(routes, dependencies);
        registerSearch(routes, dependencies);
        registerLibrarian(routes, dependencies);
        registerNamespaces(routes, dependencies);
        await registerMcp(routes, dependencies);
      });
    },
  });
}

/** Fastify's own errors carry a code; what they mean is said for all services in one place. */
const isOwn = (error: unknown): boolean => !String((error as { code?: unknown }).code ?? "").startsWith("FST_");
