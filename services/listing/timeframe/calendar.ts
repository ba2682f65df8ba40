import { Temporal } from "temporal-polyfill";

/** Both days are included. */
export interface DateRange {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/** The date that a calendar on the wall in `timezone` shows at `now`. */
export function localDate(now: Date | Temporal.Instant, timezone: string): Temporal.PlainDate {
  const instant = now instanceof Date ? Temporal.Instant.fromEpochMilliseconds(now.getTime()) : now;
  return instant.toZonedDateTimeISO(timezone).toPlainDate();
}

/** The Monday-to-Sunday week of `day`, moved by `weeks`. */
export function weekOf(day: Temporal.PlainDate, weeks = 0): DateRange {
  const from = day.subtract({ days: day.dayOfWeek - 1 }).add({ weeks });
  return { from, to: from.add({ days: 6 }) };
}

/** The calendar month of `day`, moved by `months`. */
export function monthOf(day: Temporal.PlainDate, months = 0): DateRange {
  const from = day.with({ day: 1 }).add({ months });
  return { from, to: from.add({ months: 1 }).subtract({ days: 1 }) };
}

/** The `count` days that end with `day`. */
export function daysUntil(day: Temporal.PlainDate, count: number): DateRange {
  return { from: day.subtract({ days: count - 1 }), to: day };
}
