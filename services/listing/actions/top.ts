import { listingLimits, topRequest } from "@agent-backends/contract";
import { z } from "zod";
import type { ActionContext, ToolCall, Wanted } from "./action.ts";
import { defineAction } from "./action.ts";
import { createListCall, limitInput, postsToRead, toListArguments } from "./list-call.ts";

/** The leaders of all time. */
export const top = defineAction({
  name: "top",
  tool: {
    title: "Top launches",
    description: "The launches with the most votes of all time, as the listing site has them.",
    input: z.object({ limit: limitInput(listingLimits.posts, "launches") }),
    request: topRequest,
    example: { limit: 3 },
    openWorld: true,
    call: createTopCall,
  },
  plan: createTopCall,
});

function createTopCall(wanted: Omit<Wanted, "message">, context: ActionContext): ToolCall {
  const args = toListArguments(wanted, listingLimits.posts, context);
  const { limit } = args;
  return createListCall(
    {
      tool: "top",
      args,
      query: { order: "VOTES", count: postsToRead(args) },
      toPayload: ({ products, ...list }) => ({ action: "top", limit, order: "VOTES", posts: products, ...list }),
      subject: "launches of all time",
    },
    context,
  );
}
