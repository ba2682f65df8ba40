import { ProblemError } from "@agent-backends/kit";
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
    const detail = "The cursor is none that this service gave; leave it out to start from the first page.";
    throw new ProblemError("invalid-input", detail, {
      errors: [{ pointer: "/cursor", detail: "is not a cursor" }],
      cause,
    });
  }
}
