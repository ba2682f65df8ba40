import { listingActions } from "@agent-backends/contract";
import type { Lifecycle, Logger } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { createFastify } from "@agent-backends/kit/fastify";
import type { McpTool } from "@agent-backends/kit/mcp";
import { addMcpRoute } from "@agent-backends/kit/mcp";
import type { ListingAgent } from "../answer/answer.ts";
import type { ListingTools } from "../answer/tools.ts";
import { addAgentRoute } from "./agent-route.ts";
import { problemOf } from "./problem-of.ts";
import { addToolRoutes } from "./tool-routes.ts";

/** The service over HTTP. `diagnostics` is what `GET /` says beside the actions; it must hold nothing secret. */
export function createListingServer(options: {
  agent: ListingAgent;
  tools: ListingTools;
  diagnostics: { version: string; [field: string]: unknown };
  mcp: { tools: readonly McpTool[]; allowedHosts: readonly string[] };
  heartbeatMs: number;
  guard: Guard;
  corsOrigins: readonly string[] | undefined;
  lifecycle: Lifecycle;
  logger: Logger;
}): Promise<App> {
  const { agent, tools, diagnostics, mcp, heartbeatMs, lifecycle, logger } = options;
  return createFastify({
    lifecycle,
    logger,
    guard: options.guard,
    corsOrigins: options.corsOrigins,
    problemOf,
    health: () => ({ agent_initialized: true }),
    async routes(app) {
      const config = { access: { scope: "read" } } as const;
      app.get("/", { config }, () => ({
        service: "listing",
        ...diagnostics,
        actions: listingActions,
        agent_initialized: true,
      }));
      addToolRoutes(app, tools);
      addAgentRoute(app, { agent, lifecycle, heartbeatMs });
      await addMcpRoute(app, { name: "listing", version: diagnostics.version, problemOf, lifecycle, ...mcp });
    },
  });
}
