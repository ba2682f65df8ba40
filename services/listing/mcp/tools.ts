import type { ListingPayload } from "@agent-backends/contract";
import {
  confettiRequest,
  listingLimits,
  searchRequest,
  topRequest,
  topTimeframeRequest,
} from "@agent-backends/contract";
import { parseInput } from "@agent-backends/kit";
import type { McpTool, McpToolResult } from "@agent-backends/kit/mcp";
import { z } from "zod";
import { noticeOf } from "../answer/notice.ts";
import type { ListingTools } from "../answer/tools.ts";

const { posts, hits, particles } = listingLimits;
const limitOf = ({ min, max }: { min: number; max: number }, what: string) =>
  z.number().optional().describe(`How many ${what}, ${min} to ${max}; what lies outside is clamped.`);

/** The five actions of the agent as MCP tools. Inputs follow the same rules as the bodies of `/tools/*`. */
export function listingMcpTools(
  tools: ListingTools,
  /** The model's advice on a launch. */
  advise: (message: string, signal: AbortSignal) => Promise<string>,
): McpTool[] {
  return [
    {
      name: "top",
      title: "Top launches",
      description: "The launches with the most votes of all time, as the listing site has them.",
      input: z.object({ limit: limitOf(posts, "launches") }),
      openWorld: true,
      scope: "read",
      run: async (input, signal) => listResult(await tools.run(tools.top(parseInput(topRequest, input)), signal)),
    },
    {
      name: "top_timeframe",
      title: "Top launches of a time",
      description: "The launches of a day, a week, a month or another stretch of time, with the most votes first.",
      input: z.object({
        timeframe: z
          .string()
          .describe(
            'Such as "today", "yesterday", "last week", "last 7 days", "March 2026", "since Monday", "2026-11-20" or "from:2026-11-01 to:2026-11-20".',
          ),
        tz: z.string().optional().describe('Whose days are meant: an IANA name such as "Europe/Berlin".'),
        limit: limitOf(posts, "launches"),
      }),
      openWorld: true,
      scope: "read",
      run: async (input, signal) =>
        listResult(await tools.run(tools.topTimeframe(parseInput(topTimeframeRequest, input)), signal)),
    },
    {
      name: "search",
      title: "Search launches",
      description: "Launches that match words, best match first.",
      input: z.object({
        query: z.string().describe('What to search for, such as "time tracking".'),
        limit: limitOf(hits, "hits"),
      }),
      openWorld: true,
      scope: "read",
      run: async (input, signal) => listResult(await tools.run(tools.search(parseInput(searchRequest, input)), signal)),
    },
    {
      name: "confetti",
      title: "Confetti",
      description: "The payload with which a client shows confetti, to celebrate a launch.",
      input: z.object({
        colors: z
          .unknown()
          .optional()
          .meta({
            type: "array",
            items: { type: "string" },
            description: "Hex colours such as #ff4d4d; none: a rainbow.",
          }),
        particleCount: z.number().optional().describe(`${particles.min} to ${particles.max}; default 200.`),
        reason: z.string().optional().describe("What is celebrated."),
      }),
      openWorld: false,
      scope: "read",
      run: async (input) => {
        const data = await tools.run(tools.confetti(parseInput(confettiRequest, input)));
        return { text: JSON.stringify(data), data };
      },
    },
    {
      name: "advice",
      title: "Launch advice",
      description: "Advice on preparing, timing and running the launch of a product.",
      input: z.object({ message: z.string().describe("The question, with what is known of the product.") }),
      openWorld: true,
      scope: "ask",
      run: async (input, signal) => ({ text: await advise(parseInput(adviceRequest, input).message, signal) }),
    },
  ];
}

const adviceRequest = z.object({
  message: z
    .string("must be a text")
    .trim()
    .min(1, "must not be blank")
    .max(listingLimits.adviceLength, `must have at most ${listingLimits.adviceLength} characters`),
});

function listResult(payload: ListingPayload): McpToolResult {
  return { text: payload.action === "CONFETTI" ? JSON.stringify(payload) : noticeOf(payload).trim(), data: payload };
}
