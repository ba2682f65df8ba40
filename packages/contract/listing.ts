import { z } from "zod";
import type { LimitEntries } from "./limits.ts";
import { limits, toLimitValues } from "./limits.ts";
import { listingPayloadSchema } from "./listing-payloads.ts";
import { buildListSchema, optional } from "./shapes.ts";

const clamped = "clamped";
const ignored = "only the model reads the rest";

// biome-ignore format: a limit a line
export const listingLimitEntries = {
  posts: [{ min: 1, max: 20 }, "", "Launches in a top list", clamped],
  hits: [{ min: 1, max: 50 }, "", "Hits of a search", clamped],
  offset: [{ min: 0, max: 80 }, "", 'Launches skipped before a list ("the next five")', clamped],
  followedMessages: [12, "", "User messages that a follow-up may refer to, including itself", "older messages are ignored"],
  // Real requests come well before this point. Longer messages are pasted texts.
  readCharacters: [2_000, "characters", "Characters of a message that decide which action is picked", ignored],
  readSentences: [50, "", "Sentences of a message that decide which action is picked", ignored],
  routingMs: [5_000, "ms", "Time for the provider to pick an action (`LISTING_ROUTING=provider`)", "the answer is advice"],
  pages: [5, "pages", "Pages of 20 read from the site for one list", "the answer says that there is more"],
  ascendingPages: [10, "pages", "Pages of 20 read from the site for other orders, for a maximum number of votes, and to count launches", "the answer says how many were read"],
  topicLength: [100, "characters", "A topic", 422],
  excludedTopics: [20, "", "Excluded topics of a list", 422],
  particles: [{ min: 20, max: 1_000 }, "", "Confetti particles", clamped],
  colors: [32, "", "Confetti colours", 422],
  queryLength: [500, "characters", "A search query", 422],
  timeframeLength: [200, "characters", "A timeframe", 422],
  timezoneLength: [100, "characters", "The name of a timezone", 422],
  reasonLength: [200, "characters", "The reason for confetti", 422],
  adviceLength: [8_000, "characters", "A question for advice over MCP", "the tool's error"],
  idLength: [256, "characters", "The id of a thread or a run", 422],
} as const satisfies LimitEntries;

export const listingLimits = toLimitValues(listingLimitEntries);

export const listingActions = ["top", "top_timeframe", "search", "confetti", "advice"] as const;
export type ListingAction = (typeof listingActions)[number];

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

/** `POST /tools/top_timeframe`. */
export const topTimeframeRequest = buildBodySchema({
  timeframe: filledText(listingLimits.timeframeLength, "yesterday"),
  tz: optionalText(listingLimits.timezoneLength),
  limit: optional(wholeNumber),
  ...listConditions,
});

/** `POST /tools/search`. */
export const searchRequest = buildBodySchema({
  query: filledText(listingLimits.queryLength, "time tracking"),
  limit: optional(wholeNumber),
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

const textPart = z.object({ type: z.string(), text: optional(z.string()) });

const conversationMessage = z
  .object(
    {
      role: z.string("must be one of user, assistant, system, tool"),
      content: optional(
        z.union(
          [z.string(), buildListSchema(textPart)],
          "must be a text or a list of parts such as {type: text, text: …}",
        ),
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
      messages: buildListSchema(conversationMessage, {
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

const run = { thread_id: z.string(), run_id: z.string() };
const toolCall = { tool_call_id: z.string(), tool_name: z.string() };

/** One event of `POST /agent`, in an SSE `data:` line. After the last comes `data: [DONE]`. */
export const listingEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("tool_call_start"),
    ...toolCall,
    args: z.custom<object>().describe("The arguments of the call."),
    ...run,
  }),
  z.object({ type: z.literal("tool_call_result"), ...toolCall, result: listingPayloadSchema, ...run }),
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
