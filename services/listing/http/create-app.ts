import type { ProblemError } from "@agent-backends/contract";
import { listingActions, listingRunQuerySchema, problems } from "@agent-backends/contract";
import { agUiRunOperations, listingOperations } from "@agent-backends/contract/openapi";
import type { Lifecycle, Logger } from "@agent-backends/kit";
import { toProblem } from "@agent-backends/kit";
import { addAgUiRoutes } from "@agent-backends/kit/ag-ui/routes";
import type { Guard } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, createFastify } from "@agent-backends/kit/fastify";
import type { McpTool } from "@agent-backends/kit/mcp";
import { addMcpRoute } from "@agent-backends/kit/mcp";
import type { Runs } from "@agent-backends/kit/runs";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import type { ActionContext } from "../actions/action.ts";
import type { EventDependencies } from "../answer/answer.ts";
import { TimeframeError } from "../timeframe/error.ts";
import { createAgUiAgent } from "./ag-ui-agent.ts";
import type { Answer } from "./agent-route.ts";
import { addAgentRoute } from "./agent-route.ts";
import { mcpInstructions } from "./mcp-tools.ts";
import { addToolRoutes } from "./tool-routes.ts";

/** Creates the listing service's HTTP application. `GET /` shows `diagnostics` along with the actions, so they must not contain secrets. */
export function createListingApp(options: {
  answer: Answer;
  events: EventDependencies;
  context: ActionContext;
  diagnostics: { version: string; [field: string]: unknown };
  mcp: { tools: readonly McpTool[]; allowedHosts: readonly string[] };
  /** Absent if runs of AG-UI clients can't be resumed. */
  runs: Runs | undefined;
  heartbeatMs: number;
  guard: Guard;
  corsOrigins: readonly string[] | undefined;
  lifecycle: Lifecycle;
  logger: Logger;
}): Promise<App> {
  const { answer, events, context, diagnostics, mcp, runs, heartbeatMs, lifecycle, logger } = options;
  return createFastify({
    lifecycle,
    logger,
    guard: options.guard,
    corsOrigins: options.corsOrigins,
    toProblemError,
    api: {
      title: "Listing",
      version: diagnostics.version,
      description: "Answers questions about launched products, from what the listing site says.\n",
      operations: { ...listingOperations, ...(runs && agUiRunOperations(listingRunQuerySchema)) },
      operationsFile: "packages/contract/openapi/listing.ts",
    },
    health: () => ({ agent_initialized: true }),
    async routes(app) {
      addRoute(app, listingOperations, "GET /", () => ({
        service: "listing",
        ...diagnostics,
        actions: listingActions,
        agent_initialized: true,
      }));
      addToolRoutes(app, context);
      addAgentRoute(app, { answer, events, lifecycle, heartbeatMs });
      const { version } = diagnostics;
      addAgUiRoutes(app, createAgUiAgent(answer), { version, heartbeatMs, lifecycle, logger, runs, toProblemError });
      await addMcpRoute(app, {
        name: "listing",
        version,
        instructions: mcpInstructions,
        toProblemError,
        guard: options.guard,
        lifecycle,
        heartbeatMs,
        ...mcp,
      });
    },
  });
}

/** Converts an error of this service to the problem that a client sees. Unknown errors show no details. */
function toProblemError(error: unknown): ProblemError {
  if (error instanceof TimeframeError) {
    return problems.invalidTimeframe(error.code === "invalid_timezone" ? "tz" : "timeframe", error);
  }
  if (error instanceof ProviderError) return problems.providerFailed(explainProviderError(error), error);
  return toProblem(error);
}
