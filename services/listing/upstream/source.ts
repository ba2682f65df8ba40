import type { Product, UnavailableReason } from "@agent-backends/contract";

/** Posts of the listing site. Without a window: of all time. */
export interface PostsQuery {
  order: "VOTES" | "RANKING";
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
}

/** What is known about a query: the source's answer, an older one because it failed now, or why there is none. */
export type SourceAnswer =
  | (Found & { status: "ok" | "empty"; asOf: Date })
  | (Found & { status: "stale"; asOf: Date; reason: UnavailableReason })
  | (Found & { status: "unavailable"; reason: UnavailableReason });

/** Where launches come from. Neither call throws for what the source does, only when `signal` aborts. */
export interface ListingSource {
  /** Shown to readers, such as the site's host. */
  readonly name: string;
  /** At most as many as one page of the site holds, most votes first. */
  posts(query: PostsQuery, signal?: AbortSignal): Promise<SourceAnswer>;
  /** Best match first. */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SourceAnswer>;
}
