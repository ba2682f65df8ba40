import { listingLimits, topTimeframeRequest } from "@agent-backends/contract";
import { z } from "zod";
import { escapeMarkdown } from "../render/text.ts";
import { describeWindow } from "../render/window.ts";
import { resolveTimeframe } from "../timeframe/resolve.ts";
import type { ActionContext, ToolCall, Wanted } from "./action.ts";
import { defineAction } from "./action.ts";
import { conditionInputs, conditionsExample } from "./conditions.ts";
import { createListCall, limitInput, toListArguments, toPostsQuery } from "./list-call.ts";

/** Lists the leaders of a timeframe. */
export const topTimeframe = defineAction({
  name: "top_timeframe",
  kind: "ranking",
  ability: "those of a day or a week",
  command: /^[/!](?:today|yesterday|week|month|daily|weekly|monthly|day|last-?week)\b/,
  concept: "ranking",
  range: listingLimits.posts,
  tool: {
    title: "Top launches of a time",
    description: "The launches of a day, a week, a month or another stretch of time, with the most votes first.",
    input: z.object({
      timeframe: z
        .string()
        .describe(
          'Such as "today", "yesterday", "last week", "last 7 days", "March 2026", "since Monday", "2026-11-20" or "from:2026-11-01 to:2026-11-20".',
        ),
      tz: z.string().optional().describe('Whose days are meant: an IANA name such as "Europe/Berlin".'),
      limit: limitInput(listingLimits.posts, "launches"),
      ...conditionInputs,
    }),
    request: topTimeframeRequest,
    example: { timeframe: "from:2026-01-01 to:2026-01-05", tz: "UTC", limit: 3, ...conditionsExample },
    openWorld: true,
    call: createTopTimeframeCall,
  },
  plan: ({ timeframe = "today", ...wanted }, context) => createTopTimeframeCall({ ...wanted, timeframe }, context),
});

type Request = Wanted & { timeframe: string };

function createTopTimeframeCall({ timeframe: text, tz, ...wanted }: Request, context: ActionContext): ToolCall {
  const now = new Date(context.now());
  const timeframe = resolveTimeframe(text, { timezone: tz ?? context.timezone, now });
  const args = { timeframe, ...toListArguments(wanted, listingLimits.posts, context) };
  const { limit, counted } = args;
  const { postedAfter, postedBefore } = timeframe;
  const posts = toPostsQuery(args, "RANKING");
  return createListCall(
    {
      tool: "top_timeframe",
      args,
      shownArgs: { ...args, timeframe: timeframe.input, tz: timeframe.tz },
      query: { ...posts, ...(counted && { isCounted: true }), window: { postedAfter, postedBefore } },
      toPayload: ({ products, ...list }) => ({
        action: "top_timeframe",
        limit,
        order: "RANKING",
        timeframe,
        posts: products,
        ...list,
      }),
      scope: `of ${escapeMarkdown(describeWindow(timeframe))}`,
    },
    context,
  );
}
