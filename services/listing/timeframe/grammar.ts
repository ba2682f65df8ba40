import { Temporal } from "temporal-polyfill";
import { quoted, TimeframeError } from "./error.ts";

/** The most days that "last N days" reaches back. */
export const longestLastDays = 366;

/** What a timeframe says, before it is tied to a clock and a timezone. Dates are local, `to` is included. */
export type Timeframe =
  | { kind: "today" | "yesterday" | "this week" | "last week" | "this month" | "last month" }
  | { kind: "last days"; days: number }
  | { kind: "range"; from: Temporal.PlainDate; to: Temporal.PlainDate };

const relative = new Set(["today", "yesterday", "this week", "last week", "this month", "last month"]);
const lastDays = /^last (\d{1,9}) days?$/;
const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const range = /^from: ?(\d{4}-\d{2}-\d{2}) to: ?(\d{4}-\d{2}-\d{2})$/;

/**
 * Reads the timeframe grammar; case, the amount of white space and hyphens between words don't matter:
 *
 *     today | yesterday | this week | last week | this month | last month
 *     last N days                      N = 1…366, today is the last of them
 *     YYYY-MM-DD
 *     from:YYYY-MM-DD to:YYYY-MM-DD    both days included
 *
 * @throws {TimeframeError} `invalid_timeframe`, `invalid_date` or `inverted_range`
 */
export function parseTimeframe(input: string): Timeframe {
  const text = input.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const words = text.replaceAll(/(?<=[a-z0-9])[-_](?=[a-z0-9])/g, " ");
  if (relative.has(words)) return { kind: words } as Timeframe;

  const days = lastDays.exec(words)?.[1];
  if (days !== undefined) {
    const count = Number(days);
    if (count >= 1 && count <= longestLastDays) return { kind: "last days", days: count };
    throw new TimeframeError(
      "invalid_timeframe",
      `The timeframe ${quoted(input)} is out of bounds: "last N days" takes 1 to ${longestLastDays} days, such as "last 7 days".`,
    );
  }

  if (date.test(text)) {
    const day = parseDate(text);
    return { kind: "range", from: day, to: day };
  }

  const [, first, last] = range.exec(text) ?? [];
  if (first !== undefined && last !== undefined) {
    const from = parseDate(first);
    const to = parseDate(last);
    if (Temporal.PlainDate.compare(from, to) <= 0) return { kind: "range", from, to };
    throw new TimeframeError(
      "inverted_range",
      `The range ends on ${last}, before it begins on ${first}: write the earlier date first, as in "from:${last} to:${first}".`,
    );
  }

  throw new TimeframeError(
    "invalid_timeframe",
    `The timeframe ${quoted(input)} is not understood: use "today", "yesterday", "this week", "last week", "this month", "last month", "last 7 days", a date such as "2026-11-20" or a range such as "from:2026-11-01 to:2026-11-20".`,
  );
}

function parseDate(text: string): Temporal.PlainDate {
  const [year, month, day] = text.split("-").map(Number);
  try {
    if (year === 0) throw new RangeError("There is no year 0.");
    return Temporal.PlainDate.from({ year: year ?? 0, month: month ?? 0, day: day ?? 0 }, { overflow: "reject" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TimeframeError(
      "invalid_date",
      `The date ${text} does not exist in the calendar: use a day written as YYYY-MM-DD, such as "2026-11-20".`,
    );
  }
}
