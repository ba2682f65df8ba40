import type { ListPayload, Product, Provenance } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { z } from "zod";
import { renderProductTable } from "../render/table.ts";
import { pageSize } from "../upstream/listing-site.ts";
import type { ListingSource, PostsQuery, SourceAnswer, SourceQuery } from "../upstream/source.ts";
import type { ActionContext, Range, ToolCall, Wanted } from "./action.ts";
import { clamp } from "./action.ts";
import type { Conditions } from "./conditions.ts";
import { applyConditions, isFiltered, settleTopic, toConditions } from "./conditions.ts";
import { groundInList } from "./list-grounding.ts";
import { introduceList } from "./list-introduction.ts";

/** Range, order and conditions of a list. Absent fields are not sent. */
export interface ListArguments extends Conditions {
  limit: number;
  offset?: number;
  counted?: true;
}

/** Common fields of all lists. */
export type ListFields = Provenance & { products: Product[]; table: string };

/** The differences between the actions that list launches. */
interface ListCall<Args extends ListArguments> {
  tool: ListPayload["action"];
  args: Args;
  /** Arguments that clients see, if they differ. */
  shownArgs?: object;
  query: SourceQuery;
  toPayload: (fields: ListFields) => ListPayload;
  /** Describes the launches, apart from the conditions: "of all time". */
  scope: string;
}

const maxPayloadsPerAnswer = 64;
/** Payloads built from cached answers of the source, by tool and arguments, so that each table is built once. */
const payloads = new WeakMap<SourceAnswer, Map<string, ListPayload>>();

export function createListCall<Args extends ListArguments>(call: ListCall<Args>, context: ActionContext): ToolCall {
  const { tool, args, shownArgs = args, query, scope } = call;
  const { source, now } = context;

  function toPayload(answer: SourceAnswer): ListPayload {
    const made = payloads.get(answer) ?? new Map<string, ListPayload>();
    const key = JSON.stringify([tool, args]);
    const existing = made.get(key);
    if (existing !== undefined) return existing;
    const payload = call.toPayload(toListFields(answer, args, { source, now: now() }));
    if (made.size >= maxPayloadsPerAnswer) made.clear();
    payloads.set(answer, made.set(key, payload));
    return payload;
  }

  return {
    tool,
    args: shownArgs,
    known() {
      const answer = source.known(query);
      return answer && toPayload(answer);
    },
    run: async (signal) => toPayload(await source.ask(query, signal)),
    introduce: (payload) => introduceList(payload as ListPayload, { scope, isCounted: args.counted === true }),
    ground: (payload) => groundInList(payload as ListPayload),
  };
}

/** Applies the limits to the requested range of a list. */
export function toListArguments(wanted: Wanted, range: Range, { maxItems }: ActionContext): ListArguments {
  const { limit, offset = 0, counted } = wanted;
  return {
    limit: clamp(limit ?? maxItems, range),
    ...(offset > 0 && { offset: clamp(offset, listingLimits.offset) }),
    ...(counted && { counted }),
    ...toConditions(wanted),
  };
}

/** The query for posts in the order nearest to the requested one. */
export function toPostsQuery<Order extends PostsQuery["order"]>(args: ListArguments, order: Order) {
  return { order: args.sort === "date" ? ("NEWEST" as const) : order, count: countPostsToRead(args) };
}

/** Number of posts to read: whole pages, since the site always returns pages of 20. */
function countPostsToRead(args: ListArguments): number {
  const { limit, offset = 0, counted, ascending, sort, max_votes, unknown_topic } = args;
  // The site lists the most votes or the newest posts first. Anything at the other end needs further pages.
  const isElsewhere = ascending === true || max_votes !== undefined || (sort !== undefined && sort !== "date");
  if (isElsewhere || (counted && isFiltered(args))) return listingLimits.ascendingPages * pageSize;
  if (isFiltered(args) || unknown_topic !== undefined) return listingLimits.pages * pageSize;
  return Math.ceil((offset + limit) / pageSize) * pageSize;
}

/** The `limit` of an MCP tool. */
export const limitInput = ({ min, max }: Range, what: string) =>
  z.number().optional().describe(`How many ${what}, ${min} to ${max}; what lies outside is clamped.`);

function toListFields(
  answer: SourceAnswer,
  { limit, offset = 0, counted: _counted, ...wanted }: ListArguments,
  { source, now }: { source: ListingSource; now: number },
): ListFields {
  const conditions = settleTopic(answer.products, wanted);
  const all = applyConditions(answer.products, conditions);
  const products = all.slice(offset, offset + limit);
  const hasAnswer = answer.status !== "unavailable";
  return {
    products,
    table: renderProductTable(products, { offset, sort: conditions.sort }),
    status: answer.status,
    ...("asOf" in answer && { as_of: answer.asOf.toISOString() }),
    ...(answer.status === "stale" && { age_seconds: Math.floor((now - answer.asOf.getTime()) / 1000) }),
    source: source.name,
    ...("reason" in answer && { reason: answer.reason }),
    ...("retryAt" in answer &&
      answer.retryAt !== undefined && { retry_after_seconds: Math.max(1, Math.ceil((answer.retryAt - now) / 1000)) }),
    ...(hasAnswer && !answer.complete && products.length < limit && { partial: true as const }),
    ...(answer.total !== undefined && { total: answer.total }),
    truncated: hasAnswer && (!answer.complete || all.length > offset + products.length),
    ...(offset > 0 && { offset }),
    ...conditions,
    ...(Object.keys(conditions).length > 0 && { examined: answer.products.length }),
    ...(isFiltered(conditions) && { matched: all.length }),
  };
}
