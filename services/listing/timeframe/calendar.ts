import { Temporal } from "temporal-polyfill";

/** Both days are included. */
export interface DateRange {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/** The local date in `timezone` at `now`. */
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

/** The calendar year of `day`, moved by `years`. */
export function yearOf(day: Temporal.PlainDate, years = 0): DateRange {
  const from = day.with({ month: 1, day: 1 }).add({ years });
  return { from, to: from.add({ years: 1 }).subtract({ days: 1 }) };
}

/** The latest day up to `day` that has a number in the week (1 is Monday); with `before`, `day` itself does not count. */
export function latestWeekday(day: Temporal.PlainDate, dayOfWeek: number, before: boolean): Temporal.PlainDate {
  const days = (day.dayOfWeek - dayOfWeek + 7) % 7;
  return day.subtract({ days: days === 0 && before ? 7 : days });
}
