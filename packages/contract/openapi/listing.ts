import { z } from "zod";
import { listingRunQuerySchema } from "../ag-ui-agents.ts";
import {
  confettiRequest,
  listingActions,
  listingAgentRequest,
  listingEventSchema,
  searchRequest,
  topRequest,
  topTimeframeRequest,
} from "../listing.ts";
import { listingToolResponses } from "../listing-payloads.ts";
import { agUiOperations } from "./ag-ui.ts";
import { mcpOperations, serviceOperations } from "./common.ts";
import type { Operations } from "./operation.ts";
import { budgetHeaders } from "./operation.ts";

const listed = "The list. If the site failed, `status` and `reason` say so: it is no error.";

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
  "POST /tools/top": {
    id: "top",
    tag: "Tools",
    summary: "The leaders of all time",
    access: "read",
    body: {
      schema: topRequest,
      isOptional: true,
      examples: { three: { limit: 3 }, topic: { topic: "developer tools", excluded_topics: ["ai"], min_votes: 500 } },
    },
    answers: { 200: { description: listed, headers: ["Retry-After"], json: listingToolResponses.top } },
  },
  "POST /tools/top_timeframe": {
    id: "topTimeframe",
    tag: "Tools",
    summary: "The ranked launches of a time",
    access: "read",
    body: {
      schema: topTimeframeRequest,
      examples: {
        words: { timeframe: "last week", tz: "Europe/Berlin" },
        range: { timeframe: "from:2026-11-01 to:2026-11-07", limit: 10 },
        order: { timeframe: "this month", sort: "comments" },
      },
    },
    answers: { 200: { description: listed, headers: ["Retry-After"], json: listingToolResponses.top_timeframe } },
  },
  "POST /tools/search": {
    id: "searchLaunches",
    tag: "Tools",
    summary: "Search all launches",
    access: "read",
    body: { schema: searchRequest, examples: { query: { query: "time tracking", limit: 5 } } },
    answers: { 200: { description: listed, headers: ["Retry-After"], json: listingToolResponses.search } },
  },
  "POST /tools/confetti": {
    id: "confetti",
    tag: "Tools",
    summary: "The parameters of a confetti animation",
    access: "read",
    body: {
      schema: confettiRequest,
      isOptional: true,
      examples: { colours: { colors: ["#ff4d4d", "#fff"], particleCount: 300, reason: "launch day" } },
    },
    answers: { 200: { description: "The payload for the client's animation.", json: listingToolResponses.confetti } },
  },
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
