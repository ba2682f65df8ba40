import type { Product } from "@agent-backends/contract";
import { z } from "zod";
import type { JsonAnswer, PostJson } from "./post-json.ts";
import { postsQuery } from "./posts-query.ts";
import { productFromPost } from "./product.ts";
import { pauseAfter } from "./rate-limit.ts";
import type { Found, PostsQuery } from "./source.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The site gives pages of 20, whatever it is asked for. */
export const pageSize = 20;
const maxPages = 5;

const postsAnswer = z.object({
  data: z.object({
    posts: z.object({
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }).optional().catch(undefined),
      edges: z.array(z.object({ node: z.unknown() })),
    }),
  }),
});

/**
 * A client of the site's GraphQL interface. It walks pages by cursor until it has a page full of posts that belong to
 * the window, at most 5 pages, and gives them with the most votes first: the site's ranking may hold posts of other days.
 * A budget that the site calls spent is not asked again before its reset.
 * Calls throw an UpstreamError, or the signal's reason once it aborts.
 *
 * @param options.timeoutMs for each page
 * @param options.now milliseconds since the epoch
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

  async function page(query: PostsQuery, after: string | undefined, signal: AbortSignal | undefined) {
    if (now() < pausedUntil) {
      throw new UpstreamError(
        "rate_limited",
        `the budget is spent for ${Math.ceil((pausedUntil - now()) / 1000)} s more`,
      );
    }
    const answer = await postJson(url, {
      headers: { authorization: `Bearer ${token}` },
      body: { query: postsQuery, variables: { order: query.order, first: pageSize, after, ...query.window } },
      timeoutMs,
      ...(signal && { signal }),
    });
    const pauseMs = pauseAfter(answer);
    if (pauseMs > 0) pausedUntil = now() + pauseMs;
    return readPage(answer);
  }

  return async function fetchPosts(query, signal) {
    if (!token) throw new UpstreamError("not_configured", "LISTING_API_TOKEN is not set");
    const found = new Map<string, Product>();
    let after: string | undefined;
    let complete = false;
    for (let pages = 0; pages < maxPages && found.size < pageSize && !complete; pages++) {
      try {
        const { products, next } = await page(query, after, signal);
        for (const product of products) if (belongs(product, query.window)) found.set(product.id, product);
        complete = next === undefined || next === after;
        after = next;
      } catch (error) {
        if (!(error instanceof UpstreamError) || found.size === 0) throw error;
        break;
      }
    }
    const products = [...found.values()].sort(byVotes).slice(0, pageSize);
    return { products, complete: complete || found.size >= pageSize };
  };
}

function readPage({ status, json }: JsonAnswer): { products: Product[]; next: string | undefined } {
  if (status === 429) throw new UpstreamError("rate_limited", "the site answered 429");
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
  const { edges, pageInfo } = parsed.data.data.posts;
  return {
    products: edges.map(({ node }) => productFromPost(node)).filter((product) => product !== undefined),
    next: pageInfo?.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
  };
}

/** Whether a post was featured (else created) in the half-open window. */
function belongs(product: Product, window: PostsQuery["window"]): boolean {
  if (!window) return true;
  const posted = Date.parse(product.featuredAt ?? product.createdAt ?? "");
  return posted >= Date.parse(window.postedAfter) && posted < Date.parse(window.postedBefore);
}

const byVotes = (one: Product, other: Product) => (other.votesCount ?? -1) - (one.votesCount ?? -1);
