import type { ListPayload, Product, Provenance } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { z } from "zod";
import { renderProductTable } from "../render/table.ts";
import { pageSize } from "../upstream/listing-site.ts";
import type { ListingSource, SourceAnswer, SourceQuery } from "../upstream/source.ts";
import type { ActionContext, Range, ToolCall, Wanted } from "./action.ts";
import { clamp } from "./action.ts";
import { groundInList } from "./list-grounding.ts";
import { introduceList } from "./list-introduction.ts";

/** Which part of a list is wanted, in which order. Absent fields are not on the wire. */
export interface ListArguments {
  limit: number;
  offset?: number;
  ascending?: true;
  counted?: true;
  /** Only launches that mention it are listed. */
  topic?: string;
}

/** What every list says beside its own fields. */
export type ListFields = Provenance & { products: Product[]; table: string };

/** What differs between the actions that list launches. */
interface ListCall<Args extends ListArguments> {
  tool: ListPayload["action"];
  args: Args;
  /** The arguments as clients see them. */
  shownArgs?: object;
  query: SourceQuery;
  toPayload: (fields: ListFields) => ListPayload;
  /** Names what is listed, in lower case: "launches of all time". */
  subject: string;
}

const maxPayloadsPerAnswer = 64;
/** Payloads made from an answer that the source keeps, by tool and arguments: the table is built once. */
const payloads = new WeakMap<SourceAnswer, Map<string, ListPayload>>();

export function createListCall<Args extends ListArguments>(call: ListCall<Args>, context: ActionContext): ToolCall {
  const { tool, args, shownArgs = args, query, subject } = call;
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
    introduce: (payload) => introduceList(payload as ListPayload, subject),
    ground: (payload) => groundInList(payload as ListPayload),
  };
}

/** Applies the limits to which part of a list is wanted. */
export function toListArguments(
  { limit, offset = 0, ascending, counted, topic }: Omit<Wanted, "message">,
  range: Range,
  { maxItems }: ActionContext,
): ListArguments {
  return {
    limit: clamp(limit ?? maxItems, range),
    ...(offset > 0 && { offset: clamp(offset, listingLimits.offset) }),
    ...(ascending && { ascending }),
    ...(counted && { counted }),
    ...(topic !== undefined && { topic }),
  };
}

/** How many posts to read: whole pages, since the site pages by 20 whatever is asked. */
export function postsToRead({ limit, offset = 0, ascending, topic }: ListArguments): number {
  if (topic !== undefined) return listingLimits.pages * pageSize;
  // The site lists from the most votes down, so the fewest votes are found by reading on.
  if (ascending) return listingLimits.ascendingPages * pageSize;
  return Math.ceil((offset + limit) / pageSize) * pageSize;
}

/** The `limit` of an MCP tool. */
export const limitInput = ({ min, max }: Range, what: string) =>
  z.number().optional().describe(`How many ${what}, ${min} to ${max}; what lies outside is clamped.`);

function toListFields(
  answer: SourceAnswer,
  { limit, offset = 0, ascending, topic }: ListArguments,
  { source, now }: { source: ListingSource; now: number },
): ListFields {
  const about = topic === undefined ? answer.products : answer.products.filter((product) => mentions(product, topic));
  const all = ascending ? about.toSorted(byFewestVotes) : about;
  const products = all.slice(offset, offset + limit);
  const hasAnswer = answer.status !== "unavailable";
  return {
    products,
    table: renderProductTable(products, offset),
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
    ...(ascending && { ascending }),
    ...(topic !== undefined && { topic }),
    ...((ascending || topic !== undefined) && { examined: answer.products.length }),
  };
}

/** A product's name, tagline, description or topics hold the words of a topic. Longer words may have another ending. */
function mentions({ name, tagline, description = "", topics = [] }: Product, topic: string): boolean {
  const held = splitWords([name, tagline, description, ...topics].join(" "));
  return [topic, abbreviations[topic] ?? topic].some((phrase) =>
    splitWords(phrase).every((word) =>
      held.some((one) => one === word || (word.length >= minStemLength && one.startsWith(word))),
    ),
  );
}

const minStemLength = 4;
const splitWords = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Topics that the site spells out. */
const abbreviations: Readonly<Record<string, string>> = {
  ai: "artificial intelligence",
  ml: "machine learning",
  dev: "developer",
};

/** Launches without a vote count come last. */
const byFewestVotes = (one: Product, other: Product) =>
  (one.votesCount ?? Number.POSITIVE_INFINITY) - (other.votesCount ?? Number.POSITIVE_INFINITY) || 0;
