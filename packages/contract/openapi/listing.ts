import { z } from "zod";
import { listingRunQuerySchema } from "../ag-ui-agents.ts";
import type { ListingTool } from "../listing/index.ts";
import {
  buildToolResponse,
  listingActions,
  listingAgentRequest,
  listingEventSchema,
  listingTools,
} from "../listing/index.ts";
import { agUiOperations } from "./ag-ui.ts";
import { mcpOperations, serviceOperations } from "./common.ts";
import type { Operation, Operations } from "./operation.ts";
import { budgetHeaders } from "./operation.ts";

type ToolOperations = {
  [Name in ListingTool as `POST /tools/${Name}`]: Operation & {
    body: { schema: (typeof listingTools)[Name]["request"] };
  };
};

const toolOperations = Object.fromEntries(
  Object.entries(listingTools).map(([name, tool]): [string, Operation] => {
    const { id, summary, request, examples, payload, answer } = tool;
    const body = { schema: request, ...("isOptional" in tool && { isOptional: true }), examples };
    const headers = "retry_after_seconds" in payload.shape ? (["Retry-After"] as const) : undefined;
    const json = buildToolResponse(name as ListingTool);
    const answers = { 200: { description: answer, ...(headers && { headers }), json } };
    return [`POST /tools/${name}`, { id, tag: "Tools", summary, access: "read", body, answers }];
  }),
) as ToolOperations;

export const listingOperations = {
  "POST /agent": {
    id: "runAgent",
    tag: "Agent",
    summary: "Answer a message about launches as a stream",
    description:
      "`tool_call_start`, `tool_call_result`, then the answer in `text_message_chunk`s, and `[DONE]` always last.",
    access: "ask",
    takes: "stream",
    body: {
      schema: listingAgentRequest,
      examples: {
        message: { messages: [{ role: "user", content: "What launched yesterday?" }] },
        "with parameters": {
          thread_id: "thread-1",
          run_id: "run-1",
          messages: [{ role: "user", content: "The top launches" }],
          tool_params: { timeframe: "last week", tz: "Europe/Berlin", limit: 3 },
        },
      },
    },
    answers: {
      200: {
        description: "The events.",
        headers: budgetHeaders,
        stream: { event: listingEventSchema, formats: ["sse"], end: "[DONE]" },
      },
    },
    problems: ["no-message"],
  },
  ...toolOperations,
  "GET /": {
    id: "getDiagnostics",
    tag: "Service",
    summary: "How the service is configured",
    access: "read",
    answers: {
      200: {
        description: "Nothing secret.",
        json: z.object({
          service: z.literal("listing"),
          version: z.string(),
          model: z.string(),
          source: z.string(),
          timezone: z.string(),
          token_configured: z.boolean(),
          search_configured: z.boolean(),
          actions: z.array(z.enum(listingActions)),
          agent_initialized: z.boolean(),
        }),
      },
    },
  },
  ...agUiOperations(listingRunQuerySchema),
  ...mcpOperations,
  ...serviceOperations({ agent_initialized: z.boolean() }),
} as const satisfies Operations;
