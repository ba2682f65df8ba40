import { listingLimits, searchRequest } from "@agent-backends/contract";
import { z } from "zod";
import { escapeMarkdown } from "../render/text.ts";
import type { ActionContext, ToolCall, Wanted } from "./action.ts";
import { defineAction } from "./action.ts";
import { isFiltered } from "./conditions.ts";
import { createListCall, limitInput, toListArguments } from "./list-call.ts";

const maxShownQueryLength = 100;

/** Lists launches that match a search query. */
export const search = defineAction({
  name: "search",
  kind: "search",
  ability: "search launches",
  // Also a field: "q: kanban", "query=kanban", "search: kanban".
  command: /^[/!](?:search|find|lookup|s)\b|^(?:q|query|keywords?|search term)\s?[=:]\s?\S|^search\s?:\s?\S/,
  concept: "searching",
  range: listingLimits.hits,
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
  plan({ message, query = message, ...wanted }, context) {
    const words = query.slice(0, listingLimits.queryLength).trim();
    return words === "" ? undefined : createSearchCall({ ...wanted, query: words }, context);
  },
});

type Request = Wanted & { query: string };

function createSearchCall({ query, ...wanted }: Request, context: ActionContext): ToolCall {
  const part = toListArguments(wanted, listingLimits.hits, context);
  const hasConditions = isFiltered(part) || part.sort !== undefined || part.ascending !== undefined;
  return createListCall(
    {
      tool: "search",
      args: { query, ...part },
      query: { query, limit: hasConditions ? listingLimits.hits.max : (part.offset ?? 0) + part.limit },
      toPayload: ({ products, ...list }) => ({ action: "search", query, limit: part.limit, hits: products, ...list }),
      scope: `that match “${escapeMarkdown(query, maxShownQueryLength)}”`,
    },
    context,
  );
}
