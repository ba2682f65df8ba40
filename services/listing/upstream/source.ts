import type { Product, UnavailableReason } from "@agent-backends/contract";

/** Posts of the listing site. Without a window: of all time. */
export interface PostsQuery {
  order: "VOTES" | "RANKING";
  /** How many are wanted; default: a page of 20. */
  count?: number;
  /** It is asked how many there are in all: where the upstream's own count can't be trusted, they are read to be counted. */
  isCounted?: true;
  /** Half-open, UTC, ISO 8601. */
  window?: { postedAfter: string; postedBefore: string };
}

/** What matches in the site's search index; at most `limit` products. */
export interface SearchQuery {
  query: string;
  limit: number;
}

/** Products as one call of an upstream gave them. */
export interface Found {
  products: Product[];
  /** False when there is more that may belong here and it was not read. */
  complete: boolean;
  /** How many the upstream has in all, where it tells. */
  total?: number;
}

/** What is known about a query: the source's answer, an older one because it failed now, or why there is none. */
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
  /** The answer that `ask` would give, where it is at hand and fresh: most requests are spared all waiting by it. */
  known(query: SourceQuery): SourceAnswer | undefined;
  /** Posts: about as many as wanted, most votes first. A search: best match first. */
  ask(query: SourceQuery, signal?: AbortSignal): Promise<SourceAnswer>;
}
