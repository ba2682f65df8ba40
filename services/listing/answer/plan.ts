import type { ListingAction } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { oneLine } from "../render/text.ts";
import { TimeframeError } from "../timeframe/error.ts";
import type { Question } from "./question.ts";
import type { ListingTools, ToolCall } from "./tools.ts";

/** What a message asks for, as the routing rules read it. */
export interface RoutedMessage {
  action: ListingAction;
  limit?: number;
  timeframe?: string;
  /** The timezone that the message names, as it names it. */
  tz?: string;
  query?: string;
  /** The fewest votes first. */
  ascending?: boolean;
  /** It is asked how many there are. */
  counted?: boolean;
  /** How many items of the list come before those that are wanted. */
  offset?: number;
  /** Hex colours. */
  colors?: string[];
  particleCount?: number;
}

/**
 * Reads the last of a user's messages, in view of those before it.
 *
 * @param request.timezone where the message is resolved unless it names a zone; without it, the service's own. It may be unknown.
 * @param request.countShown how many items the answer to a message shows
 */
export type RouteMessage = (
  turns: readonly string[],
  request: { timezone: string | undefined; countShown: (routed: RoutedMessage) => number },
) => RoutedMessage;

/** What to do about a message: call a tool, give advice, or say why the timeframe can't be understood. */
export type Plan = { call: ToolCall } | { advice: true } | { refusal: string };

/**
 * Decides by the message, and by the request's tool parameters. Its `limit` and `timeframe` win over the message's; its `tz` is
 * the zone of a message that names none. In that one zone the message is read and its timeframe resolved.
 */
export function planFor(
  { message, history, toolParameters: parameters }: Question,
  dependencies: { tools: ListingTools; route: RouteMessage },
): Plan {
  const { tools, route } = dependencies;
  const countShown = ({ action, limit }: RoutedMessage): number => {
    const part = { limit: parameters.limit ?? limit };
    return (action === "search" ? tools.search({ query: "", ...part }) : tools.top(part)).args.limit;
  };
  const said = history.filter(({ role, content }) => role === "user" && content.trim() !== "");
  const turns = [...said.map(({ content }) => content), message].map((turn) =>
    turn.slice(0, listingLimits.readCharacters),
  );
  const routed = route(turns, { timezone: parameters.tz, countShown });
  const { offset, ascending, counted } = routed;
  const part = { limit: parameters.limit ?? routed.limit, offset };
  const timeframe = parameters.timeframe ?? routed.timeframe;
  switch (routed.action) {
    case "top":
    case "top_timeframe":
      if (timeframe === undefined) return { call: tools.top({ ...part, ascending }) };
      return planTimeframe(() =>
        tools.topTimeframe({ timeframe, tz: routed.tz ?? parameters.tz, ...part, ascending, counted }),
      );
    case "search": {
      const query = (routed.query ?? message).slice(0, listingLimits.queryLength).trim();
      return query ? { call: tools.search({ query, ...part }) } : { advice: true };
    }
    case "confetti":
      return {
        call: tools.confetti({
          colors: routed.colors?.slice(0, listingLimits.colors),
          particleCount: routed.particleCount,
          reason: oneLine(message, listingLimits.reasonLength),
        }),
      };
    case "advice":
      return { advice: true };
  }
}

function planTimeframe(call: () => ToolCall): Plan {
  try {
    return { call: call() };
  } catch (error) {
    if (error instanceof TimeframeError) return { refusal: error.message };
    throw error;
  }
}
