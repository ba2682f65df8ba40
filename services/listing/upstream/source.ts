import type { Product, UnavailableReason } from "@agent-backends/contract";

/** A query for posts of the listing site. Without a window, it covers all time. */
export interface PostsQuery {
  order: "VOTES" | "RANKING" | "NEWEST";
  /** Number of posts to return. Default: one page of 20. */
  count?: number;
  /** The total is required. If the upstream's total isn't reliable, all posts are read to count them. */
  isCounted?: true;
  /** Half-open, UTC, ISO 8601. */
  window?: { postedAfter: string; postedBefore: string };
}

/** A query for the site's search index. Returns at most `limit` products. */
export interface SearchQuery {
  query: string;
  limit: number;
}

/** Products returned by one call to an upstream. */
export interface Found {
  products: Product[];
  /** False if the upstream has more results that may belong here and weren't read. */
  complete: boolean;
  /** Total number in the upstream, if known. */
  total?: number;
}

/** The source's answer, or an older one because the source just failed, or the reason why there is none. */
export type SourceAnswer =
  | (Found & { status: "ok" | "empty"; asOf: Date })
  | (Found & { status: "stale"; asOf: Date } & Failure)
  | (Found & { status: "unavailable" } & Failure);

/** Why a source failed, and when it accepts requests again, in milliseconds since the epoch, if known. */
export interface Failure {
  reason: UnavailableReason;
  retryAt?: number;
}

export type SourceQuery = PostsQuery | SearchQuery;

/** The source of launches. Failures of the source never throw. Calls reject only when `signal` aborts. */
export interface ListingSource {
  /** Name shown to users, such as the site's host. */
  readonly name: string;
  /** The cached answer, if it is fresh. Synchronous, so that most requests need no promise. */
  known(query: SourceQuery): SourceAnswer | undefined;
  /** Returns about as many posts as requested, those with the most votes or the newest first. Search results have the best match first. */
  ask(query: SourceQuery, signal?: AbortSignal): Promise<SourceAnswer>;
}
