import { Temporal } from "temporal-polyfill";
import { monthNames } from "./names.ts";

/** A range of days, including both ends. */
export interface DateRange {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

export type CalendarUnit = "day" | "week" | "month" | "quarter" | "year";

export function toLocalDate(now: Date | Temporal.Instant, timezone: string): Temporal.PlainDate {
  const instant = now instanceof Date ? Temporal.Instant.fromEpochMilliseconds(now.getTime()) : now;
  return instant.toZonedDateTimeISO(timezone).toPlainDate();
}

const firstDays: Record<CalendarUnit, (day: Temporal.PlainDate) => Temporal.PlainDate> = {
  day: (day) => day,
  week: (day) => day.subtract({ days: day.dayOfWeek - 1 }),
  month: (day) => day.with({ day: 1 }),
  quarter: (day) => day.with({ day: 1 }).subtract({ months: (day.month - 1) % 3 }),
  year: (day) => day.with({ month: 1, day: 1 }),
};

/** The day, Monday-to-Sunday week, month, quarter or year of `day`, moved by `steps`. */
export function getPeriod(unit: CalendarUnit, day: Temporal.PlainDate, steps = 0): DateRange {
  const from = addUnits(firstDays[unit](day), unit, steps);
  return { from, to: addUnits(from, unit, 1).subtract({ days: 1 }) };
}

export function addUnits(day: Temporal.PlainDate, unit: CalendarUnit, count: number): Temporal.PlainDate {
  return unit === "quarter" ? day.add({ months: 3 * count }) : day.add({ [`${unit}s`]: count });
}

export function getDaysUntil(day: Temporal.PlainDate, count: number): DateRange {
  return { from: day.subtract({ days: count - 1 }), to: day };
}

/** The latest day up to `day` with the given number in the week (1 is Monday). With `before`, `day` itself doesn't count. */
export function findLatestWeekday(day: Temporal.PlainDate, dayOfWeek: number, before: boolean): Temporal.PlainDate {
  const days = (day.dayOfWeek - dayOfWeek + 7) % 7;
  return day.subtract({ days: days === 0 && before ? 7 : days });
}

/** Whether a range is one whole day, week, month, quarter or year. */
export function isPeriod(unit: CalendarUnit, { from, to }: DateRange): boolean {
  const period = getPeriod(unit, from);
  return period.from.equals(from) && period.to.equals(to);
}

/** Whether the days of `inner` are all days of `outer`. */
export const includesRange = (outer: DateRange, inner: DateRange): boolean =>
  Temporal.PlainDate.compare(outer.from, inner.from) <= 0 && Temporal.PlainDate.compare(outer.to, inner.to) >= 0;

/** A range in the timeframe grammar: "2026-11-20", "November 2026", "from:2026-11-01 to:2026-11-20". */
export function formatRange({ from, to }: DateRange): string {
  if (from.equals(to)) return from.toString();
  return isPeriod("month", { from, to }) ? `${monthNames[from.month - 1]} ${from.year}` : `from:${from} to:${to}`;
}
