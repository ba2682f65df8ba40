import { knowledgeLimits, problems } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import { z } from "zod";

/** The engine reads a table for each listed namespace, in threads that searches need too. */
export const listQueue = new FairQueue({
  concurrency: knowledgeLimits.lists,
  concurrencyPerClient: knowledgeLimits.listsPerClient,
});

/** The sort keys of a page's last item; the next page starts after it. */
type Cursor = string[];

/** Expects one item more than the page's limit if there is a next page. */
export function toPage<Item>(found: Item[], limit: number, toCursor: (item: Item) => Cursor) {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: found.length > limit && last ? encodeCursor(toCursor(last)) : null };
}

export const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/**
 * @param field the name of the field that contains the cursor, for the error
 * @throws ProblemError 422 unless the text is a cursor of `length` keys
 */
export function parseCursor(text: string, length: number, field = "cursor"): Cursor {
  try {
    return z
      .array(z.string())
      .length(length)
      .parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch (cause) {
    throw problems.invalidCursor(cause, field);
  }
}
