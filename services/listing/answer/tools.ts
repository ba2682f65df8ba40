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
import type { ListingSource, SourceAnswer, SourceQuery } from "../upstream/source.ts";

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
  /** The payload that `run` would give, where it is at hand. */
  known(call: ToolCall): ListingPayload | undefined;
  /**
   * Never throws for what the source does, only when `signal` aborts. The payload may be another caller's as well: it is not
   * to be changed.
   */
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

  const payloadsOf = new WeakMap<SourceAnswer, Map<string, ListingPayload>>();

  async function run(call: ToolCall, signal?: AbortSignal): Promise<ListingPayload> {
    if (call.tool === "confetti") return createConfetti(call.args, new Date(now())) satisfies ConfettiPayload;
    return payloadFrom(await source.ask(queryOf(call), signal), call);
  }

  function known(call: ToolCall): ListingPayload | undefined {
    if (call.tool === "confetti") return undefined;
    const answer = source.known(queryOf(call));
    return answer && payloadFrom(answer, call);
  }

  function payloadFrom(answer: SourceAnswer, call: ListCall): ListingPayload {
    // A payload is made once for each answer that the source keeps, table and all.
    const payloads = payloadsOf.get(answer) ?? new Map<string, ListingPayload>();
    const key = call.tool === "top" ? String(call.args.limit) : JSON.stringify(call.args);
    const made = payloads.get(key);
    if (made !== undefined) return made;
    const payload = payloadOf(call, answer, { source: source.name, now: now() });
    if (payloads.size >= mostPayloadsKept) payloads.clear();
    payloadsOf.set(answer, payloads.set(key, payload));
    return payload;
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
    known,
    run,
  };
}

function queryOf(call: ListCall): SourceQuery {
  switch (call.tool) {
    case "top":
      return { order: "VOTES" };
    case "top_timeframe": {
      const { postedAfter, postedBefore } = call.args.timeframe;
      return { order: "RANKING", window: { postedAfter, postedBefore } };
    }
    case "search":
      return call.args;
  }
}

type ListCall = Exclude<ToolCall, { tool: "confetti" }>;

const mostPayloadsKept = 64;

function payloadOf(call: ListCall, answer: SourceAnswer, asked: { source: string; now: number }): ListingPayload {
  const { limit } = call.args;
  const { products, ...list } = listOf(answer, limit, asked);
  switch (call.tool) {
    case "top":
      return { action: "top", limit, order: "VOTES", posts: products, ...list } satisfies TopPayload;
    case "top_timeframe": {
      const { timeframe } = call.args;
      return {
        action: "top_timeframe",
        limit,
        order: "RANKING",
        timeframe,
        posts: products,
        ...list,
      } satisfies TopTimeframePayload;
    }
    case "search":
      return {
        action: "search",
        query: call.args.query,
        limit,
        hits: products,
        ...list,
      } satisfies SearchPayload;
  }
}

function listOf(answer: SourceAnswer, limit: number, { source, now }: { source: string; now: number }) {
  const products = answer.products.slice(0, limit);
  return {
    products,
    table: productTable(products),
    status: answer.status,
    ...("asOf" in answer && { as_of: answer.asOf.toISOString() }),
    ...(answer.status === "stale" && { age_seconds: Math.floor((now - answer.asOf.getTime()) / 1000) }),
    source,
    ...("reason" in answer && { reason: answer.reason }),
    ...(answer.status !== "unavailable" && !answer.complete && products.length < limit && { partial: true as const }),
  } satisfies Provenance & { products: Product[]; table: string };
}

function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
