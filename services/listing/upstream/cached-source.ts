import type { Kept } from "./query-cache.ts";
import { QueryCache } from "./query-cache.ts";
import type { Failure, Found, ListingSource, PostsQuery, SearchQuery, SourceAnswer, SourceQuery } from "./source.ts";
import { UpstreamError } from "./upstream-error.ts";

const maxEntries = 500;
const staleMs = 24 * 60 * 60 * 1000;

/**
 * A source that asks the site once for equal questions, remembers its answers and never fails because of it: what an
 * upstream throws becomes a stale or an empty answer that says why, and one warning.
 *
 * @param options.ttlMs how long an answer is fresh; 0 turns the cache off
 * @param options.now milliseconds since the epoch
 */
export function createCachedSource(options: {
  name: string;
  ttlMs: number;
  fetchPosts: (query: PostsQuery, signal?: AbortSignal) => Promise<Found>;
  searchIndex: (query: SearchQuery, signal?: AbortSignal) => Promise<Found>;
  now: () => number;
  warn: (details: object, message: string) => void;
}): ListingSource {
  const { name, ttlMs, fetchPosts, searchIndex, now, warn } = options;
  const cache = new QueryCache<Found>({ ttlMs, staleMs, maxEntries, now });

  const answers = new WeakMap<Found, SourceAnswer>();

  // The same answer stays the same object, by which others may know what they made of it.
  function freshAnswer({ value, at }: Kept<Found>): SourceAnswer {
    const known = answers.get(value);
    if (known !== undefined) return known;
    const status = value.products.length > 0 ? "ok" : "empty";
    const answer: SourceAnswer = { ...value, status, asOf: new Date(at) };
    answers.set(value, answer);
    return answer;
  }

  function known(query: SourceQuery): SourceAnswer | undefined {
    const kept = cache.fresh(keyOf(query));
    return kept && freshAnswer(kept);
  }

  async function ask(query: SourceQuery, signal?: AbortSignal): Promise<SourceAnswer> {
    const loadOrWarn = async (flight: AbortSignal) => {
      try {
        return await ("query" in query ? searchIndex(query, flight) : fetchPosts(query, flight));
      } catch (error) {
        if (error instanceof UpstreamError && error.reason !== "not_configured") {
          warn(
            { upstream: "query" in query ? "search" : "posts", reason: error.reason },
            `The listing source failed: ${error.message}.`,
          );
        }
        throw error;
      }
    };
    try {
      const { failure, ...kept } = await cache.get(keyOf(query), loadOrWarn, signal);
      if (failure === undefined) return freshAnswer(kept);
      return { ...kept.value, status: "stale", asOf: new Date(kept.at), ...failureOf(failure) };
    } catch (error) {
      return { products: [], complete: false, status: "unavailable", ...failureOf(error) };
    }
  }

  return { name, known, ask };
}

function keyOf(query: SourceQuery): string {
  if ("query" in query) return `search ${query.limit} ${query.query}`;
  const { order, count = "page", isCounted = false, window } = query;
  const posts = `posts ${order} ${count} ${isCounted}`;
  return window === undefined ? posts : `${posts} ${window.postedAfter} ${window.postedBefore}`;
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof UpstreamError)) throw error;
  const { reason, retryAt } = error;
  return { reason, ...(retryAt !== undefined && { retryAt }) };
}
