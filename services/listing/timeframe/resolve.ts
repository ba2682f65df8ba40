import type { Temporal } from "temporal-polyfill";
import type { DateRange } from "./calendar.ts";
import { daysUntil, localDate, monthOf, weekOf } from "./calendar.ts";
import { quoted, TimeframeError } from "./error.ts";
import type { Timeframe } from "./grammar.ts";
import { parseTimeframe } from "./grammar.ts";
import { parseTimezone } from "./timezone.ts";

const fourDigitYear = /^\d{4}-/;

/** A half-open window of time: `postedAfter` belongs to it, `postedBefore` doesn't. */
export interface ResolvedTimeframe {
  /** The timeframe in its normal spelling, such as "last week" or "from:2026-11-01 to:2026-11-20". */
  label: string;
  /** The timeframe as it was given. */
  input: string;
  /** An IANA name. */
  tz: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
  postedAfter: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
  postedBefore: string;
}

/**
 * Turns a timeframe (see {@link parseTimeframe}) into a window of whole local days. A day begins with the first second
 * that carries its date in the timezone, so it may start at 01:00 and last 23 or 25 hours, and a day that a
 * timezone skipped gives an empty window.
 * @throws {TimeframeError} `invalid_timeframe`, `invalid_date`, `inverted_range` or `invalid_timezone`
 */
export function resolveTimeframe(
  input: string,
  options: { timezone: string; now: Date | Temporal.Instant },
): ResolvedTimeframe {
  const tz = parseTimezone(options.timezone);
  const timeframe = parseTimeframe(input);
  const { from, to } = datesOf(timeframe, localDate(options.now, tz));
  const postedAfter = startOfDay(from, tz);
  const postedBefore = startOfDay(to.add({ days: 1 }), tz);
  if (!fourDigitYear.test(postedAfter) || !fourDigitYear.test(postedBefore)) {
    throw new TimeframeError(
      "invalid_date",
      `The timeframe ${quoted(input)} is too far away: use days in the years 0001 to 9998, such as "2026-11-20".`,
    );
  }
  return { label: labelOf(timeframe), input, tz, postedAfter, postedBefore };
}

function datesOf(timeframe: Timeframe, today: Temporal.PlainDate): DateRange {
  switch (timeframe.kind) {
    case "today":
      return daysUntil(today, 1);
    case "yesterday":
      return daysUntil(today.subtract({ days: 1 }), 1);
    case "this week":
      return weekOf(today);
    case "last week":
      return weekOf(today, -1);
    case "this month":
      return monthOf(today);
    case "last month":
      return monthOf(today, -1);
    case "last days":
      return daysUntil(today, timeframe.days);
    case "range":
      return timeframe;
  }
}

function labelOf(timeframe: Timeframe): string {
  switch (timeframe.kind) {
    case "last days":
      return timeframe.days === 1 ? "last 1 day" : `last ${timeframe.days} days`;
    case "range":
      return timeframe.from.equals(timeframe.to)
        ? timeframe.from.toString()
        : `from:${timeframe.from} to:${timeframe.to}`;
    default:
      return timeframe.kind;
  }
}

function startOfDay(date: Temporal.PlainDate, timezone: string): string {
  // Temporal's start of day is the earliest instant of the date, also where midnight does not exist or comes twice.
  return date.toZonedDateTime(timezone).toInstant().toString({ smallestUnit: "second" });
}
