import type { LimitEntries } from "../limits.ts";
import { toLimitValues } from "../limits.ts";

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
