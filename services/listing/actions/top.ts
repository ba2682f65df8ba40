import { listingLimits, topRequest } from "@agent-backends/contract";
import { z } from "zod";
import type { ActionContext, ToolCall, Wanted } from "./action.ts";
import { defineAction } from "./action.ts";
import { conditionInputs, conditionsExample } from "./conditions.ts";
import { createListCall, limitInput, toListArguments, toPostsQuery } from "./list-call.ts";

/** Lists the leaders of all time. */
export const top = defineAction({
  name: "top",
  kind: "ranking",
  ability: "show the top launches",
  command: /^[/!](?:top|best|leaderboard|ranking|trending|list|posts)\b/,
  concept: "ranking",
  range: listingLimits.posts,
  tool: {
    title: "Top launches",
    description: "The launches with the most votes of all time, as the listing site has them, or in another order.",
    input: z.object({ limit: limitInput(listingLimits.posts, "launches"), ...conditionInputs }),
    request: topRequest,
    example: { limit: 3, ...conditionsExample },
    openWorld: true,
    call: createTopCall,
  },
  plan: createTopCall,
});

function createTopCall(wanted: Wanted, context: ActionContext): ToolCall {
  const args = toListArguments(wanted, listingLimits.posts, context);
  const { limit } = args;
  const query = toPostsQuery(args, "VOTES");
  return createListCall(
    {
      tool: "top",
      args,
      query,
      toPayload: ({ products, ...list }) => ({ action: "top", limit, order: "VOTES", posts: products, ...list }),
      scope: "of all time",
    },
    context,
  );
}
