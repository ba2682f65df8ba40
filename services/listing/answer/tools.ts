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
import { pageSize } from "../upstream/listing-site.ts";
import type { ListingSource, SourceAnswer, SourceQuery } from "../upstream/source.ts";

/** A tool and what it is called with, as clients see it. */
export type ToolCall =
  | { tool: "top"; args: Ranked }
  | { tool: "top_timeframe"; args: { timeframe: TimeframeWindow } & Ranked }
  | { tool: "search"; args: { query: string } & Part }
  | { tool: "confetti"; args: { colors?: string[]; particleCount?: number; reason?: string } };

/** Which part of a list is wanted. */
interface Part {
  limit: number;
  /** How many launches come before it. */
  offset?: number;
}

interface Ranked extends Part {
  /** The fewest votes first. */
  ascending?: true;
  /** It is asked how many there are. */
  counted?: true;
}

type WantedPart = { [Field in keyof Part]?: Part[Field] | undefined };
type WantedRank = WantedPart & { ascending?: boolean | undefined; counted?: boolean | undefined };

/** The four tools: calls are made from what a caller wants, within the limits, and run. Neither knows who is asking. */
export interface ListingTools {
  top(wanted: WantedRank): ToolCall & { tool: "top" };
  /** @throws TimeframeError */
  topTimeframe(wanted: { timeframe: string; tz?: string | undefined } & WantedRank): ToolCall & {
    tool: "top_timeframe";
  };
  search(wanted: { query: string } & WantedPart): ToolCall & { tool: "search" };
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
  const partOf = ({ limit, offset = 0 }: WantedPart, bounds: Bounds): Part => ({
    limit: clamp(limit ?? maxItems, bounds),
    ...(offset > 0 && { offset: clamp(offset, listingLimits.offset) }),
  });
  const rankOf = ({ ascending, counted, ...part }: WantedRank): Ranked => ({
    ...partOf(part, listingLimits.posts),
    ...(ascending && { ascending }),
    ...(counted && { counted }),
  });

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
    const key = JSON.stringify(call.args);
    const made = payloads.get(key);
    if (made !== undefined) return made;
    const payload = payloadOf(call, answer, { source: source.name, now: now() });
    if (payloads.size >= mostPayloadsKept) payloads.clear();
    payloadsOf.set(answer, payloads.set(key, payload));
    return payload;
  }

  return {
    top: (wanted) => ({ tool: "top", args: rankOf(wanted) }),
    topTimeframe: ({ timeframe, tz, ...wanted }) => ({
      tool: "top_timeframe",
      args: {
        timeframe: resolveTimeframe(timeframe, { timezone: tz ?? timezone, now: new Date(now()) }),
        ...rankOf(wanted),
      },
    }),
    search: ({ query, ...wanted }) => ({ tool: "search", args: { query, ...partOf(wanted, listingLimits.hits) } }),
    confetti: (wanted) => ({ tool: "confetti", args: present(wanted) }),
    known,
    run,
  };
}

type Bounds = { min: number; max: number };

const clamp = (value: number, { min, max }: Bounds): number => Math.min(max, Math.max(min, value));

function queryOf(call: ListCall): SourceQuery {
  const { limit, offset = 0 } = call.args;
  if (call.tool === "search") return { query: call.args.query, limit: offset + limit };
  // The site lists from the most votes down: what has the fewest is found by reading on.
  const count = call.args.ascending
    ? listingLimits.ascendingPages * pageSize
    : Math.ceil((offset + limit) / pageSize) * pageSize;
  if (call.tool === "top") return { order: "VOTES", count };
  const { postedAfter, postedBefore } = call.args.timeframe;
  const isCounted = call.args.counted && { isCounted: true as const };
  return { order: "RANKING", count, ...isCounted, window: { postedAfter, postedBefore } };
}

type ListCall = Exclude<ToolCall, { tool: "confetti" }>;

const mostPayloadsKept = 64;

function payloadOf(call: ListCall, answer: SourceAnswer, asked: { source: string; now: number }): ListingPayload {
  const { limit } = call.args;
  const { products, ...list } = listOf(answer, call.args, asked);
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

function listOf(
  answer: SourceAnswer,
  { limit, offset = 0, ascending }: Ranked,
  { source, now }: { source: string; now: number },
) {
  const all = ascending ? answer.products.toSorted(byFewestVotes) : answer.products;
  const products = all.slice(offset, offset + limit);
  const hasAnswer = answer.status !== "unavailable";
  return {
    products,
    table: productTable(products, offset),
    status: answer.status,
    ...("asOf" in answer && { as_of: answer.asOf.toISOString() }),
    ...(answer.status === "stale" && { age_seconds: Math.floor((now - answer.asOf.getTime()) / 1000) }),
    source,
    ...("reason" in answer && { reason: answer.reason }),
    ...("retryAt" in answer &&
      answer.retryAt !== undefined && { retry_after_seconds: Math.max(1, Math.ceil((answer.retryAt - now) / 1000)) }),
    ...(hasAnswer && !answer.complete && products.length < limit && { partial: true as const }),
    ...(answer.total !== undefined && { total: answer.total }),
    truncated: hasAnswer && (!answer.complete || all.length > offset + products.length),
    ...(offset > 0 && { offset }),
    ...(ascending && { ascending, examined: all.length }),
  } satisfies Provenance & { products: Product[]; table: string };
}

/** Votes that are not known come last. */
const byFewestVotes = (one: Product, other: Product) =>
  (one.votesCount ?? Number.POSITIVE_INFINITY) - (other.votesCount ?? Number.POSITIVE_INFINITY) || 0;

function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
