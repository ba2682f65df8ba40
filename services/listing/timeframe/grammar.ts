import { Temporal } from "temporal-polyfill";
import { quoted, TimeframeError } from "./error.ts";
import { findNameNumber, monthNames, weekdayNames } from "./names.ts";

/** Maximum number of days in "last N days" and "last N weeks". It also limits "last N hours" and "last N minutes". */
export const maxLastDays = 366;

const daysOfWeek = 7;

/** A parsed timeframe, independent of clock and timezone. Dates are local, `to` is inclusive. */
export type Timeframe =
  | { kind: "today" | "yesterday" }
  | { kind: "calendar"; which: "this" | "last"; unit: "week" | "month" | "year" }
  | { kind: "last"; count: number; unit: "minute" | "hour" | "day" | "week" }
  | { kind: "month"; month: number; year?: number }
  | { kind: "weekday"; day: number; beforeToday: boolean }
  | { kind: "since"; from: { date: Temporal.PlainDate } | { weekday: number; beforeToday: boolean } }
  | { kind: "range"; from: Temporal.PlainDate; to: Temporal.PlainDate };

const calendar = /^(this|last) (week|month|year)$/;
const lastCount = /^(?:last|past) (\d{1,9}) (minute|hour|day|week)s?$/;
const monthOfYear = /^(?:in )?([a-z]{3,9})\.?(?:,? (\d{4}))?$/;
const weekday = /^(?:(on|last) )?([a-z]{3,9})$/;
const since = /^since (?:(last) )?(\S+)$/;
const date = /^(?:on )?(\d{4}-\d{2}-\d{2})$/;
const range = /^from: ?(\d{4}-\d{2}-\d{2}) to: ?(\d{4}-\d{2}-\d{2})$/;

/**
 * Parses the timeframe grammar, which docs/timeframes.md describes in full. Case, the amount of white space and hyphens between
 * words don't matter:
 *
 *     today | yesterday | (this | last) (week | month | year)
 *     last N (days | weeks)            up to 366 days, today is the last of them
 *     last N (minutes | hours)         up to now
 *     [in] March [2026]                without a year: the latest one that has begun
 *     [on | last] Monday               the latest one; today counts, except after "last"
 *     since (Monday | YYYY-MM-DD)      up to today
 *     [on] YYYY-MM-DD
 *     from:YYYY-MM-DD to:YYYY-MM-DD    both days included
 *
 * @throws {TimeframeError} `invalid_timeframe`, `invalid_date` or `inverted_range`
 */
export function parseTimeframe(input: string): Timeframe {
  const text = input.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const words = text.replaceAll(/(?<=[a-z0-9])[-_](?=[a-z0-9])/g, (sign, at: number) =>
    /\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1)) ? sign : " ",
  );
  return (
    readCalendar(words) ??
    readLastCount(words, input) ??
    readDates(words) ??
    readSince(words) ??
    readNames(words) ??
    refuse(input)
  );
}

function readCalendar(words: string): Timeframe | undefined {
  if (words === "today" || words === "yesterday") return { kind: words };
  const [, which, unit] = calendar.exec(words) ?? [];
  return which === undefined ? undefined : ({ kind: "calendar", which, unit } as Timeframe);
}

function readLastCount(words: string, input: string): Timeframe | undefined {
  const [, digits, name] = lastCount.exec(words) ?? [];
  if (digits === undefined) return undefined;
  const unit = name as "minute" | "hour" | "day" | "week";
  const count = Number(digits);
  const days = { minute: count / 1_440, hour: count / 24, day: count, week: count * daysOfWeek }[unit];
  if (count >= 1 && days <= maxLastDays) return { kind: "last", count, unit };
  throw new TimeframeError(
    "invalid_timeframe",
    `The timeframe ${quoted(input)} is out of bounds: "last N days" takes 1 to ${maxLastDays} days, such as "last 7 days".`,
  );
}

function readDates(words: string): Timeframe | undefined {
  const [, single] = date.exec(words) ?? [];
  if (single !== undefined) {
    const day = parseDate(single);
    return { kind: "range", from: day, to: day };
  }
  const [, first, last] = range.exec(words) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const from = parseDate(first);
  const to = parseDate(last);
  if (Temporal.PlainDate.compare(from, to) <= 0) return { kind: "range", from, to };
  throw new TimeframeError(
    "inverted_range",
    `The range ends on ${last}, before it begins on ${first}: write the earlier date first, as in "from:${last} to:${first}".`,
  );
}

function readSince(words: string): Timeframe | undefined {
  const [, last, from = ""] = since.exec(words) ?? [];
  if (last === undefined && date.test(from)) return { kind: "since", from: { date: parseDate(from) } };
  const day = findNameNumber(weekdayNames, from);
  return day === undefined ? undefined : { kind: "since", from: { weekday: day, beforeToday: last !== undefined } };
}

function readNames(words: string): Timeframe | undefined {
  const [, when, name = ""] = weekday.exec(words) ?? [];
  const day = findNameNumber(weekdayNames, name);
  if (day !== undefined) return { kind: "weekday", day, beforeToday: when === "last" };
  const [, monthName = "", year] = monthOfYear.exec(words) ?? [];
  const month = findNameNumber(monthNames, monthName);
  if (month === undefined) return undefined;
  return { kind: "month", month, ...(year !== undefined && { year: parseDate(`${year}-01-01`).year }) };
}

function refuse(input: string): never {
  throw new TimeframeError(
    "invalid_timeframe",
    `The timeframe ${quoted(input)} is not understood: use "today", "yesterday", "this week", "last week", "this month", "last month", "this year", "last 7 days", "last 24 hours", "March 2026", "Monday", "since Friday", a date such as "2026-11-20" or a range such as "from:2026-11-01 to:2026-11-20".`,
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
