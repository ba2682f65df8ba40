import type { Product } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { z } from "zod";
import type { JsonAnswer, PostJson } from "./post-json.ts";
import { UpstreamError } from "./post-json.ts";
import { postsQuery } from "./posts-query.ts";
import { toProductFromPost } from "./product.ts";
import type { Found, PostsQuery } from "./source.ts";

/** The site always returns pages of 20. */
export const pageSize = 20;
const defaultPauseSeconds = 60;
const maxPauseSeconds = 3_600;

const limitedBody = z.object({ errors: z.array(z.object({ details: z.object({ reset_in: z.number() }) })).min(1) });

const postsAnswer = z.object({
  data: z.object({
    posts: z.object({
      totalCount: z.number().int().nonnegative().optional().catch(undefined),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }).optional().catch(undefined),
      edges: z.array(z.object({ node: z.unknown() })),
    }),
  }),
});

/**
 * Creates a client for the site's GraphQL API. It reads pages by cursor until it has enough posts in the window, or has read
 * `listingLimits.pages`. The site's ranking may contain posts of other days and isn't strictly by votes, so posts are filtered by date and
 * sorted page by page: the first posts stay the same when more are requested. Once the rate limit is used up, the client sends nothing
 * until the reset. Calls throw an UpstreamError, or the signal's reason once it aborts.
 *
 * @param options.timeoutMs timeout for each page
 * @param options.now returns milliseconds since the epoch
 */
export function createListingSite(options: {
  url: string;
  token: string | undefined;
  timeoutMs: number;
  postJson: PostJson;
  now: () => number;
}): (query: PostsQuery, signal?: AbortSignal) => Promise<Found> {
  const { url, token, timeoutMs, postJson, now } = options;
  let pausedUntil = 0;

  async function fetchPage(query: PostsQuery, after: string | undefined, signal: AbortSignal | undefined) {
    if (now() < pausedUntil) {
      const seconds = Math.ceil((pausedUntil - now()) / 1000);
      throw new UpstreamError("rate_limited", `the rate limit resets in ${seconds} s`, { retryAt: pausedUntil });
    }
    const answer = await postJson(url, {
      headers: { authorization: `Bearer ${token}` },
      body: { query: postsQuery, variables: { order: query.order, first: pageSize, after, ...query.window } },
      timeoutMs,
      ...(signal && { signal }),
    });
    const pauseMs = parsePauseMs(answer);
    if (pauseMs > 0) pausedUntil = now() + pauseMs;
    if (answer.status === 429) {
      const seconds = Math.ceil(pauseMs / 1000);
      throw new UpstreamError("rate_limited", `the site answered 429, ask again in ${seconds} s`, {
        retryAt: pausedUntil,
      });
    }
    return readPage(answer);
  }

  return async function fetchPosts(query, signal) {
    if (!token) throw new UpstreamError("not_configured", "LISTING_API_TOKEN is not set");
    const seen = new Set<string>();
    const products: Product[] = [];
    let block: Product[] = [];
    let after: string | undefined;
    let complete = false;
    let outsideWindow = 0;
    let total: number | undefined;
    const { count = pageSize, isCounted } = query;
    const order = query.order === "NEWEST" ? byDate : byVotes;
    const maxPages = isCounted
      ? listingLimits.ascendingPages
      : Math.max(listingLimits.pages, Math.ceil(count / pageSize));
    const isWanted = () => products.length + block.length < count || (isCounted && outsideWindow > 0);
    for (let pages = 0; pages < maxPages && isWanted() && !complete; pages++) {
      try {
        const { products: read, next, totalCount } = await fetchPage(query, after, signal);
        const inWindow = read.filter((product) => isInWindow(product, query.window));
        outsideWindow += read.length - inWindow.length;
        for (const product of inWindow) if (!seen.has(product.id)) block.push(product);
        for (const product of inWindow) seen.add(product.id);
        if (block.length >= pageSize) {
          products.push(...block.sort(order));
          block = [];
        }
        total = totalCount;
        complete = next === undefined || next === after;
        after = next;
      } catch (error) {
        if (!(error instanceof UpstreamError) || seen.size === 0) throw error;
        break;
      }
    }
    products.push(...block.sort(order));
    // The site's total includes posts of other days. If there are any, the number is known only for a list that was read to its end.
    const isTrustworthy = outsideWindow === 0 && total !== undefined && total >= products.length;
    const known = isTrustworthy ? total : complete ? products.length : undefined;
    return { products, complete, ...(known !== undefined && { total: known }) };
  };
}

interface Page {
  products: Product[];
  next: string | undefined;
  totalCount: number | undefined;
}

function readPage({ status, json }: JsonAnswer): Page {
  if (status === 401 || status === 403)
    throw new UpstreamError("refused", `the site answered ${status}: check LISTING_API_TOKEN`);
  if (status !== 200) throw new UpstreamError("failed", `the site answered ${status}`);
  if (json === undefined) throw new UpstreamError("invalid_answer", "the site's answer is not JSON");
  const parsed = postsAnswer.safeParse(json);
  if (!parsed.success) {
    const refused = typeof json === "object" && json !== null && "errors" in json;
    throw new UpstreamError(
      "failed",
      refused ? "the site answered with GraphQL errors" : "the site's answer holds no posts",
    );
  }
  const { edges, pageInfo, totalCount } = parsed.data.data.posts;
  return {
    products: edges.map(({ node }) => toProductFromPost(node)).filter((product) => product !== undefined),
    next: pageInfo?.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    totalCount,
  };
}

/** Whether a post was featured (or else created) within the half-open window. */
function isInWindow(product: Product, window: PostsQuery["window"]): boolean {
  if (!window) return true;
  const posted = postedAt(product);
  return posted >= Date.parse(window.postedAfter) && posted < Date.parse(window.postedBefore);
}

const postedAt = ({ featuredAt, createdAt }: Product): number => Date.parse(featuredAt ?? createdAt ?? "") || 0;
const byDate = (one: Product, other: Product) => postedAt(other) - postedAt(one);
const byVotes = (one: Product, other: Product) => (other.votesCount ?? -1) - (one.votesCount ?? -1);

/**
 * How long to pause requests to the site after a response, in milliseconds, or 0 while the rate limit isn't used up. The site sends the
 * remaining budget in `X-Rate-Limit-Remaining`, which may fall below 0, and the seconds until the reset in `X-Rate-Limit-Reset` and in the
 * body of a 429.
 */
function parsePauseMs({ status, headers, json }: JsonAnswer): number {
  const remaining = parseNumber(headers["x-rate-limit-remaining"]);
  if (status !== 429 && (remaining === undefined || remaining > 0)) return 0;
  const seconds = parseNumber(headers["x-rate-limit-reset"]) ?? parseReset(json) ?? parseNumber(headers["retry-after"]);
  return Math.min(Math.max(seconds ?? defaultPauseSeconds, 1), maxPauseSeconds) * 1000;
}

function parseReset(json: unknown): number | undefined {
  return limitedBody.safeParse(json).data?.errors[0]?.details.reset_in;
}

function parseNumber(header: string | string[] | undefined): number | undefined {
  const value = Number(header);
  return header === undefined || header === "" || Number.isNaN(value) ? undefined : value;
}
