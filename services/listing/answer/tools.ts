import type {
  ConfettiPayload,
  ListingPayload,
  Product,
  Provenance,
  SearchPayload,
  TimeframeWindow,
  TopPayload,
  TopTimeframePayload,
} from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { createConfetti } from "../confetti/confetti.ts";
import { productTable } from "../render/table.ts";
import { resolveTimeframe } from "../timeframe/resolve.ts";
import type { ListingSource, SourceAnswer } from "../upstream/source.ts";

/** A tool and what it is called with, as clients see it. */
export type ToolCall =
  | { tool: "top"; args: { limit: number } }
  | { tool: "top_timeframe"; args: { timeframe: TimeframeWindow; limit: number } }
  | { tool: "search"; args: { query: string; limit: number } }
  | { tool: "confetti"; args: { colors?: string[]; particleCount?: number; reason?: string } };

/** The four tools: calls are made from what a caller wants, within the limits, and run. Neither knows who is asking. */
export interface ListingTools {
  top(wanted: { limit?: number }): ToolCall & { tool: "top" };
  /** @throws TimeframeError */
  topTimeframe(wanted: { timeframe: string; tz?: string; limit?: number }): ToolCall & {
    tool: "top_timeframe";
  };
  search(wanted: { query: string; limit?: number }): ToolCall & { tool: "search" };
  confetti(wanted: { colors?: string[]; particleCount?: number; reason?: string }): ToolCall & { tool: "confetti" };
  /** Never throws for what the source does, only when `signal` aborts. */
  run(call: ToolCall, signal?: AbortSignal): Promise<ListingPayload>;
}

/**
 * @param options.maxItems the limit where none is wanted
 * @param options.timezone whose days are meant where none is named; an IANA name
 */
export function createListingTools(options: {
  source: ListingSource;
  timezone: string;
  maxItems: number;
  now: () => number;
}): ListingTools {
  const { source, timezone, maxItems, now } = options;
  const limitOf = (wanted: number | undefined, { min, max }: { min: number; max: number }) =>
    Math.min(max, Math.max(min, wanted ?? maxItems));

  async function run(call: ToolCall, signal?: AbortSignal): Promise<ListingPayload> {
    switch (call.tool) {
      case "top": {
        const { limit } = call.args;
        const { products: posts, ...list } = listOf(await source.posts({ order: "VOTES" }, signal), limit, source.name);
        return { action: "top", limit, order: "VOTES", posts, ...list } satisfies TopPayload;
      }
      case "top_timeframe": {
        const { timeframe, limit } = call.args;
        const { postedAfter, postedBefore } = timeframe;
        const answer = await source.posts({ order: "RANKING", window: { postedAfter, postedBefore } }, signal);
        const { products: posts, ...list } = listOf(answer, limit, source.name);
        return {
          action: "top_timeframe",
          limit,
          order: "RANKING",
          timeframe,
          posts,
          ...list,
        } satisfies TopTimeframePayload;
      }
      case "search": {
        const { query, limit } = call.args;
        const { products: hits, ...list } = listOf(await source.search({ query, limit }, signal), limit, source.name);
        return { action: "search", query, limit, hits, ...list } satisfies SearchPayload;
      }
      case "confetti":
        return createConfetti(call.args, new Date(now())) satisfies ConfettiPayload;
    }
  }

  return {
    top: ({ limit }) => ({ tool: "top", args: { limit: limitOf(limit, listingLimits.posts) } }),
    topTimeframe: ({ timeframe, tz, limit }) => ({
      tool: "top_timeframe",
      args: {
        timeframe: resolveTimeframe(timeframe, { timezone: tz ?? timezone, now: new Date(now()) }),
        limit: limitOf(limit, listingLimits.posts),
      },
    }),
    search: ({ query, limit }) => ({ tool: "search", args: { query, limit: limitOf(limit, listingLimits.hits) } }),
    confetti: (wanted) => ({ tool: "confetti", args: present(wanted) }),
    run,
  };
}

function listOf(answer: SourceAnswer, limit: number, source: string) {
  const products = answer.products.slice(0, limit);
  return {
    products,
    table: productTable(products),
    status: answer.status,
    ...("asOf" in answer && { as_of: answer.asOf.toISOString() }),
    source,
    ...("reason" in answer && { reason: answer.reason }),
    ...(answer.status !== "unavailable" && !answer.complete && products.length < limit && { partial: true as const }),
  } satisfies Provenance & { products: Product[]; table: string };
}

function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
