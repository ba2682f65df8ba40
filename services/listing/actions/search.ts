import { listingLimits, searchRequest } from "@agent-backends/contract";
import { z } from "zod";
import { escapeMarkdown } from "../render/text.ts";
import type { ActionContext, ToolCall, Wanted } from "./action.ts";
import { defineAction } from "./action.ts";
import { createListCall, limitInput, toListArguments } from "./list-call.ts";

const maxShownQueryLength = 100;

/** Launches that match words. */
export const search = defineAction({
  name: "search",
  tool: {
    title: "Search launches",
    description: "Launches that match words, best match first.",
    input: z.object({
      query: z.string().describe('What to search for, such as "time tracking".'),
      limit: limitInput(listingLimits.hits, "hits"),
    }),
    request: searchRequest,
    example: { query: "time tracking", limit: 3 },
    openWorld: true,
    call: createSearchCall,
  },
  plan({ message, query = message, limit, offset }, context) {
    const words = query.slice(0, listingLimits.queryLength).trim();
    return words === "" ? undefined : createSearchCall({ query: words, limit, offset }, context);
  },
});

type Request = Pick<Wanted, "limit" | "offset"> & { query: string };

function createSearchCall({ query, limit, offset }: Request, context: ActionContext): ToolCall {
  const part = toListArguments({ limit, offset }, listingLimits.hits, context);
  return createListCall(
    {
      tool: "search",
      args: { query, ...part },
      query: { query, limit: (part.offset ?? 0) + part.limit },
      toPayload: ({ products, ...list }) => ({ action: "search", query, limit: part.limit, hits: products, ...list }),
      subject: `launches that match “${escapeMarkdown(query, maxShownQueryLength)}”`,
    },
    context,
  );
}
