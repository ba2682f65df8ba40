import { knowledgeRunQuerySchema, problems } from "@agent-backends/contract";
import { agUiRunOperations, knowledgeOperations } from "@agent-backends/contract/openapi";
import { isForOpenAi } from "@agent-backends/kit";
import { addAgUiRoutes } from "@agent-backends/kit/ag-ui/routes";
import type { App } from "@agent-backends/kit/fastify";
import { createFastify } from "@agent-backends/kit/fastify";
import { addMcpRoute } from "@agent-backends/kit/mcp";
import { createAgUiAgent } from "./ag-ui-agent.ts";
import { addCompletionRoutes } from "./completion-routes.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { addIngestRoute, addSitemapRoute } from "./ingest-route.ts";
import { addJobRoutes } from "./job-routes.ts";
import { toKnowledgeProblem } from "./knowledge-problem.ts";
import { addLibrarianRoutes } from "./librarian-routes.ts";
import { createMcpTools, mcpInstructions } from "./mcp-tools.ts";
import { addNamespaceRoutes } from "./namespace-routes.ts";
import { addSearchRoute } from "./search-route.ts";

export function createKnowledgeApp(dependencies: KnowledgeDependencies): Promise<App> {
  return createFastify({
    lifecycle: dependencies.lifecycle,
    logger: dependencies.logger,
    guard: dependencies.guard,
    corsOrigins: dependencies.corsOrigins,
    toProblemError: toKnowledgeProblem,
    noRoute: (method, url) => (isForOpenAi(url) ? problems.noOpenAiRoute(method) : problems.noRoute(method)),
    api: {
      title: "Knowledge",
      version: dependencies.version,
      description: "Stores documents and answers questions from them, with citations.\n",
      operations: { ...knowledgeOperations, ...(dependencies.runs && agUiRunOperations(knowledgeRunQuerySchema)) },
      operationsFile: "packages/contract/openapi/knowledge.ts",
    },
    health: () => ({ embedding_model: dependencies.embedder.model }),
    routes: async (app) => {
      await app.register((own: App) => addIngestRoute(own, dependencies));
      addSitemapRoute(app, dependencies);
      addJobRoutes(app, dependencies);
      addSearchRoute(app, dependencies);
      addLibrarianRoutes(app, dependencies);
      addCompletionRoutes(app, dependencies);
      addNamespaceRoutes(app, dependencies);
      const { version, guard, lifecycle, mcpAllowedHosts: allowedHosts, heartbeatMs, hasFallbacks } = dependencies;
      const streams = { heartbeatMs, namesProvider: hasFallbacks, lifecycle, logger: dependencies.logger };
      addAgUiRoutes(app, createAgUiAgent(dependencies), {
        version,
        toProblemError: toKnowledgeProblem,
        runs: dependencies.runs,
        ...streams,
      });
      const tools = createMcpTools(dependencies);
      await addMcpRoute(app, {
        name: "knowledge",
        version,
        instructions: mcpInstructions,
        tools,
        toProblemError: toKnowledgeProblem,
        allowedHosts,
        guard,
        lifecycle,
        heartbeatMs,
      });
    },
  });
}
