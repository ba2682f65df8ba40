import type { TimeframeWindow } from "@agent-backends/contract";
import { Temporal } from "temporal-polyfill";
import { monthNames, weekdayNames } from "../timeframe/names.ts";
import { displayTimezone } from "../timeframe/timezone.ts";

const relative = /^(?:today|yesterday|(?:this|last) (?:week|month|year)|last \d+ \S+)$/;

/**
 * Describes a window, such as "yesterday, Thursday 19 November 2026 (America/Los_Angeles)" or "last week, 9 to 15 November 2026
 * (Europe/Berlin)": the requested phrase, if there is one, then the days in the window's timezone.
 */
export function describeWindow({ label, tz, postedAfter, postedBefore }: TimeframeWindow): string {
  const start = Temporal.Instant.from(postedAfter).toZonedDateTimeISO(tz);
  const from = start.toPlainDate();
  const isEmpty = postedAfter === postedBefore;
  if (isEmpty) return `${label}, a day that the calendar of ${displayTimezone(tz)} skipped`;
  const end = Temporal.Instant.from(postedBefore).toZonedDateTimeISO(tz);
  if (label.endsWith("hours") || label.endsWith("hour"))
    return `the ${label}, ${formatFullDate(from)} ${clock(start)} to ${formatFullDate(end.toPlainDate())} ${clock(end)} (${displayTimezone(tz)})`;
  const to = end.subtract({ seconds: 1 }).toPlainDate();
  const phrase = relative.test(label) ? `${label.startsWith("last ") && /\d/.test(label) ? "the " : ""}${label}, ` : "";
  return `${phrase}${formatDays(from, to)} (${displayTimezone(tz)})`;
}

const clock = (time: Temporal.ZonedDateTime): string => time.toPlainTime().toString({ smallestUnit: "minute" });

function formatDays(from: Temporal.PlainDate, to: Temporal.PlainDate): string {
  if (from.equals(to)) return `${weekdayNames[from.dayOfWeek - 1]} ${formatFullDate(from)}`;
  if (from.year !== to.year) return `${formatFullDate(from)} to ${formatFullDate(to)}`;
  if (from.month !== to.month) return `${from.day} ${monthNames[from.month - 1]} to ${formatFullDate(to)}`;
  const isWholeMonth = from.day === 1 && to.day === to.daysInMonth;
  return isWholeMonth ? `${monthNames[to.month - 1]} ${to.year}` : `${from.day} to ${formatFullDate(to)}`;
}

function formatFullDate(date: Temporal.PlainDate): string {
  return `${date.day} ${monthNames[date.month - 1]} ${date.year}`;
}
