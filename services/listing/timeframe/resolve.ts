import { Temporal } from "temporal-polyfill";
import type { DateRange } from "./calendar.ts";
import { findLatestWeekday, getDaysUntil, getPeriod, toLocalDate } from "./calendar.ts";
import { quoted, TimeframeError } from "./error.ts";
import type { Timeframe } from "./grammar.ts";
import { parseTimeframe } from "./grammar.ts";
import { monthNames } from "./names.ts";
import { parseTimezone } from "./timezone.ts";

const fourDigitYear = /^\d{4}-/;
/** The last year that is whole in every timezone. */
const lastYear = 9998;

/** A half-open time window: it includes `postedAfter`, but not `postedBefore`. */
export interface ResolvedTimeframe {
  /** The normalised timeframe, such as "last week", "March 2026" or "from:2026-11-01 to:2026-11-20". */
  label: string;
  /** The original timeframe. */
  input: string;
  /** An IANA name. */
  tz: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
  postedAfter: string;
  /** UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
  postedBefore: string;
}

/**
 * Resolves a timeframe (see {@link parseTimeframe}) to a window of whole local days, or of hours or minutes up to now. A day starts with the first
 * second of its date in the timezone, so it may start at 01:00 and last 23 or 25 hours. A day that a timezone skipped gives an empty
 * window.
 *
 * @throws {TimeframeError} `invalid_timeframe`, `invalid_date`, `inverted_range` or `invalid_timezone`
 */
export function resolveTimeframe(
  input: string,
  options: { timezone: string; now: Date | Temporal.Instant },
): ResolvedTimeframe {
  const tz = parseTimezone(options.timezone);
  const timeframe = parseTimeframe(input);
  const dates = toDates(timeframe, toLocalDate(options.now, tz));
  const { from, to } = dates;
  const minutes = timeframe.kind === "last" ? timeframe.count * (rollingMinutes[timeframe.unit] ?? 0) : 0;
  const [postedAfter, postedBefore] =
    minutes > 0
      ? getLastMinutes(minutes, options.now)
      : [toStartOfDay(from, tz), toStartOfDay(to.add({ days: 1 }), tz)];
  if (!fourDigitYear.test(postedAfter) || !fourDigitYear.test(postedBefore) || to.year > lastYear) {
    throw new TimeframeError(
      "invalid_date",
      `The timeframe ${quoted(input)} is too far away: use days in the years 0001 to 9998, such as "2026-11-20".`,
    );
  }
  return { label: toLabel(timeframe, dates), input, tz, postedAfter, postedBefore };
}

/** The days of a timeframe, or undefined if it is refused. */
export function findDays(input: string, today: Temporal.PlainDate): DateRange | undefined {
  try {
    return toDates(parseTimeframe(input), today);
  } catch (error) {
    if (error instanceof TimeframeError) return undefined;
    throw error;
  }
}

function toDates(timeframe: Timeframe, today: Temporal.PlainDate): DateRange {
  switch (timeframe.kind) {
    case "today":
      return getDaysUntil(today, 1);
    case "yesterday":
      return getDaysUntil(today.subtract({ days: 1 }), 1);
    case "calendar":
      return getPeriod(timeframe.unit, today, timeframe.which === "last" ? -1 : 0);
    case "last": {
      const { count, unit } = timeframe;
      const rolling = Math.floor((count * (rollingMinutes[unit] ?? 0)) / minutesPerDay) + 1;
      return getDaysUntil(today, { minute: rolling, hour: rolling, day: count, week: count * 7 }[unit]);
    }
    case "month": {
      const year = timeframe.year ?? (timeframe.month > today.month ? today.year - 1 : today.year);
      return getPeriod("month", new Temporal.PlainDate(year, timeframe.month, 1));
    }
    case "weekday":
      return getDaysUntil(findLatestWeekday(today, timeframe.day, timeframe.beforeToday), 1);
    case "since":
      return findSinceDay(timeframe.from, today);
    case "range":
      return timeframe;
  }
}

function findSinceDay(from: (Timeframe & { kind: "since" })["from"], today: Temporal.PlainDate): DateRange {
  const first = "date" in from ? from.date : findLatestWeekday(today, from.weekday, from.beforeToday);
  if (Temporal.PlainDate.compare(first, today) <= 0) return { from: first, to: today };
  throw new TimeframeError(
    "inverted_range",
    `The range begins on ${first}, after today, ${today}: name a day in the past, as in "since ${today.subtract({ days: 7 })}".`,
  );
}

/** The normalised timeframe. Relative days become dates. */
function toLabel(timeframe: Timeframe, { from, to }: DateRange): string {
  switch (timeframe.kind) {
    case "calendar":
      return `${timeframe.which} ${timeframe.unit}`;
    case "last":
      return `last ${timeframe.count} ${timeframe.unit}${timeframe.count === 1 ? "" : "s"}`;
    case "month":
      return `${monthNames[from.month - 1]} ${String(from.year).padStart(4, "0")}`;
    case "since":
      return `since ${from}`;
    case "weekday":
      return from.toString();
    case "range":
      return from.equals(to) ? from.toString() : `from:${from} to:${to}`;
    default:
      return timeframe.kind;
  }
}

const minutesPerDay = 1_440;
/** Units that don't cover whole days. */
const rollingMinutes: Partial<Record<string, number>> = { minute: 1, hour: 60 };

/** The last minutes. They end on a full minute, so that requests in the same minute share a window and its cached answer. */
function getLastMinutes(count: number, now: Date | Temporal.Instant): [postedAfter: string, postedBefore: string] {
  const instant = now instanceof Date ? Temporal.Instant.fromEpochMilliseconds(now.getTime()) : now;
  const end = instant.round({ smallestUnit: "minute", roundingMode: "ceil" });
  return [formatInstant(end.subtract({ minutes: count })), formatInstant(end)];
}

const formatInstant = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: "second" });

function toStartOfDay(date: Temporal.PlainDate, timezone: string): string {
  // Temporal's start of day is the earliest instant of the date, even if midnight doesn't exist or occurs twice.
  return formatInstant(date.toZonedDateTime(timezone).toInstant());
}
