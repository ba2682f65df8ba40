import { QueryCache } from "./query-cache.ts";
import type { Found, ListingSource, PostsQuery, SearchQuery, SourceAnswer } from "./source.ts";
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

  async function ask(
    key: unknown[],
    load: (signal: AbortSignal) => Promise<Found>,
    signal: AbortSignal | undefined,
  ): Promise<SourceAnswer> {
    const loadOrWarn = async (flight: AbortSignal) => {
      try {
        return await load(flight);
      } catch (error) {
        if (error instanceof UpstreamError && error.reason !== "not_configured") {
          warn({ upstream: key[0], reason: error.reason }, `The listing source failed: ${error.message}.`);
        }
        throw error;
      }
    };
    try {
      const { value, at, failure } = await cache.get(JSON.stringify(key), loadOrWarn, signal);
      if (failure !== undefined) return { ...value, status: "stale", asOf: new Date(at), reason: reasonOf(failure) };
      // The same answer stays the same object, by which others may know what they made of it.
      const fresh = answers.get(value) ?? {
        ...value,
        status: value.products.length > 0 ? "ok" : "empty",
        asOf: new Date(at),
      };
      answers.set(value, fresh);
      return fresh;
    } catch (error) {
      return { products: [], complete: false, status: "unavailable", reason: reasonOf(error) };
    }
  }

  return {
    name,
    posts: (query, signal) =>
      ask(
        ["posts", query.order, query.window?.postedAfter, query.window?.postedBefore],
        (flight) => fetchPosts(query, flight),
        signal,
      ),
    search: (query, signal) =>
      ask(["search", query.query, query.limit], (flight) => searchIndex(query, flight), signal),
  };
}

function reasonOf(error: unknown): UpstreamError["reason"] {
  if (error instanceof UpstreamError) return error.reason;
  throw error;
}
