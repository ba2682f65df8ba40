import { Temporal } from "temporal-polyfill";
import type { CalendarUnit, DateRange } from "../../timeframe/calendar.ts";
import {
  addUnits,
  findLatestWeekday,
  formatRange,
  getDaysUntil,
  getPeriod,
  includesRange,
  isPeriod,
} from "../../timeframe/calendar.ts";
import { maxLastDays } from "../../timeframe/grammar.ts";
import { findDays } from "../../timeframe/resolve.ts";
import type { Chart, Place, Span } from "../text/chart.ts";
import { getKind, getRank } from "./ranks.ts";
import { shiftDays, toShift } from "./shift.ts";
import { findSpans, findValue, findValues, isWithin, listValues } from "./spans.ts";

/** A time in a message, in the timeframe grammar. */
export interface Period extends Place {
  timeframe: string;
  /** The reader's argument: "weekday", "on dmy". */
  kind: string;
}

/**
 * Reads a phrase for a date or time. Its meaning starts with the reader's name: "ago 2 week". Undefined if it isn't a time. Nonexistent
 * dates and inverted ranges are returned as written, and {@link asWritten} stands for a time without a window. The resolver refuses these,
 * so that they are never replaced by another time.
 */
type Read = (span: Span, today: Temporal.PlainDate, argument: string, further: string) => string | undefined;

const asWritten = "";

const maxAgoDays = 36_600;
/** Number of units in "the last few weeks". */
const few = 3;

const readers: Record<string, Read> = {
  on: readFields,
  inner: (span, today) => readDates(span, today)[0],
  day: (span, today) => relativeDays[findDates(span)[0]?.meaning ?? ""] ?? readDates(span, today)[0],
  weekday: (span, today, argument) =>
    findLatestWeekday(today, Number(listValues(span).at(-1)), argument !== "")
      .subtract({ weeks: Number(findValue(span, "number") ?? (Number(argument) || 1)) - 1 })
      .toString(),
  sameDay(span, today) {
    const unit = (findValue(span, "unit") ?? "year") as CalendarUnit;
    return addUnits(today, unit, -Number(findValue(span, "number") ?? 1)).toString();
  },
  ago(span, today, written, named) {
    const count = Number(written || (findValue(span, "number") ?? 1));
    const unit = (named || findValue(span, "unit") || "day") as CalendarUnit;
    const days = count * (unit === "day" ? 1 : unit === "week" ? 7 : unit === "year" ? 365 : 30);
    if (!(count >= -1 && days <= maxAgoDays)) return undefined;
    if (count === 1 && (unit === "week" || unit === "month")) return `last ${unit}`;
    return formatRange(getPeriod(unit, today, -count));
  },
  range(span, today) {
    const [first, last] = findDates(span);
    const from = first && read(first, today);
    const to = last && read(last, today);
    if (from === undefined || to === undefined) return undefined;
    const end = endAfter(from, last, today) ?? to;
    // "Monday to Friday" on a Wednesday ends with last Friday.
    if (first?.meaning.startsWith("ago") && isDate(end) && from > end) return `from:${end} to:${from}`;
    const isWeekBefore = first?.meaning === "weekday" && isDate(end) && from > end;
    return `from:${isWeekBefore ? Temporal.PlainDate.from(from).subtract({ days: 7 }) : from} to:${end}`;
  },
  since(span, today, after) {
    const inner = findUnit(span);
    const timeframe = inner && read(inner, today);
    if (timeframe === undefined) return undefined;
    const days = findDays(timeframe, today);
    return `since ${days === undefined ? timeframe : after ? days.to.add({ days: 1 }) : days.from}`;
  },
  part(span, today) {
    const [part, outer] = ["part", "outer"].map((wanted) => span.parts.find(({ category }) => category === wanted));
    const days = findDays((outer && read(outer, today)) ?? "", today);
    return part && days && formatRange(partOfDays(days, part));
  },
  /** Two adjacent times: the days of both, or the narrower one if the other only gives its context. */
  both(span, today) {
    const [first, second] = span.parts.filter(isTime);
    const days = (time: Span | undefined, on: Temporal.PlainDate) => findDays((time && read(time, on)) ?? "", on);
    const other = days(second, today);
    const before = days(first, today);
    // "October and November 2025", but not "yesterday and on Monday"
    const isRelative = first && /^(?:ago|last|this) /.test(getKind(first));
    const isAfter = !isRelative && before && other && Temporal.PlainDate.compare(before.from, other.to) > 0;
    const one = isAfter ? days(first, other.to) : before;
    if (one === undefined || other === undefined) return asWritten;
    if (!span.parts.some(isJoint))
      return includesRange(one, other) ? formatRange(other) : includesRange(other, one) ? formatRange(one) : asWritten;
    const [from, , , to] = [one.from, other.from, one.to, other.to].sort(Temporal.PlainDate.compare);
    return from && to && formatRange({ from, to });
  },
  /** For example "Not this week, the week before". */
  shifted(span, today) {
    const [refused] = findSpans(span, "time");
    const [shift] = findSpans(span, "shift");
    const days = findDays((refused && read(refused, today)) ?? "", today);
    return days && shift && formatRange(shiftDays(days, toShift(shift), today));
  },
  none: () => asWritten,
  until(span, today) {
    const inner = findUnit(span);
    return inner && read(inner, today);
  },
  decade(span) {
    const year = Number(listValues(span)[0]);
    return `from:${year}-01-01 to:${year % 10 === 0 ? year + 9 : year}-12-31`;
  },
  weekOf(span, today) {
    const [date = ""] = readDates(span, today);
    return isDate(date) ? formatRange(getPeriod("week", Temporal.PlainDate.from(date))) : date;
  },
  /** Each weekday is the latest one up to the next in the list: "Friday and Monday" covers four days. */
  weekdays(span, today) {
    const numbers = findValues(span, "weekday").map(Number).reverse();
    const days: Temporal.PlainDate[] = [];
    for (const number of numbers) days.unshift(findLatestWeekday(days[0] ?? today, number, false));
    const [from, to] = [days[0], days.at(-1)];
    return from && to && formatRange({ from, to });
  },
  weekdayIn(span, today, weeksAgo) {
    const { from } = getPeriod("week", today, -Number(findValue(span, "relativeWeek") ?? weeksAgo));
    const days = findValues(span, "weekday").map(Number);
    return formatRange({
      from: from.add({ days: Math.min(...days) - 1 }),
      to: from.add({ days: Math.max(...days) - 1 }),
    });
  },
  weekend(span, today, which) {
    const count = Number(findValue(span, "number") ?? 1);
    const ago = which === "2" ? Math.max(count, 2) : which === "this" || (which === "" && today.dayOfWeek >= 6) ? 0 : 1;
    return formatRange(getDaysUntil(getPeriod("week", today, -ago).to, which === "last" ? 7 * count - 5 : 2));
  },
  trailing(span, today, named) {
    const count = Number(findValue(span, "number") ?? few);
    const unit = (findValue(span, "span") ?? findValue(span, "plural") ?? named) as CalendarUnit | "hour" | "minute";
    if (!(count >= 0 && count <= maxAgoDays)) return undefined;
    // "За 2024 год" is a year, not a number of years.
    if (unit === "year" && count >= firstYear)
      return formatRange(getPeriod("year", new Temporal.PlainDate(count, 1, 1)));
    // "The last 48 hours" means two days.
    if (unit === "hour") return count < 48 || count % 24 > 0 ? `last ${count} hours` : `last ${count / 24} days`;
    if (unit === "day" || unit === "minute") return `last ${count} ${unit}s`;
    const from = addUnits(today, unit, -count).add({ days: 1 });
    const days = from.until(today).days + 1;
    return days <= maxLastDays || unit === "week" ? `last ${days} days` : formatRange({ from, to: today });
  },
};

/** A part of a period: the first week, the last three days, the second Monday, the end of a month and so on. */
function partOfDays({ from, to }: DateRange, part: Span): DateRange {
  const [kind = "", given] = part.meaning.split(" ");
  const nth = Number(given ?? findValue(part, "nth") ?? findValue(part, "third"));
  if (kind === "weekday") {
    const weekday = Number(findValue(part, "weekday"));
    const first = findLatestWeekday(nth > 0 ? from.add({ days: 6 }) : to.add({ days: 7 }), weekday, false);
    return getDaysUntil(first.add({ weeks: nth > 0 ? nth - 1 : nth }), 1);
  }
  if (kind.startsWith("1/")) {
    const [unit, count] = isPeriod("year", { from, to })
      ? (["month", 12] as const)
      : (["day", from.until(to).days + 1] as const);
    const at = (share: number) => addUnits(from, unit, Math.floor((count * share) / Number(kind.slice(2))));
    return { from: at(nth - 1), to: at(nth).subtract({ days: 1 }) };
  }
  const unit = (kind || findValue(part, "span")) as CalendarUnit;
  const count = Number(findValue(part, "number") ?? 1);
  const start = nth > 0 ? addUnits(from, unit, count * (nth - 1)) : addUnits(to.add({ days: 1 }), unit, count * nth);
  return { from: start, to: addUnits(start, unit, count).subtract({ days: 1 }) };
}

/** "today" and "yesterday" stay words, because their date depends on the timezone. */
const relativeDays: Record<string, string> = { "ago 0": "today", "ago 1": "yesterday" };

function read(span: Span, today: Temporal.PlainDate): string | undefined {
  const [kind = "", argument = "", further = ""] = span.meaning.split(" ");
  const reader = readers[kind];
  return reader === undefined ? span.meaning : reader(span, today, argument, further);
}

const findDates = (span: Span): Span[] => findSpans(span, "date");

/** The day or period within a phrase. */
const findUnit = ({ parts }: Span): Span | undefined =>
  parts
    .flatMap((part) => [part, ...part.parts])
    .find(({ category }) => /^(?:date|outer|wholeWeek|startingPoint)$/.test(category));

const isTime = ({ category }: Span): boolean => category === "time" || category === "outer";

const isJoint = ({ category }: Span): boolean => category === "joining";

const readDates = (span: Span, today: Temporal.PlainDate): (string | undefined)[] =>
  findDates(span).map((date) => read(date, today));

/** The end of a range takes a missing month and year from the start, if the result lies after the start. */
function endAfter(from: string, end: Span | undefined, today: Temporal.PlainDate): string | undefined {
  if (!end?.meaning.startsWith("on ") || !isDate(from)) return undefined;
  const unit = end.meaning === "on d" ? "month" : "year";
  const to = read(end, getPeriod(unit, Temporal.PlainDate.from(from)).to);
  return to !== undefined && to >= from ? to : read(end, today);
}

/** Year, month, day, quarter, week number, and the weekday that starts at the day. */
type Fields = Partial<Record<"y" | "m" | "d" | "q" | "w" | "n", number>>;

/**
 * Reads a date whose fields are in the order of the letters, such as "dmy". The last field may be missing. A repeated letter forms a range.
 * Without a year it is the latest such date that has begun.
 *
 * @param given values that precede those of the phrase
 */
function readFields(span: Span, today: Temporal.PlainDate, order: string, given: string): string | undefined {
  const [first, last]: [Fields, Fields] = [{}, {}];
  const values = [given, ...listValues(span)];
  // Eight digits that aren't a date are another kind of number.
  const isOther = (value: string) =>
    value.length === 8 && (Number(value.slice(0, 4)) < firstYear || !isDate(splitValue(value).join("-")));
  if (values.some(isOther)) return undefined;
  const fields = values.flatMap(splitValue);
  // "The 3rd, 5th and 7th of October"
  if (order.includes("dd")) fields.splice(order.indexOf("dd") + 1, findValues(span, "monthOrDay").length - 2);
  for (const [index, value] of fields.entries()) {
    const letter = order.charAt(index) as keyof Fields;
    const number = letter === "y" ? toYear(value, today) : Number(value);
    first[letter] ??= number;
    last[letter] = number;
  }
  // "25/12/2026" has the day before the month.
  if (order.startsWith("md") && (last.m ?? 0) > 12)
    [last.m, last.d, first.m, first.d] = [last.d, last.m, last.d, last.m];
  const isOfMonth = last.m === undefined && last.d !== undefined;
  const [unit, own] = isOfMonth ? (["month", "d"] as const) : (["year", "m"] as const);
  const isTwice = order.lastIndexOf("y") !== order.indexOf("y");
  /**
   * The dates in the month or year of the given day. The first date is in the previous one if its number is larger: "November to February".
   */
  const build = (day: Temporal.PlainDate): [from: string, to: string] | undefined => {
    const before = (first[own] ?? 0) > (last[own] ?? 0) && !isTwice ? addUnits(day, unit, -1) : day;
    const month = (on: Temporal.PlainDate) => isOfMonth && { m: on.month };
    const from = toDays({ ...first, ...month(before) }, isTwice ? (first.y ?? day.year) : before.year)?.[0];
    const to = toDays({ ...last, ...month(day) }, day.year)?.[1];
    return from === undefined || to === undefined ? undefined : [from, to];
  };
  const isReal = (days: [string, string] | undefined): boolean => days?.every(isDate) === true;
  const start = last.y === undefined ? today : new Temporal.PlainDate(last.y, 1, 1);
  let days = build(start);
  // 29 February may be a day four or eight years ago.
  for (let steps = 1; last.y === undefined && days !== undefined && steps < 9; steps++) {
    if (isReal(days) && days[0] <= today.toString()) break;
    days = build(addUnits(today, unit, -steps));
  }
  // A day that exists in no year, such as 31 November, is refused as a day of this year.
  const [from, to] = (last.y !== undefined || isReal(days) ? days : build(today)) ?? [];
  if (from === undefined || to === undefined) return undefined;
  if (!isDate(from) || !isDate(to)) return from === to ? from : `from:${from} to:${to}`;
  return formatRange({ from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) });
}

/** One digit is a number of years ago. Two digits are a year such as "March '26". */
const toYear = (value: string, today: Temporal.PlainDate): number =>
  value.length === 1 ? today.year - Number(value) : Number(value) + (value.length === 2 ? 2000 : 0);

/** Splits "11-22-4" into month, day and weekday, and "20261120" into a date. */
const splitValue = (value: string): string[] =>
  value.length === 8 ? [value.slice(0, 4), value.slice(4, 6), value.slice(6)] : value === "" ? [] : value.split("-");

/** Smaller numbers are years only as a part of a date. */
const firstYear = 2000;
const maxWeek = 53;

/** The first and last day. For a nonexistent date, the date as written. */
function toDays({ m, d, q, w, n }: Fields, year: number): [from: string, to: string] | undefined {
  if (w !== undefined) {
    // ISO 8601: the first week contains 4 January.
    const { from, to } = getPeriod("week", new Temporal.PlainDate(year, 1, 4), w - 1);
    return w >= 1 && w <= maxWeek ? [from.toString(), to.toString()] : undefined;
  }
  const unit = d ? "day" : q ? "quarter" : m === undefined ? "year" : "month";
  const start = formatDate(year, q ? 3 * q - 2 : (m ?? 1), d || 1);
  if (!isDate(start)) return [start, start];
  if (unit === "year" && year < firstYear) return undefined;
  const { from, to } = getPeriod(unit, Temporal.PlainDate.from(start));
  const day = n ? findLatestWeekday(from.add({ days: 6 }), n, false) : from;
  return [day.toString(), n ? day.toString() : to.toString()];
}

function formatDate(year: number, month: number, day: number): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
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

/** The best match for a time in a text. */
export function findTime(chart: Chart, getToday: () => Temporal.PlainDate): Period | undefined {
  const isLoose = (time: Span): boolean => getRank(chart, time) === 0;
  const isTwo = (time: Span): boolean => {
    const parts = time.parts.filter(isTime);
    return (
      !parts.some((part) => isLoose(part) || part.meaning === "since") &&
      (time.parts.some(isJoint) || !parts.every(({ meaning }) => meaning === "day"))
    );
  };
  const times = chart.all("time").filter((time) => time.meaning !== "both" || isTwo(time));
  if (times.length === 0) return undefined;
  const others = [...times, ...chart.all("noTime")];
  const ranked = times
    .filter((time) => !others.some((other) => isWithin(time, other)) && !isHomonym(chart, time))
    .map((time) => ({ time, rank: getRank(chart, time) }))
    .sort((one, other) => other.rank - one.rank || one.time.start - other.time.start || other.time.end - one.time.end);
  for (const { time } of ranked) {
    const period = toPeriod(chart, time, getToday());
    if (period !== undefined) return period;
  }
  return undefined;
}

/** Separate times in a text. */
export function findTimes(chart: Chart, today: Temporal.PlainDate): Period[] {
  const isEither = ({ start, end }: Span): boolean => chart.endAt("eitherOf", start) === end;
  const isJoined = (span: Span): boolean =>
    span.meaning === "both" ||
    span.meaning === "on yy" ||
    span.parts.some((part) => part.category === "to" && isEither(part)) ||
    span.meaning === "weekdays" ||
    // A list such as "Monday, Tuesday". It has the same form as "Monday, the 16th".
    (getKind(span) === "inner" && findSpans(span, "weekday").length > 1);
  const spans = [...chart.all("time"), ...chart.all("outer")]
    .filter((span) => !isJoined(span) && !isHomonym(chart, span))
    // "Monday and Friday of last week", but not "Monday to Friday of last week".
    .flatMap((span) => (findSpans(span, "joining").every(isEither) ? splitWeekdays(span) : [span]))
    .sort((one, other) => one.start - other.start || other.end - one.end);
  const apart: Period[] = [];
  for (const span of spans) {
    if (span.start < (apart.at(-1)?.end ?? 0)) continue;
    const period = toPeriod(chart, span, today);
    if (period !== undefined && !apart.some((other) => other.timeframe === period.timeframe)) apart.push(period);
  }
  return apart;
}

/** The weekdays of a list, each in the named week. */
function splitWeekdays(span: Span): Span[] {
  const days = span.meaning.startsWith("weekdayIn") ? findSpans(span, "weekday") : [];
  if (days.length < 2) return [span];
  const week = span.parts.filter(({ category }) => category === "relativeWeek");
  return days.map((day, at) => ({
    ...span,
    start: at === 0 ? span.start : day.start,
    end: at === days.length - 1 ? span.end : day.end,
    parts: [day, ...week],
  }));
}

/** A lone month or day: "what about May?". */
export function readBareTime(chart: Chart, today: Temporal.PlainDate): Period | undefined {
  const [span] = chart.all("bareTime");
  return span && toPeriod(chart, span, today);
}

function toPeriod({ text }: Chart, span: Span, today: Temporal.PlainDate): Period | undefined {
  const { start, end } = span;
  const timeframe = read(span, today);
  return timeframe === undefined
    ? undefined
    : { start, end, timeframe: timeframe || text.slice(start, end), kind: getKind(span) };
}

/** Whether the surrounding words show that a word belongs to another language: "hier" is French or German. */
export function isHomonym(chart: Chart, { start, end }: Span): boolean {
  const written = ` ${chart.text.slice(start, end)}`;
  return chart.all("homonym").some(({ meaning }) => written.endsWith(` ${meaning}`));
}
