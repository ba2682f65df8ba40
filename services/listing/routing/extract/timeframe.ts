import { Temporal } from "temporal-polyfill";
import { weekOf } from "../../timeframe/calendar.ts";
import { monthNumbers, wordPatterns } from "../languages/index.ts";
import { pattern } from "../text/pattern.ts";
import { alternatives, mayName, splitWords } from "./calendar-names.ts";
import type { Day } from "./days.ts";
import { findDays } from "./days.ts";
import type { Period } from "./periods.ts";
import { findPeriod, rangeText } from "./periods.ts";

const connector = pattern(
  `^(?:'s)? ?(?:to:|bis:|,|-|\\.\\.+|~|${wordPatterns.until}) ?(?:the |el |le |il |den |de )?$`,
);
const since = pattern(`(?:^|[^\\p{L}])(?:${wordPatterns.since})(?: the| last| el| le| il| a| de)? $`);
/** "from" is the start of a range as well, so that it needs "on" or "till now" behind the day. */
const from = /(?:starting|from|as of)(?: the| last)? $/;
const sinceAfter = pattern(`^ ?(?:${wordPatterns.sinceAfter})`);
const weekContaining = /\bweek (?:of|from|starting|beginning|containing)(?: the)? $/;
const withinWeek = /^(?:'s)?[ ,]*(?:of|in|on|de|da|di|du|del|van|der|w|z|в|на|की|के|का|の|的)?(?: la| el| le| the)? ?$/;
const ofTheDay = pattern(`^(?:${wordPatterns.ofTheDay})$`);
const months = alternatives(monthNumbers);
const shortRange = pattern(
  `(?<![\\d-])(\\d{1,2})(?:st|nd|rd|th|er|e|o|º|\\.)? ?(?:-|to|until|through|and|bis|y|und|et|e|i|en|al?|au|do|tot|t/m|по|и) ?(?:the |el |den |le |il |de )?(\\d{1,2})(?:st|nd|rd|th|\\.)? ?(?:of |de |di )?(${months})(?![\\p{L}\\p{M}])(?:,? (?:of |de |del )?(\\d{4}))?|(?<![\\p{L}\\p{M}])(${months})\\.? (\\d{1,2})(?:st|nd|rd|th)? ?(?:-|to|until|through|and) ?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d-])(?:,? (\\d{4}))?`,
);

/**
 * The timeframe in a folded text, in the grammar of `resolveTimeframe`, with its position. Dates that don't exist and inverted
 * ranges are returned as written; the resolver refuses them.
 */
export function findTimeframe(text: string, today: Temporal.PlainDate): Period | undefined {
  const short = findShortRange(text, today);
  if (short !== undefined) return short;

  const days = findDays(text, today);
  const period = findPeriod(text, today);
  for (const [index, first] of days.entries()) {
    const last = days[index + 1];
    if (last !== undefined && connector.test(text.slice(first.end, last.start))) {
      return { start: first.start, end: last.end, timeframe: `from:${first.date} to:${last.date}` };
    }
  }
  const [day] = days;
  if (day === undefined) return period;
  const before = text.slice(0, day.start);
  const after = text.slice(day.end);
  // "of the day", "daily" and so on yield to a more exact time: "product of the day on 17 November".
  const isLoose = ({ start, end }: Day) => ofTheDay.test(text.slice(start, end));
  const tomorrow = today.add({ days: 1 }).toString();
  const exact =
    days.find(({ word, date }) => word === undefined && date !== tomorrow) ??
    days.find((one) => !isLoose(one) && one.date !== tomorrow) ??
    day;
  if (weekContaining.test(before)) return { start: day.start, end: day.end, timeframe: weekTimeframe(day.date) };
  if (
    days.length === 1 &&
    day.word !== "today" &&
    (since.test(before) ||
      sinceAfter.test(after) ||
      (from.test(before) && /^ (?:on|onwards?|till now|until now|to now)/.test(after)))
  ) {
    return { ...day, timeframe: `since ${day.date}` };
  }
  const named = period === undefined ? undefined : weekdayOf(period, days, text, today);
  if (named !== undefined) return named;
  if (period !== undefined && exact.word !== undefined) return period;
  return { start: exact.start, end: exact.end, timeframe: exact.word ?? exact.date };
}

/** "Thursday of last week", "上周五" */
function weekdayOf(period: Period, days: Day[], text: string, today: Temporal.PlainDate): Period | undefined {
  const weeks = ["this week", "last week"].indexOf(period.timeframe);
  const day = days.find(({ weekday }) => weekday !== undefined);
  if (weeks < 0 || day?.weekday === undefined) return undefined;
  const [start, end] = [Math.min(day.start, period.start), Math.max(day.end, period.end)];
  const between = text.slice(Math.min(day.end, period.end), Math.max(day.start, period.start));
  if (!withinWeek.test(between)) return undefined;
  const date = weekOf(today, -weeks).from.add({ days: day.weekday - 1 });
  return { start, end, timeframe: date.toString() };
}

function weekTimeframe(date: string): string {
  try {
    return rangeText(weekOf(Temporal.PlainDate.from(date)));
  } catch (error) {
    if (error instanceof RangeError) return date;
    throw error;
  }
}

function findShortRange(text: string, today: Temporal.PlainDate): Period | undefined {
  if (!mayName(monthNumbers, splitWords(text))) return undefined;
  const match = shortRange.exec(text);
  if (match === null) return undefined;
  const [firstDay, lastDay, month, year = ""] =
    match[1] === undefined ? [match[6], match[7], match[5], match[8]] : [match[1], match[2], match[3], match[4]];
  const [first] = findDays(`${firstDay} ${month} ${year}`.trim(), today);
  const [last] = findDays(`${lastDay} ${month} ${year}`.trim(), today);
  if (first === undefined || last === undefined) return undefined;
  return { start: match.index, end: match.index + match[0].length, timeframe: `from:${first.date} to:${last.date}` };
}
