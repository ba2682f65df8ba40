import { UpstreamError } from "./post-json.ts";
import type { CacheEntry } from "./query-cache.ts";
import { QueryCache } from "./query-cache.ts";
import type { Failure, Found, ListingSource, PostsQuery, SearchQuery, SourceAnswer, SourceQuery } from "./source.ts";

const maxEntries = 500;
const staleMs = 24 * 60 * 60 * 1000;

/**
 * Creates a source that sends one request for concurrent equal queries, caches answers, and never fails because of the site: an upstream
 * error becomes a stale or empty answer with the reason, and one warning in the log.
 *
 * @param options.ttlMs how long an answer is fresh; 0 turns the cache off
 * @param options.now returns milliseconds since the epoch
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

  // Returns the same object for the same value, so that callers can cache what they derive from it.
  function toFreshAnswer({ value, at }: CacheEntry<Found>): SourceAnswer {
    const known = answers.get(value);
    if (known !== undefined) return known;
    const status = value.products.length > 0 ? "ok" : "empty";
    const answer: SourceAnswer = { ...value, status, asOf: new Date(at) };
    answers.set(value, answer);
    return answer;
  }

  function known(query: SourceQuery): SourceAnswer | undefined {
    const entry = cache.getFresh(toKey(query));
    return entry && toFreshAnswer(entry);
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
      const { failure, ...entry } = await cache.get(toKey(query), loadOrWarn, signal);
      if (failure === undefined) return toFreshAnswer(entry);
      return { ...entry.value, status: "stale", asOf: new Date(entry.at), ...toFailure(failure) };
    } catch (error) {
      return { products: [], complete: false, status: "unavailable", ...toFailure(error) };
    }
  }

  return { name, known, ask };
}

function toKey(query: SourceQuery): string {
  if ("query" in query) return `search ${query.limit} ${query.query}`;
  const { order, count = "page", isCounted = false, window } = query;
  const posts = `posts ${order} ${count} ${isCounted}`;
  return window === undefined ? posts : `${posts} ${window.postedAfter} ${window.postedBefore}`;
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof UpstreamError)) throw error;
  const { reason, retryAt } = error;
  return { reason, ...(retryAt !== undefined && { retryAt }) };
}
