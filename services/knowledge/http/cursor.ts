import { problems } from "@agent-backends/contract";
import { z } from "zod";

/** Where a listing goes on: the values by which its last item is ordered. */
export type Cursor = string[];

export const cursorOf = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** @throws ProblemError when the text is no cursor of so many values */
export function readCursor(text: string, values: number): Cursor {
  try {
    return z
      .array(z.string())
      .length(values)
      .parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch (cause) {
    throw problems.invalidCursor(cause);
  }
}
