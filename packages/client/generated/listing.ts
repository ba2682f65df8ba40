// Generated from packages/contract by `npm run docs:tables`. Change it there.

/** A launched product. */
export interface Product {
  id: string;
  name: string;
  /** Empty if the source has none. */
  tagline: string;
  /** Empty if the source has none. */
  url: string;
  /** `null` if the source hides it. */
  votesCount: number | null;
  description?: string;
  commentsCount?: number;
  /** ISO 8601. */
  createdAt?: string;
  /** ISO 8601. */
  featuredAt?: string;
  thumbnailUrl?: string;
  topics?: string[];
  website?: string;
}

/** A half-open UTC window in `YYYY-MM-DDTHH:MM:SSZ` that covers whole days of `tz`. */
export interface TimeframeWindow {
  label: string;
  input: string;
  tz: string;
  postedAfter: string;
  postedBefore: string;
}

export type UnavailableReason = "not_configured" | "unreachable" | "timed_out" | "rate_limited" | "refused" | "failed" | "invalid_answer";

export interface Provenance {
  /** `empty`: the source has nothing. `stale`: an older response, because the source just failed. */
  status: "ok" | "empty" | "stale" | "unavailable";
  /** When the source sent this, in ISO 8601. Absent if it sent nothing. */
  as_of?: string;
  /** Its age in whole seconds, only with `stale`. */
  age_seconds?: number;
  /** The source's display name. */
  source: string;
  /** Why the source failed, with `stale` and `unavailable`. */
  reason?: UnavailableReason;
  /** Whole seconds until the source accepts requests again, if `reason` is `rate_limited` and it said so. */
  retry_after_seconds?: number;
  /** The source may have more that belongs here and was not read. */
  partial?: true;
  /** How many launches exist in all, if the source says so. */
  total?: number;
  /** Whether there are more launches than this list shows. */
  truncated: boolean;
  /** How many launches come before this list: "the next five". */
  offset?: number;
  /** The list begins with the fewest votes among the launches that were read, or with the least of `sort`. */
  ascending?: true;
  /** What the list is sorted by, unless it is votes: the most comments, the newest or Z first. */
  sort?: "comments" | "date" | "name";
  /** What the launches have to mention. */
  topic?: string;
  /** What may have been meant as a topic. None of the launches mentions it, so the list is not limited to it. */
  unknown_topic?: string;
  /** What the launches must not mention. */
  excluded_topics?: string[];
  /** The fewest votes that a launch has to have. */
  min_votes?: number;
  /** The most votes that a launch may have. */
  max_votes?: number;
  /** The number of launches that were read, only with one of the seven fields above. */
  examined?: number;
  /** How many of the `examined` launches fulfil the conditions. */
  matched?: number;
}

export interface TopPayload extends Provenance {
  action: "top";
  limit: number;
  order: "VOTES";
  posts: Product[];
  /** The list as a Markdown table. */
  table: string;
}

export interface TopTimeframePayload extends Provenance {
  action: "top_timeframe";
  limit: number;
  order: "RANKING";
  /** A half-open UTC window in `YYYY-MM-DDTHH:MM:SSZ` that covers whole days of `tz`. */
  timeframe: TimeframeWindow;
  posts: Product[];
  /** The list as a Markdown table. */
  table: string;
}

export interface SearchPayload extends Provenance {
  action: "search";
  query: string;
  limit: number;
  hits: Product[];
  /** The list as a Markdown table. */
  table: string;
}

export interface ConfettiPayload {
  action: "CONFETTI";
  reason?: string;
  colors: string[];
  particleCount: number;
  /** In degrees. */
  spread: number;
  startVelocity: number;
  /** A fraction of the screen. */
  origin: { x: number; y: number };
  shapes: Array<"square" | "circle" | "star">;
  /** In frames. */
  ticks: number;
  disableSound: boolean;
  /** ISO 8601. */
  timestamp: string;
}

export type ListPayload =
  | TopPayload
  | TopTimeframePayload
  | SearchPayload;

export type ListingPayload =
  | TopPayload
  | TopTimeframePayload
  | SearchPayload
  | ConfettiPayload;

export interface TopRequest {
  limit?: number | undefined;
  topic?: string | undefined;
  excluded_topics?: string[] | undefined;
  min_votes?: number | undefined;
  max_votes?: number | undefined;
  sort?: "votes" | "comments" | "date" | "name" | undefined;
  ascending?: boolean | undefined;
}

export interface TopTimeframeRequest extends TopRequest {
  timeframe: string;
  tz?: string | undefined;
}

export interface LaunchSearchRequest {
  query: string;
  limit?: number | undefined;
}

export interface ConfettiRequest {
  colors?: string[] | undefined;
  particleCount?: number | undefined;
  reason?: string | undefined;
}

export interface ListingAgentRequest {
  messages: Array<{ role: string; content?: string | Array<{ type: string; text?: string | undefined }> | undefined }>;
  thread_id?: string | undefined;
  run_id?: string | undefined;
  tool_params?: { timeframe?: string | undefined; tz?: string | undefined; limit?: number | undefined } | undefined;
}

export type ListingEvent =
  | {
      type: "tool_call_start";
      tool_call_id: string;
      tool_name: string;
      /** The arguments of the call. */
      args: object;
      thread_id: string;
      run_id: string;
    }
  | {
      type: "tool_call_result";
      tool_call_id: string;
      tool_name: string;
      result: ListingPayload;
      thread_id: string;
      run_id: string;
    }
  | {
      type: "text_message_chunk";
      message_id: string;
      role: "assistant";
      content: string;
      thread_id: string;
      run_id: string;
    }
  | { type: "error"; message: string; thread_id: string; run_id: string };

/** The request and the payload of each tool. */
export interface ListingTools {
  top: { request: TopRequest; payload: TopPayload };
  top_timeframe: { request: TopTimeframeRequest; payload: TopTimeframePayload };
  search: { request: LaunchSearchRequest; payload: SearchPayload };
  confetti: { request: ConfettiRequest; payload: ConfettiPayload };
}
