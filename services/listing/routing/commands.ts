import type { ListingAction } from "@agent-backends/contract";
import type { Reading } from "./reading.ts";

const commands: [pattern: RegExp, action: ListingAction][] = [
  [/^[/!](?:search|find|lookup|s)\b/, "search"],
  [/^[/!](?:confetti|celebrate|party)\b/, "confetti"],
  [/^[/!](?:today|yesterday|week|month|daily|weekly|monthly|day|last-?week)\b/, "top_timeframe"],
  [/^[/!](?:top|best|leaderboard|ranking|trending|list|posts)\b/, "top"],
  [/^\/[a-z]/, "advice"],
  // A field: "q: kanban", "query=kanban", "search: kanban".
  [/^(?:q|query|keywords?|search term)\s?[=:]\s?\S|^search\s?:\s?\S/, "search"],
];

/** The action that a message names outright. */
export const findCommand = ({ text }: Reading): ListingAction | undefined =>
  commands.find(([pattern]) => pattern.test(text))?.[1];
