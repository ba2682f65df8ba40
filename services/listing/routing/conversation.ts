import { listingLimits } from "@agent-backends/contract";
import { Temporal } from "temporal-polyfill";
import type { DateRange } from "../timeframe/calendar.ts";
import { daysUntil, monthOf, weekOf, yearOf } from "../timeframe/calendar.ts";
import { TimeframeError } from "../timeframe/error.ts";
import { monthNames } from "../timeframe/names.ts";
import { resolveTimeframe } from "../timeframe/resolve.ts";
import { isTimezone } from "../timeframe/timezone.ts";
import type { Shift } from "./findings/shift.ts";
import { rangeText } from "./findings/times.ts";
import type { FollowUp } from "./follow-up.ts";
import { findItem, findSubject, readFollowUp, refusesOnly } from "./follow-up.ts";
import type { Route, RouteOptions } from "./route.ts";
import { readMessage, route } from "./route.ts";

export interface ConversationOptions extends RouteOptions {
  /** Number of items that the answer to a route shows. */
  countShown(route: Route): number;
}

/**
 * Decides what the last message of a user asks for, in view of the messages before it: "and the day before?" is about the list
 * that was asked for last. A message that is complete in itself is routed by itself.
 *
 * @param turns the user's messages, the oldest first
 */
export function routeConversation(turns: readonly string[], options: ConversationOptions): Route {
  const message = turns.at(-1) ?? "";
  if (turns.length < 2) return route(message, options);
  const { followUp, own } = readTurn(message, options, true);
  if (followUp === undefined) return own ?? route(message, options);
  const related = relatedTurns(turns, options);
  const named = related.map(({ followUp, own }) => followUp?.tz ?? own?.tz).findLast((zone) => zone !== undefined);
  // Resolve all turns in one zone: "3 days ago" is another day after "and in Tokyo time?".
  const zoned = named !== undefined && isTimezone(named) ? { ...options, timezone: named, isZoneFixed: true } : options;
  const read = zoned === options ? related : related.map(({ text }, index) => readTurn(text, zoned, index > 0));

  let list: Route | undefined;
  let latest: Route | undefined;
  let asked = route(message, zoned);
  for (const { text, followUp, own } of read) {
    asked = (followUp && apply(followUp, latest, list, zoned)) ?? own ?? route(text, zoned);
    if (isPassedOver(asked)) {
      // After "no confetti, please", "again" refers to the list before it.
      if (latest?.action === "confetti" && refusesOnly(readMessage(text, zoned))) latest = list;
      continue;
    }
    latest = asked;
    if (asked.action !== "confetti") list = asked.action === "advice" ? undefined : asked;
  }
  return named === undefined || asked.timeframe === undefined ? asked : { ...asked, tz: named };
}

interface Turn {
  text: string;
  followUp?: FollowUp;
  /** The route of the message alone. Undefined for a follow-up. */
  own?: Route;
}

function readTurn(text: string, options: RouteOptions, isFollowing: boolean): Turn {
  const reading = readMessage(text, options);
  const item = isFollowing ? findItem(reading) : undefined;
  if (item !== undefined) return { text, own: { action: "advice", item, decidedBy } };
  const followUp = readFollowUp(reading);
  if (followUp !== undefined && followUp.isTentative === undefined) return { text, followUp };
  const own = route(text, options);
  const query = isFollowing && followUp === undefined ? findSubject(reading) : undefined;
  if (query !== undefined && (own.action === "search" || isIncomplete(own)) && own.timeframe === undefined)
    return { text, followUp: { marked: false, query } };
  const changes = isIncomplete(own) || (own.action === "top" && followUp?.ascending === true);
  return followUp !== undefined && changes ? { text, followUp } : { text, own };
}

/** Small talk, messages nobody understands, and questions about one item don't end the topic of a conversation. */
const isPassedOver = (asked: Route): boolean =>
  asked.action === "advice" && (isIncomplete(asked) || asked.item !== undefined);

const isIncomplete = ({ decidedBy }: Route): boolean => decidedBy === "chatter" || decidedBy === "doubt";

/** The messages that the last one may refer to, up to the latest list that was asked for. */
function relatedTurns(turns: readonly string[], options: ConversationOptions): Turn[] {
  const related: Turn[] = [];
  for (const text of turns.slice(-listingLimits.followedMessages).reverse()) {
    const turn = readTurn(text, options, true);
    related.unshift(turn);
    if (turn.own === undefined) continue;
    // Each turn costs time. Stop at long messages, which are rarely part of a quick exchange.
    if ((turn.own.action !== "confetti" && !isPassedOver(turn.own)) || text.length > maxPassedOverCharacters) break;
  }
  return related;
}

const maxPassedOverCharacters = 200;

/** Applies a follow-up to the route before it. Undefined if it doesn't fit that route. */
function apply(
  followUp: FollowUp,
  latest: Route | undefined,
  list: Route | undefined,
  options: ConversationOptions,
): Route | undefined {
  if (latest?.action === "advice") return followUp.marked ? latest : undefined;
  const again = latest?.action === "confetti" ? celebrateAgain(followUp, latest) : undefined;
  return again ?? (list && changeList(followUp, list, options));
}

function celebrateAgain(followUp: FollowUp, base: Route): Route | undefined {
  const { colors, repeats, continues, limit, marked } = followUp;
  if (followUp.timeframe ?? followUp.shift ?? followUp.tz ?? followUp.ascending !== undefined) return undefined;
  const particleCount = followUp.particleCount ?? (marked || repeats || followUp.isTentative ? limit : undefined);
  if (colors === undefined && particleCount === undefined && !repeats && !continues) return undefined;
  return { ...base, ...(colors && { colors }), ...(particleCount !== undefined && { particleCount }), decidedBy };
}

const decidedBy = "follow-up";

function changeList(followUp: FollowUp, base: Route, options: ConversationOptions): Route | undefined {
  const { continues, repeats, shift, tz, isTimeless, reverses, factor, query } = followUp;
  if (query !== undefined) {
    if (base.action !== "search") return undefined;
    return { action: "search", query, ...(base.limit !== undefined && { limit: base.limit }), decidedBy };
  }
  const limit = factor === undefined ? followUp.limit : Math.ceil(factor * options.countShown(base));
  const ascending = followUp.ascending ?? (reverses ? !base.ascending : undefined);
  const timeframe = shift
    ? shifted(base, shift, options)
    : (toTimeframe(followUp, base, options) ?? (tz && (base.timeframe ?? "today")));
  const isRanked = timeframe !== undefined || ascending !== undefined || isTimeless === true;
  if (!isRanked && limit === undefined && !continues && !repeats) return undefined;
  if (base.action === "search" && isRanked) return undefined;
  const { offset = 0, ascending: before, timeframe: lastTimeframe, ...rest } = base;
  const nextOffset = continues ? offset + options.countShown(base) : repeats ? offset : 0;
  const isAscending = ascending ?? before;
  return {
    ...rest,
    ...(isTimeless && { action: "top" }),
    ...(lastTimeframe !== undefined && !isTimeless && { timeframe: lastTimeframe }),
    ...(timeframe !== undefined && { action: "top_timeframe", timeframe }),
    ...(limit !== undefined && { limit }),
    ...(nextOffset > 0 && { offset: nextOffset }),
    ...(isAscending && { ascending: true as const }),
    decidedBy,
  };
}

/** The timeframe that a follow-up names. If it extends the previous timeframe, it starts where that one does. */
function toTimeframe(followUp: FollowUp, base: Route, options: RouteOptions): string | undefined {
  const { timeframe } = followUp;
  if (timeframe === undefined || followUp.extends === undefined || base.timeframe === undefined) return timeframe;
  const [first, last] = [toDays(base.timeframe, options), toDays(timeframe, options)];
  if (first === undefined || last === undefined || Temporal.PlainDate.compare(first.from, last.to) > 0)
    return timeframe;
  return formatDays({ from: first.from, to: last.to });
}

/** Moves the timeframe of a route, for example to the week before. */
function shifted(base: Route, shift: Shift, options: RouteOptions): string {
  const timeframe = base.timeframe ?? "today";
  const days = toDays(timeframe, options);
  // Keep an invalid timeframe, so that it's refused again.
  return days === undefined ? timeframe : formatDays(besides(days, shift));
}

function toDays(timeframe: string, { timezone, now }: RouteOptions): DateRange | undefined {
  try {
    const window = resolveTimeframe(timeframe, { timezone, now });
    const from = Temporal.Instant.from(window.postedAfter).toZonedDateTimeISO(window.tz).toPlainDate();
    const end = Temporal.Instant.from(window.postedBefore).toZonedDateTimeISO(window.tz).toPlainDate();
    return { from, to: end.subtract({ days: 1 }) };
  } catch (error) {
    if (error instanceof TimeframeError) return undefined;
    throw error;
  }
}

const daysOfWeek = 7;

function besides({ from, to }: DateRange, { span, steps, moves }: Shift): DateRange {
  const edge = steps < 0 ? from : to;
  const days = from.until(to).days + 1;
  const whole = span === "same" ? toSpan({ from, to }) : span;
  if (moves && whole !== "same" && days === 1) return daysUntil(to.add({ [`${whole}s`]: steps }), 1);
  if (moves && whole === "year" && toSpan({ from, to }) === "month") return monthOf(from.add({ years: steps }));
  const isSevenDays = whole === "week" && days === daysOfWeek;
  if (whole === "same" || isSevenDays)
    return { from: from.add({ days: days * steps }), to: to.add({ days: days * steps }) };
  if (whole === "day") return daysUntil(edge.add({ days: steps }), 1);
  return calendarSpans[whole](edge, steps);
}

const calendarSpans = { week: weekOf, month: monthOf, year: yearOf };

function toSpan({ from, to }: DateRange): Shift["span"] {
  const is = ({ from: first, to: last }: DateRange) => first.equals(from) && last.equals(to);
  return is(monthOf(from)) ? "month" : is(yearOf(from)) ? "year" : "same";
}

function formatDays({ from, to }: DateRange): string {
  if (from.equals(to)) return from.toString();
  const month = monthOf(from);
  if (month.from.equals(from) && month.to.equals(to)) return `${monthNames[from.month - 1]} ${from.year}`;
  return rangeText({ from, to });
}
