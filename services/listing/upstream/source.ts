import type { Product, UnavailableReason } from "@agent-backends/contract";

/** A query for posts of the listing site; of all time without a window. */
export interface PostsQuery {
  order: "VOTES" | "RANKING" | "NEWEST";
  /** How many posts to return; default: one page of 20. */
  count?: number;
  /** The total is wanted. Where the upstream's total isn't reliable, all posts are read to count them. */
  isCounted?: true;
  /** Half-open, UTC, ISO 8601. */
  window?: { postedAfter: string; postedBefore: string };
}

/** A query for the site's search index; returns at most `limit` products. */
export interface SearchQuery {
  query: string;
  limit: number;
}

/** Products as one call of an upstream gave them. */
export interface Found {
  products: Product[];
  /** False if the upstream has more that may belong here and wasn't read. */
  complete: boolean;
  /** How many the upstream has in all, if it tells. */
  total?: number;
}

/** The source's answer, an older one because it failed just now, or the reason why there is none. */
export type SourceAnswer =
  | (Found & { status: "ok" | "empty"; asOf: Date })
  | (Found & { status: "stale"; asOf: Date } & Failure)
  | (Found & { status: "unavailable" } & Failure);

/** Why a source did not answer, and when it may be asked again, in milliseconds since the epoch, where it said so. */
export interface Failure {
  reason: UnavailableReason;
  retryAt?: number;
}

export type SourceQuery = PostsQuery | SearchQuery;

/** Where launches come from. Nothing throws for what the source does, only when `signal` aborts. */
export interface ListingSource {
  /** Shown to readers, such as the site's host. */
  readonly name: string;
  /** The cached answer, if it is fresh. Synchronous, so that most requests need no promise. */
  known(query: SourceQuery): SourceAnswer | undefined;
  /** Posts come with the most votes or the newest first, about as many as wanted; search results with the best match first. */
  ask(query: SourceQuery, signal?: AbortSignal): Promise<SourceAnswer>;
}
