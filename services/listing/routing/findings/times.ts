import { Temporal } from "temporal-polyfill";
import type { DateRange } from "../../timeframe/calendar.ts";
import { daysUntil, monthOf, weekOf } from "../../timeframe/calendar.ts";
import { maxLastDays } from "../../timeframe/grammar.ts";
import { monthNames } from "../../timeframe/names.ts";
import type { Chart, Span } from "../text/chart.ts";
import { isWithin, leavesOf, partOf, partsOf } from "./spans.ts";

/** A time in a message, in the timeframe grammar. */
export interface Period {
  start: number;
  end: number;
  timeframe: string;
}

/** Reads what the meaning of a phrase, such as "ago 2 week", stands for. Undefined where it can't be. */
type Read = (span: Span, today: Temporal.PlainDate, argument: string, unit: string) => string | undefined;

const maxAgo = 36_600;

const dateReaders: Record<string, Read> = {
  ofWeekday: (span, today) => datesOf(span).map((date) => readDate(date, today))[0],
  yearMonthDay: (span) => formatDate(...leavesOf(span)),
  compact(span) {
    const [digits = ""] = leavesOf(span);
    return formatDate(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6));
  },
  numeric(span, _today, separator) {
    const [first = "", second = "", year] = leavesOf(span);
    const isMonthFirst = separator === "/" && Number(first) <= 12;
    return isMonthFirst ? formatDate(year, first, second) : formatDate(year, second, first);
  },
  monthDay(span, today) {
    const [month, day] = leavesOf(span);
    return latestDate(today, month, day);
  },
  dayMonth: (span, today) =>
    latestDate(
      today,
      partOf(span, "monthName"),
      partOf(span, "dayNumber") ?? partOf(span, "ordinal"),
      partOf(span, "fullYear"),
    ),
  dayOfMonth(span, today) {
    const day = Number(leavesOf(span)[0]);
    if (day < 1 || day > 31) return undefined;
    let month = today.toPlainYearMonth();
    while (month.daysInMonth < day || (month.equals(today.toPlainYearMonth()) && day > today.day))
      month = month.subtract({ months: 1 });
    return month.toPlainDate({ day }).toString();
  },
  ago: (span, today) => daysAgo(today, Number(partOf(span, "number"))),
  relative: (_span, today, days) => daysAgo(today, Number(days)),
  anniversary(span, today) {
    const unit = partOf(span, "unit") ?? "year";
    return today.subtract({ [`${unit}s`]: Number(partOf(span, "number") ?? 1) }).toString();
  },
  weekday(span, today, argument) {
    const days = (today.dayOfWeek - Number(leavesOf(span)[0]) + 7) % 7;
    return daysAgo(today, days === 0 && argument === "before" ? 7 : days);
  },
  holiday(span, today, yearsAgo) {
    const name = partOf(span, "holiday") ?? "";
    const year = partOf(span, "fullYear") ?? (yearsAgo === "" ? undefined : String(today.year - Number(yearsAgo)));
    const thisYear = holidayIn(today.year, name);
    if (year !== undefined) return holidayIn(Number(year), name).toString();
    const isPast = Temporal.PlainDate.compare(thisYear, today) <= 0;
    return (isPast ? thisYear : holidayIn(today.year - 1, name)).toString();
  },
};

function readDate(span: Span, today: Temporal.PlainDate): string | undefined {
  const [kind = "", argument = ""] = span.meaning.split(" ");
  return dateReaders[kind]?.(span, today, argument, "");
}

/** The dates within a phrase. */
const datesOf = (span: Span): Span[] =>
  span.parts.flatMap((part) => (part.category === "date" ? [part] : datesOf(part)));

const timeReaders: Record<string, Read> = {
  day(span, today) {
    const [date] = datesOf(span);
    const word = date && relativeWords[date.meaning];
    return word ?? (date && readDate(date, today));
  },
  range(span, today) {
    const [from, to] = datesOf(span).map((date) => readDate(date, today));
    return from === undefined || to === undefined ? undefined : `from:${from} to:${to}`;
  },
  dayRange(span, today) {
    const [month, year] = [partOf(span, "monthName"), partOf(span, "fullYear")];
    const [from, to] = partsOf(span, "dayNumber").map((day) => latestDate(today, month, day, year));
    return `from:${from} to:${to}`;
  },
  since(span, today) {
    const [date] = datesOf(span);
    return date === undefined || date.meaning === "relative 0" ? undefined : `since ${readDate(date, today)}`;
  },
  weekOf(span, today) {
    const date = datesOf(span).map((one) => readDate(one, today))[0] ?? "";
    return isDate(date) ? rangeText(weekOf(Temporal.PlainDate.from(date))) : date;
  },
  weekdayIn(span, today, weeksAgo) {
    const { from } = weekOf(today, -Number(partOf(span, "relativeWeek") ?? weeksAgo));
    return from.add({ days: Number(partOf(span, "weekday")) - 1 }).toString();
  },
  trailing: (span, today, unit) =>
    trailing(Number(partOf(span, "number")), partOf(span, "span") ?? partOf(span, "plural") ?? unit, today),
  ago: (span, today, argument, unit) =>
    ago(Number(argument === "" ? partOf(span, "number") : argument), unit === "" ? partOf(span, "unit") : unit, today),
  month(span, today, yearsAgo) {
    const [year] = partsOf(span, "fullYear");
    const month = Number(
      partOf(span, "monthName") ?? partOf(span, "longMonth") ?? partOf(span, "digits2") ?? partOf(span, "number"),
    );
    const chosen = year ?? (yearsAgo === "" ? latestYear(month, today) : today.year - Number(yearsAgo));
    if (month < 1 || month > 12) return formatDate(String(chosen), String(month), "01");
    return `${monthNames[month - 1]} ${chosen}`;
  },
  months(span, today) {
    const [first = 1, last = 1] = partsOf(span, "monthName").map(Number);
    const years = partsOf(span, "fullYear").map(Number);
    const lastYear = years.at(-1) ?? latestYear(last, today);
    const firstYear = years.length > 1 ? (years[0] ?? lastYear) : first > last ? lastYear - 1 : lastYear;
    return rangeText({ from: toMonth(firstYear, first).from, to: toMonth(lastYear, last).to });
  },
  year(span) {
    const year = Number(partOf(span, "fullYear"));
    return year >= firstYear ? yearText(year) : undefined;
  },
  quarter(span, today, quartersAgo) {
    const year = partOf(span, "fullYear");
    const current = Math.ceil(today.month / 3);
    const number = Number(partOf(span, "quarter") ?? current - Number(quartersAgo));
    const from = toMonth(Number(year ?? today.year), 1).from.add({ months: 3 * (number - 1) });
    const isFuture = year === undefined && number > current;
    const start = isFuture ? from.subtract({ years: 1 }) : from;
    return rangeText({ from: start, to: start.add({ months: 3 }).subtract({ days: 1 }) });
  },
  halfMonth(span, today, half) {
    const month = Number(partOf(span, "monthName"));
    const { from, to } = toMonth(Number(partOf(span, "fullYear") ?? latestYear(month, today)), month);
    return rangeText(half === "1" ? { from, to: from.with({ day: 15 }) } : { from: from.with({ day: 16 }), to });
  },
  weekend(_span, today, which) {
    const weekend = daysUntil(weekOf(today).to, 2);
    const hasBegun = Temporal.PlainDate.compare(weekend.from, today) <= 0;
    return rangeText(which === "this" || (hasBegun && which !== "last") ? weekend : daysUntil(weekOf(today, -1).to, 2));
  },
  weekNumber(span, today) {
    const week = Number(partOf(span, "monthOrDay") ?? partOf(span, "digits2"));
    if (week < 1 || week > 53) return undefined;
    // ISO 8601: the week with the year's 4 January is its first.
    const fourth = toMonth(Number(partOf(span, "fullYear") ?? today.year), 1).from.add({ days: 3 });
    return rangeText(weekOf(fourth, week - 1));
  },
};

/** "today" and "yesterday" stay words, because their date depends on the timezone. */
const relativeWords: Record<string, string> = { "relative 0": "today", "relative 1": "yesterday" };

/** The best known time in a text. Dates that don't exist and inverted ranges are returned as written; the resolver refuses them. */
export function findTime(chart: Chart, getToday: () => Temporal.PlainDate): Period | undefined {
  const times = chart.all("time");
  if (times.length === 0) return undefined;
  const others = [...times, ...chart.all("noTime")];
  const ranked = times
    .filter((time) => !others.some((other) => isWithin(time, other)) && !isHomonym(chart, time))
    .map((time) => ({ time, rank: rankOf(chart, time) }))
    .sort((one, other) => other.rank - one.rank || one.time.start - other.time.start || other.time.end - one.time.end);
  for (const { time } of ranked) {
    const [kind = "", argument = "", unit = ""] = time.meaning.split(" ");
    const read = timeReaders[kind];
    const timeframe = read === undefined ? time.meaning : read(time, getToday(), argument, unit);
    if (timeframe !== undefined) return { start: time.start, end: time.end, timeframe };
  }
  return undefined;
}

/** A month or day that stands alone: "what about May?". */
export function readBareTime(chart: Chart, today: Temporal.PlainDate): Period | undefined {
  const [span] = chart.all("bareTime");
  const read = span && (timeReaders[span.meaning] ?? dateReaders[span.meaning]);
  const timeframe = span && read?.(span, today, "", "");
  return span && timeframe !== undefined ? { start: span.start, end: span.end, timeframe } : undefined;
}

/** The word belongs to another language, as the words around it tell: "hier" is French or German. */
function isHomonym(chart: Chart, { start, end }: Span): boolean {
  return chart.all("homonym").some(({ meaning }) => meaning === chart.text.slice(start, end));
}

/** "of the day" and so on yield to "today", and that to a more exact time: "product of the day on 17 November". */
function rankOf(chart: Chart, time: Span): number {
  const { meaning, start, end } = time;
  if (chart.all("loosely").some((loose) => loose.start === start && loose.end === end)) return 0;
  const kind = meaning === "day" ? (datesOf(time)[0]?.meaning ?? "") : meaning;
  return ranks[kind] ?? (meaning === "day" ? 5 : 4);
}

const ranks: Record<string, number> = {
  "relative -1": 0,
  "relative 0": 1,
  "relative 1": 1,
  year: 2,
  "this year": 3,
  "last year": 3,
  since: 6,
  weekOf: 6,
  weekdayIn: 6,
  range: 7,
  dayRange: 7,
  ofWeekday: 8,
};

/** A range in the timeframe grammar. */
export function rangeText({ from, to }: DateRange): string {
  return `from:${from} to:${to}`;
}

/** Numbers below this one stand for a year only as a part of a date. */
const firstYear = 2000;
const yearText = (year: number): string => `from:${year}-01-01 to:${year}-12-31`;

const toMonth = (year: number, month: number): DateRange => monthOf(Temporal.PlainDate.from({ year, month, day: 1 }));

function formatDate(year = "", month = "", day = ""): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function isDate(text: string): boolean {
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function latestDate(today: Temporal.PlainDate, month = "", day = "", year?: string): string {
  const date = formatDate(year ?? String(today.year), month, day);
  return year === undefined && date > today.toString() ? formatDate(String(today.year - 1), month, day) : date;
}

const latestYear = (month: number, today: Temporal.PlainDate): number =>
  month > today.month ? today.year - 1 : today.year;

function daysAgo(today: Temporal.PlainDate, days: number): string | undefined {
  return days >= -1 && days <= maxAgo ? today.subtract({ days }).toString() : undefined;
}

const maxAgoUnits = 1_200;

function ago(count: number, unit: string | undefined, today: Temporal.PlainDate): string | undefined {
  if (!(count >= -1 && count <= maxAgoUnits)) return undefined;
  if (unit === "week") return count === 1 ? "last week" : rangeText(weekOf(today, -count));
  if (unit === "month") return count === 1 ? "last month" : rangeText(monthOf(today, -count));
  return yearText(today.year - count);
}

function trailing(count: number, unit: string | undefined, today: Temporal.PlainDate): string | undefined {
  if (!(count >= 0)) return undefined;
  if (unit === "hour") return count <= 24 ? "today" : `last ${Math.ceil(count / 24)} days`;
  if (unit === "day") return `last ${count} days`;
  if (unit === "week") return `last ${count * 7} days`;
  const months = unit === "year" ? count * 12 : count;
  if (months > maxAgoUnits) return undefined;
  const from = today.subtract({ months }).add({ days: 1 });
  const days = from.until(today).days + 1;
  return days <= maxLastDays ? `last ${days} days` : rangeText({ from, to: today });
}

/** Thanksgiving is the fourth Thursday of November. */
const afterThanksgiving: Record<string, number> = { thanksgiving: 0, "black friday": 1, "cyber monday": 4 };

function holidayIn(year: number, name: string): Temporal.PlainDate {
  const days = afterThanksgiving[name];
  if (days === undefined) return Temporal.PlainDate.from(`${year}-${name}`);
  const first = Temporal.PlainDate.from({ year, month: 11, day: 1 });
  return first.add({ days: ((4 - first.dayOfWeek + 7) % 7) + 21 + days });
}
