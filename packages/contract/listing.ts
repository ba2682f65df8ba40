import { z } from "zod";
import type { LimitEntries } from "./limits.ts";
import { limits, valuesOf } from "./limits.ts";
import { listOf, optional } from "./shapes.ts";

const clamped = "clamped";
const ignored = "the model alone reads it";

export const listingLimitEntries = {
  posts: [{ min: 1, max: 20 }, "", "Launches of a top list", clamped],
  hits: [{ min: 1, max: 50 }, "", "Hits of a search", clamped],
  offset: [{ min: 0, max: 80 }, "", 'Launches before the first one of a list ("the next five")', clamped],
  followedMessages: [12, "", "User messages that a follow-up may refer to, itself included", "it stands alone"],
  // What people ask comes well before; longer messages are pasted texts.
  readCharacters: [2_000, "characters", "The part of a message that decides what it asks for", ignored],
  readSentences: [50, "", "Sentences of that part", ignored],
  routingMs: [
    5_000,
    "ms",
    "Time for the provider to pick an action (`LISTING_ROUTING=provider`)",
    "the answer is advice",
  ],
  pages: [5, "pages", "Pages of 20 read from the site for one list", "the answer says that there is more"],
  ascendingPages: [
    10,
    "pages",
    "The same for the fewest votes, and to count launches",
    "the answer says how many were read",
  ],
  particles: [{ min: 20, max: 1_000 }, "", "Particles of confetti", clamped],
  colors: [32, "", "Colours of confetti", 422],
  queryLength: [500, "characters", "A search query", 422],
  timeframeLength: [200, "characters", "A timeframe", 422],
  timezoneLength: [100, "characters", "The name of a timezone", 422],
  reasonLength: [200, "characters", "What confetti is for", 422],
  adviceLength: [8_000, "characters", "A question for advice over MCP", "the tool's error"],
  idLength: [256, "characters", "The id of a thread or a run", 422],
} as const satisfies LimitEntries;

export const listingLimits = valuesOf(listingLimitEntries);

export const listingActions = ["top", "top_timeframe", "search", "confetti", "advice"] as const;
export type ListingAction = (typeof listingActions)[number];

// JSON numbers may be larger than a double holds. They are clamped like any other that is out of range.
export const wholeNumber = z.preprocess(
  (value) =>
    typeof value === "number" && !Number.isNaN(value)
      ? Math.trunc(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)))
      : value,
  z.number("must be a number"),
);

const text = (max: number) => z.string("must be a text").trim().max(max, `must have at most ${max} characters`);
const filledText = (max: number, example: string) => text(max).min(1, `must not be blank; try ${example}`);
export const optionalText = (max: number) => optional(text(max)).transform((value) => value || undefined);

const bodyOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((body) => body ?? {}, z.object(shape, "must be a JSON object"));

/** `POST /tools/top`. The body may be absent. */
export const topRequest = bodyOf({ limit: optional(wholeNumber) });

/** `POST /tools/top_timeframe`. */
export const topTimeframeRequest = bodyOf({
  timeframe: filledText(listingLimits.timeframeLength, "yesterday"),
  tz: optionalText(listingLimits.timezoneLength),
  limit: optional(wholeNumber),
});

/** `POST /tools/search`. */
export const searchRequest = bodyOf({
  query: filledText(listingLimits.queryLength, "time tracking"),
  limit: optional(wholeNumber),
});

const hexColor = z
  .string("must be a hex colour such as #ff4d4d")
  .trim()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, "must be a hex colour such as #ff4d4d");

/** `POST /tools/confetti`. The body may be absent. */
export const confettiRequest = bodyOf({
  colors: optional(
    listOf(hexColor, {
      max: listingLimits.colors,
      message: "must be a list of hex colours",
      maxMessage: `must name at most ${listingLimits.colors} colours`,
    }),
  ),
  particleCount: optional(wholeNumber),
  reason: optionalText(listingLimits.reasonLength),
});

const textPart = z.object({ type: z.string("must be a text"), text: optional(z.string("must be a text")) });

const conversationMessage = z
  .object(
    {
      role: z.string("must be one of user, assistant, system, tool"),
      content: optional(
        z.union([z.string(), listOf(textPart)], "must be a text or a list of parts such as {type: text, text: …}"),
      ),
    },
    "must be an object with role and content",
  )
  .transform(({ role, content }) => ({ role, content: plainText(content) }))
  .refine(({ content }) => content.length <= limits.messageCharacters, {
    path: ["content"],
    message: `must have at most ${limits.messageCharacters} characters`,
  });

function plainText(content: string | z.output<typeof textPart>[] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).join("\n");
}

const toolParameters = z.object(
  {
    timeframe: optionalText(listingLimits.timeframeLength),
    tz: optionalText(listingLimits.timezoneLength),
    limit: optional(wholeNumber),
  },
  "must be an object",
);

const noParameters: Partial<z.output<typeof toolParameters>> = {};

/** `POST /agent`. Names may be in snake case or camel case; snake case wins. */
export const listingAgentRequest = z
  .object(
    {
      messages: listOf(conversationMessage, {
        max: limits.messagesPerRequest,
        message: "must be a list of messages",
        maxMessage: `must have at most ${limits.messagesPerRequest} messages`,
      }),
      thread_id: optionalText(listingLimits.idLength),
      threadId: optionalText(listingLimits.idLength),
      run_id: optionalText(listingLimits.idLength),
      runId: optionalText(listingLimits.idLength),
      tool_params: optional(toolParameters),
      toolParams: optional(toolParameters),
    },
    "must be a JSON object with messages",
  )
  .transform((body) => ({
    messages: body.messages,
    threadId: body.thread_id ?? body.threadId,
    runId: body.run_id ?? body.runId,
    toolParameters: body.tool_params ?? body.toolParams ?? noParameters,
  }));

export type ListingAgentRequest = z.output<typeof listingAgentRequest>;
export type ListingMessage = ListingAgentRequest["messages"][number];

/** A launched product. Where the source lacks them, `url` and `tagline` are empty and `votesCount` is null. */
export interface Product {
  id: string;
  name: string;
  tagline: string;
  url: string;
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

/** Why the source failed. */
export type UnavailableReason =
  | "not_configured"
  | "unreachable"
  | "timed_out"
  | "rate_limited"
  | "refused"
  | "failed"
  | "invalid_answer";

/** Where a list comes from, and how complete it is. */
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
  /** The list begins with the fewest votes among the launches that were read. */
  ascending?: true;
  /** The number of launches that were read, only with `ascending` or `topic`. */
  examined?: number;
  /** What the launches of a time had to mention, if the message named it. */
  topic?: string;
}

export interface TopPayload extends Provenance {
  action: "top";
  limit: number;
  order: "VOTES";
  posts: Product[];
  /** Markdown. */
  table: string;
}

export interface TopTimeframePayload extends Provenance {
  action: "top_timeframe";
  limit: number;
  order: "RANKING";
  timeframe: TimeframeWindow;
  posts: Product[];
  /** Markdown. */
  table: string;
}

export interface SearchPayload extends Provenance {
  action: "search";
  query: string;
  limit: number;
  hits: Product[];
  /** Markdown. */
  table: string;
}

/** Parameters of a client's animation. `origin` is a fraction of the screen, `spread` in degrees, `ticks` in frames. */
export interface ConfettiPayload {
  action: "CONFETTI";
  reason?: string;
  colors: string[];
  particleCount: number;
  spread: number;
  startVelocity: number;
  origin: { x: number; y: number };
  shapes: ("square" | "circle" | "star")[];
  ticks: number;
  disableSound: boolean;
  /** ISO 8601. */
  timestamp: string;
}

/** The payload of an action that lists launches. */
export type ListPayload = TopPayload | TopTimeframePayload | SearchPayload;
export type ListingPayload = ListPayload | ConfettiPayload;

const run = { thread_id: z.string(), run_id: z.string() };
const toolCall = { tool_call_id: z.string(), tool_name: z.string() };

/** One event of `POST /agent`, in an SSE `data:` line. After the last comes `data: [DONE]`. */
export const listingEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("tool_call_start"), ...toolCall, args: z.custom<object>(), ...run }),
  z.object({ type: z.literal("tool_call_result"), ...toolCall, result: z.custom<ListingPayload>(), ...run }),
  z.object({
    type: z.literal("text_message_chunk"),
    message_id: z.string(),
    role: z.literal("assistant"),
    content: z.string(),
    ...run,
  }),
  z.object({ type: z.literal("error"), message: z.string(), ...run }),
]);

export type ListingEvent = z.output<typeof listingEventSchema>;
