import { z } from "zod";

export const timestamp = z.string().describe("ISO 8601.");
export const markdownTable = z.string().describe("The list as a Markdown table.");

export const productSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    tagline: z.string().describe("Empty if the source has none."),
    url: z.string().describe("Empty if the source has none."),
    votesCount: z.number().nullable().describe("`null` if the source hides it."),
    description: z.string().optional(),
    commentsCount: z.number().optional(),
    createdAt: timestamp.optional(),
    featuredAt: timestamp.optional(),
    thumbnailUrl: z.string().optional(),
    topics: z.array(z.string()).optional(),
    website: z.string().optional(),
  })
  .describe("A launched product.");

export const timeframeWindowSchema = z
  .object({
    label: z.string(),
    input: z.string(),
    tz: z.string(),
    postedAfter: z.string(),
    postedBefore: z.string(),
  })
  .describe("A half-open UTC window in `YYYY-MM-DDTHH:MM:SSZ` that covers whole days of `tz`.");

export const unavailableReasonSchema = z.enum([
  "not_configured",
  "unreachable",
  "timed_out",
  "rate_limited",
  "refused",
  "failed",
  "invalid_answer",
]);

/** Where a list comes from, and how complete it is. */
export const provenanceSchema = z.object({
  status: z
    .enum(["ok", "empty", "stale", "unavailable"])
    .describe("`empty`: the source has nothing. `stale`: an older response, because the source just failed."),
  as_of: timestamp.optional().describe("When the source sent this, in ISO 8601. Absent if it sent nothing."),
  age_seconds: z.int().optional().describe("Its age in whole seconds, only with `stale`."),
  source: z.string().describe("The source's display name."),
  reason: unavailableReasonSchema.optional().describe("Why the source failed, with `stale` and `unavailable`."),
  retry_after_seconds: z
    .int()
    .optional()
    .describe("Whole seconds until the source accepts requests again, if `reason` is `rate_limited` and it said so."),
  partial: z.literal(true).optional().describe("The source may have more that belongs here and was not read."),
  total: z.int().optional().describe("How many launches exist in all, if the source says so."),
  truncated: z.boolean().describe("Whether there are more launches than this list shows."),
  offset: z.int().optional().describe('How many launches come before this list: "the next five".'),
  ascending: z
    .literal(true)
    .optional()
    .describe("The list begins with the fewest votes among the launches that were read, or with the least of `sort`."),
  sort: z
    .enum(["comments", "date", "name"])
    .optional()
    .describe("What the list is sorted by, unless it is votes: the most comments, the newest or Z first."),
  topic: z.string().optional().describe("What the launches have to mention."),
  unknown_topic: z
    .string()
    .optional()
    .describe(
      "What may have been meant as a topic. None of the launches mentions it, so the list is not limited to it.",
    ),
  excluded_topics: z.array(z.string()).optional().describe("What the launches must not mention."),
  min_votes: z.int().optional().describe("The fewest votes that a launch has to have."),
  max_votes: z.int().optional().describe("The most votes that a launch may have."),
  examined: z
    .int()
    .optional()
    .describe("The number of launches that were read, only with one of the seven fields above."),
  matched: z.int().optional().describe("How many of the `examined` launches fulfil the conditions."),
});

export type Product = z.output<typeof productSchema>;
export type TimeframeWindow = z.output<typeof timeframeWindowSchema>;
export type UnavailableReason = z.output<typeof unavailableReasonSchema>;
export type Provenance = z.output<typeof provenanceSchema>;
