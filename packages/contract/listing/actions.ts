import { z } from "zod";
import { buildListSchema, optional, warningsSchema } from "../shapes.ts";
import { listingLimits } from "./limits.ts";
import { markdownTable, productSchema, provenanceSchema, timeframeWindowSchema, timestamp } from "./payloads.ts";

// JSON numbers may exceed the range of a double. They are clamped like any other value out of range.
export const wholeNumber = z.preprocess(
  (value) =>
    typeof value === "number" && !Number.isNaN(value)
      ? Math.trunc(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value)))
      : value,
  z.number("must be a number"),
);

const text = (max: number) => z.string().trim().max(max, `must have at most ${max} characters`);
const filledText = (max: number, example: string) => text(max).min(1, `must not be blank; try ${example}`);
export const optionalText = (max: number) => optional(text(max)).transform((value) => value || undefined);

const buildBodySchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((body) => body ?? {}, z.object(shape, "must be a JSON object"));

export const listSorts = ["votes", "comments", "date", "name"] as const;

/** Which launches are listed, and in which order. */
export const listConditions = {
  topic: optionalText(listingLimits.topicLength),
  excluded_topics: optional(
    buildListSchema(filledText(listingLimits.topicLength, "crypto"), {
      max: listingLimits.excludedTopics,
      message: "must be a list of texts",
      maxMessage: `must name at most ${listingLimits.excludedTopics} topics`,
    }),
  ),
  min_votes: optional(wholeNumber),
  max_votes: optional(wholeNumber),
  sort: optional(z.enum(listSorts, `must be one of ${listSorts.join(", ")}`)),
  ascending: optional(z.boolean("must be true or false")),
};

export type ListConditions = Partial<z.output<z.ZodObject<typeof listConditions>>>;

/** `POST /tools/top`. The body may be absent. */
export const topRequest = buildBodySchema({ limit: optional(wholeNumber), ...listConditions });

export const topPayloadSchema = provenanceSchema.extend({
  action: z.literal("top"),
  limit: z.int(),
  order: z.literal("VOTES"),
  posts: z.array(productSchema),
  table: markdownTable,
});

/** `POST /tools/top_timeframe`. */
export const topTimeframeRequest = buildBodySchema({
  timeframe: filledText(listingLimits.timeframeLength, "yesterday"),
  tz: optionalText(listingLimits.timezoneLength),
  limit: optional(wholeNumber),
  ...listConditions,
});

export const topTimeframePayloadSchema = provenanceSchema.extend({
  action: z.literal("top_timeframe"),
  limit: z.int(),
  order: z.literal("RANKING"),
  timeframe: timeframeWindowSchema,
  posts: z.array(productSchema),
  table: markdownTable,
});

/** `POST /tools/search`. */
export const searchRequest = buildBodySchema({
  query: filledText(listingLimits.queryLength, "time tracking"),
  limit: optional(wholeNumber),
});

export const searchPayloadSchema = provenanceSchema.extend({
  action: z.literal("search"),
  query: z.string(),
  limit: z.int(),
  hits: z.array(productSchema),
  table: markdownTable,
});

const hexColor = z
  .string("must be a hex colour such as #ff4d4d")
  .trim()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, "must be a hex colour such as #ff4d4d");

/** `POST /tools/confetti`. The body may be absent. */
export const confettiRequest = buildBodySchema({
  colors: optional(
    buildListSchema(hexColor, {
      max: listingLimits.colors,
      message: "must be a list of hex colours",
      maxMessage: `must name at most ${listingLimits.colors} colours`,
    }),
  ),
  particleCount: optional(wholeNumber),
  reason: optionalText(listingLimits.reasonLength),
});

/** Parameters of a client's animation. */
export const confettiPayloadSchema = z.object({
  action: z.literal("CONFETTI"),
  reason: z.string().optional(),
  colors: z.array(z.string()),
  particleCount: z.int(),
  spread: z.number().describe("In degrees."),
  startVelocity: z.number(),
  origin: z.object({ x: z.number(), y: z.number() }).describe("A fraction of the screen."),
  shapes: z.array(z.enum(["square", "circle", "star"])),
  ticks: z.number().describe("In frames."),
  disableSound: z.boolean(),
  timestamp,
});

const list = "The list. If the site failed, `status` and `reason` say so: it is no error.";

/**
 * The tools of the listing service, by action: what `POST /tools/<action>` takes and answers. The routes, the OpenAPI document, the typed
 * client and the tables in docs/contract.md follow from this.
 */
export const listingTools = {
  top: {
    id: "top",
    summary: "The leaders of all time",
    request: topRequest,
    isOptional: true,
    examples: { three: { limit: 3 }, topic: { topic: "developer tools", excluded_topics: ["ai"], min_votes: 500 } },
    payload: topPayloadSchema,
    answer: list,
  },
  top_timeframe: {
    id: "topTimeframe",
    summary: "The ranked launches of a time",
    request: topTimeframeRequest,
    examples: {
      words: { timeframe: "last week", tz: "Europe/Berlin" },
      range: { timeframe: "from:2026-11-01 to:2026-11-07", limit: 10 },
      order: { timeframe: "this month", sort: "comments" },
    },
    payload: topTimeframePayloadSchema,
    answer: list,
  },
  search: {
    id: "searchLaunches",
    summary: "Search all launches",
    request: searchRequest,
    examples: { query: { query: "time tracking", limit: 5 } },
    payload: searchPayloadSchema,
    answer: list,
  },
  confetti: {
    id: "confetti",
    summary: "The parameters of a confetti animation",
    request: confettiRequest,
    isOptional: true,
    examples: { colours: { colors: ["#ff4d4d", "#fff"], particleCount: 300, reason: "launch day" } },
    payload: confettiPayloadSchema,
    answer: "The payload for the client's animation.",
  },
} as const;

export type ListingTool = keyof typeof listingTools;

/** The response of `POST /tools/<action>`, which over HTTP may also have warnings. */
export const buildToolResponse = (name: ListingTool) => listingTools[name].payload.extend({ warnings: warningsSchema });

export const listingActions = [...(Object.keys(listingTools) as ListingTool[]), "advice"] as const;
export type ListingAction = (typeof listingActions)[number];

type PayloadSchema = (typeof listingTools)[ListingTool]["payload"];
type ListSchema = Extract<PayloadSchema, { shape: { table: unknown } }>;

const payloadSchemas: PayloadSchema[] = Object.values(listingTools).map(({ payload }) => payload);
const isList = (payload: PayloadSchema): payload is ListSchema => "table" in payload.shape;

export const listPayloadSchema = z.discriminatedUnion("action", payloadSchemas.filter(isList) as [ListSchema]);
export const listingPayloadSchema = z.discriminatedUnion("action", payloadSchemas as [PayloadSchema]);

export type ConfettiPayload = z.output<typeof confettiPayloadSchema>;
export type ListingPayload = z.output<typeof listingPayloadSchema>;
export type ListPayload = z.output<typeof listPayloadSchema>;
