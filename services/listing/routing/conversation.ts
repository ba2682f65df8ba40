import { listingLimits } from "@agent-backends/contract";
import { Temporal } from "temporal-polyfill";
import { isKind, toRanking } from "../actions/index.ts";
import type { DateRange } from "../timeframe/calendar.ts";
import { formatRange, getPeriod, includesRange, toLocalDate } from "../timeframe/calendar.ts";
import { findDays } from "../timeframe/resolve.ts";
import { isTimezone } from "../timeframe/timezone.ts";
import type { Changes } from "./changes.ts";
import { findChanges, findItem, isGoingBack } from "./changes.ts";
import { isRepeated, shiftDays } from "./findings/shift.ts";
import { findTopic } from "./findings/topic.ts";
import { parse } from "./languages/index.ts";
import type { Reading } from "./reading.ts";
import { splitRequests } from "./requests.ts";
import type { Route, RouteOptions } from "./route.ts";
import { findQuery, readMessage, routeReading } from "./route.ts";
import { blankOut } from "./text/characters.ts";
import { fold } from "./text/fold.ts";

export interface ConversationOptions extends RouteOptions {
  /** Number of items that the answer to a route shows. */
  countShown(route: Route): number;
}

/**
 * Decides what a user's last message asks for in the context of the earlier messages: "and the day before?" refers to the list requested
 * last. A complete message is routed on its own.
 *
 * @param turns the user's messages, oldest first
 */
export function routeConversation(turns: readonly string[], options: ConversationOptions): Route {
  const related = findRelatedTurns(turns, options);
  const named = related.map(({ own, changes }) => changes?.tz ?? own.tz).findLast((zone) => zone !== undefined);
  // Resolve all turns in one zone: "3 days ago" is another day after "and in Tokyo time?".
  const zoned = named !== undefined && isTimezone(named) ? { ...options, timezone: named, isZoneFixed: true } : options;
  const read = zoned === options ? related : related.map(({ text }) => readTurn(text, zoned));

  let list: Route | undefined;
  let latest: Route | undefined;
  let asked: Route = { action: "advice", decidedBy: "doubt" };
  for (const turn of read) {
    const { own, reading, item } = turn;
    const isItem = item !== undefined && list !== undefined;
    asked = isItem ? { action: "advice", item, decidedBy } : (change(turn, latest, list, zoned) ?? own);
    const isAdvice = isKind("advice", asked);
    if (isAdvice && (isItem || isIncomplete(own))) {
      // After "no confetti, please", "again" refers to the list before it.
      const isStopped = reading.isRefusal || (own.decidedBy !== "chatter" && reading.chart.has("stopping"));
      if (latest && isKind("effect", latest) && isStopped) latest = list;
      continue;
    }
    latest = asked;
    if (!isKind("effect", asked)) list = isAdvice ? undefined : asked;
  }
  const last = read.at(-1);
  const further = asked === last?.own ? last.further : [];
  const inZone = (route: Route): Route =>
    named === undefined || route.timeframe === undefined ? route : { ...route, tz: named };
  return {
    ...inZone(asked),
    ...(further.length > 0 && { otherRoutes: further.map(inZone) }),
    ...(last?.reading.chart.has("otherForm") && { isOtherForm: true as const }),
  };
}

type Turn = ReturnType<typeof readTurn>;

/** Minimum probability of a follow-up such as "yesterday", which must also fit the previous request. */
const minFollowUp = 0.1;

function readTurn(text: string, options: RouteOptions) {
  const reading = readMessage(text, options);
  const { route, followUp } = routeReading(reading);
  const [ownRoute = route, ...otherRoutes] = splitRequests(reading, options) ?? [];
  const isAlone = otherRoutes.length === 0;
  const isElse =
    ownRoute.decidedBy === "chatter" ||
    (ownRoute.decidedBy === "model" && isKind("advice", ownRoute) && !reading.chart.has("correcting"));
  const isFollowUp =
    isFilter(reading) ||
    isGoingBack(reading.chart) ||
    reading.chart.has("monthToo") ||
    (followUp >= minFollowUp && !isElse);
  return {
    text,
    reading,
    /** Route of the message alone. */
    own: ownRoute,
    /** Further requests in the message. */
    further: otherRoutes,
    item: isAlone ? findItem(reading) : undefined,
    changes: isAlone && isFollowUp ? findChanges(reading) : undefined,
  };
}

/** Whether a message only filters: "Only those above 500 votes", "all topics", "as CSV", but not "we got more than 500 votes". */
const isFilter = ({ filters, chart, sentences }: Reading): boolean =>
  !chart.has("won", "built", "ranking") &&
  sentences.every(({ time }) => time === undefined) &&
  (chart.has("anyTopic", "otherForm") || (filters.places.length > 0 && sentences.every(({ query }) => query === "")));

/** Whether a message is small talk or not understood. Such messages don't end the topic of a conversation. */
const isIncomplete = ({ decidedBy }: Route): boolean => decidedBy === "chatter" || decidedBy === "doubt";

/** The messages that the last one may refer to, back to the latest request for a list. */
function findRelatedTurns(turns: readonly string[], options: ConversationOptions): Turn[] {
  const related: Turn[] = [];
  for (const text of turns.slice(-listingLimits.followedMessages).reverse()) {
    const turn = readTurn(text, options);
    related.unshift(turn);
    const isTopic = turn.changes === undefined && turn.item === undefined && !isIncomplete(turn.own);
    // Reading each turn takes time. Stop at long messages, which are rarely part of a quick exchange.
    if ((isTopic && !isKind("effect", turn.own)) || text.length > maxSkippedCharacters) break;
  }
  return related;
}

const maxSkippedCharacters = 200;

/** The request that a follow-up makes. Undefined if the message isn't a follow-up, or doesn't fit the previous request. */
function change(
  { changes, own, reading }: Turn,
  latest: Route | undefined,
  list: Route | undefined,
  options: ConversationOptions,
): Route | undefined {
  if (changes === undefined) return undefined;
  if (latest && isKind("advice", latest)) return isIncomplete(own) ? latest : undefined;
  const again = latest && isKind("effect", latest) ? repeatEffect(changes, latest) : undefined;
  return again ?? (list && changeList(changes, list, reading, options));
}

function repeatEffect(changes: Changes, base: Route): Route | undefined {
  const { colors, repeats, continues, particleCount = changes.limit } = changes;
  if (changes.timeframe ?? changes.shift ?? changes.tz ?? changes.ascending !== undefined) return undefined;
  if (colors === undefined && particleCount === undefined && !repeats && !continues) return undefined;
  return { ...base, colors: colors ?? base.colors, particleCount: particleCount ?? base.particleCount, decidedBy };
}

const decidedBy = "follow-up";

function changeList(changes: Changes, base: Route, reading: Reading, options: ConversationOptions): Route | undefined {
  const { continues, repeats, isTimeless, reverses, factor, conditions } = changes;
  if (changes.goesBack && base.offset !== undefined)
    return { ...base, offset: Math.max(0, base.offset - options.countShown(base)) || undefined, decidedBy };
  const limit = factor === undefined ? changes.limit : Math.ceil(factor * options.countShown(base));
  const ascending = changes.ascending ?? (reverses ? !base.ascending : undefined);
  const timeframe = toTimeframe(changes, base, options);
  const isRanked = timeframe !== undefined || ascending !== undefined || isTimeless === true;
  const { topic, unknown_topic } = changes;
  const isSearch = isKind("search", base);
  // "The cheapest one" of the search results: the index can't answer that.
  if (isSearch && unknown_topic !== undefined && changes.timeframe === undefined && !reading.chart.has("askingAbout"))
    return undefined;
  const about = topic ?? unknown_topic;
  const isNarrowed =
    (about !== undefined && (!isSearch || timeframe !== undefined)) || Object.keys(conditions).length > 0;
  if (!isRanked && limit === undefined && !continues && !repeats) {
    const query = isSearch && changes.colors === undefined ? findNewQuery(reading, options) : "";
    if (query !== "") return { ...base, query, decidedBy };
    // "No, not Notion. Obsidian" is a complete search.
    if (!isNarrowed || (isSearch && findQuery(reading.sentences) !== "")) return undefined;
  }
  if (isSearch && isRanked) {
    // "The ones from this year": the list of that time, about the searched topic.
    const searched = findTopic(parse(fold(base.query ?? "")), "topicName") ?? base.query;
    // "Nah, the top 3 of today instead" asks for all launches.
    const isOther = reading.chart.has("ranking") && reading.chart.has("stopping", "insteadOf");
    if (timeframe === undefined) return undefined;
    const { query: _query, offset: _offset, ...kept } = base;
    const wanted = { timeframe, topic: isOther ? undefined : searched, limit: limit ?? base.limit };
    return { ...kept, ...conditions, ...wanted, action: toRanking(timeframe), decidedBy };
  }
  const shown = base.offset ?? 0;
  const { sort = base.sort, offset: skipped = 0 } = conditions;
  return {
    ...base,
    action: isTimeless || timeframe !== undefined ? toRanking(isTimeless ? undefined : timeframe) : base.action,
    timeframe: isTimeless ? undefined : (timeframe ?? base.timeframe),
    ...(about !== undefined && { topic, unknown_topic: topic === undefined ? unknown_topic : undefined }),
    ...conditions,
    ...(conditions.excluded_topics && {
      excluded_topics: [...new Set([...(base.excluded_topics ?? []), ...conditions.excluded_topics])],
    }),
    sort: sort === "votes" ? undefined : sort,
    limit: limit ?? base.limit,
    offset: (continues ? shown + options.countShown(base) : repeats || skipped > 0 ? shown : 0) + skipped || undefined,
    ascending: (ascending ?? base.ascending) ? true : undefined,
    decidedBy,
  };
}

/** The new search query: "and for dogs?", "sorry, I meant dogs". Empty if there is none. */
function findNewQuery({ message, chart, sentences }: Reading, options: RouteOptions): string {
  if (chart.has("correcting")) {
    const beside = ["correcting", "addingNothing", "thanking"].flatMap((category) => chart.all(category));
    const raw = beside.map(({ start, end }) => ({ start: message.rawIndex(start), end: message.rawIndex(end) }));
    return findQuery(readMessage(blankOut(message.raw, raw), options).sentences);
  }
  return chart.has("askingAbout", "followingOn") && !chart.has("self", "you") ? findQuery(sentences) : "";
}

/** The timeframe of a changed request. If it extends the previous one, it keeps that one's start. */
function toTimeframe(changes: Changes, base: Route, options: RouteOptions): string | undefined {
  const { shift, tz } = changes;
  const before = base.timeframe ?? (shift || tz ? "today" : undefined);
  const days = before === undefined ? undefined : toDays(before, options);
  const timeframe = days ? resolveInContext(changes, days, options) : changes.timeframe;
  // Keep an invalid timeframe, so that it is refused again.
  if (shift && days === undefined) return before;
  if (shift && days) {
    const period = shiftDays(days, shift, toLocalDate(options.now, options.timezone));
    const isChanged = timeframe === undefined || changes.limit !== undefined || changes.topic !== undefined;
    return !isRepeated(shift) || (isChanged && includesRange(period, days)) ? formatRange(period) : timeframe;
  }
  const last = timeframe !== undefined && changes.extends ? toDays(timeframe, options) : undefined;
  if (days && last && Temporal.PlainDate.compare(days.from, last.to) <= 0)
    return formatRange({ from: days.from, to: last.to });
  return timeframe ?? (tz && before);
}

/**
 * Reads a timeframe in the context of the previous one: "and on Wednesday?" after Tuesday of last week is in that week, and "and April?"
 * after March 2024 is in that year.
 */
function resolveInContext(
  { timeframe, within, readOn }: Changes,
  days: DateRange,
  options: RouteOptions,
): string | undefined {
  const around = within && getPeriod(within, days.from);
  const other = around && includesRange(around, days) ? readOn?.(around.to) : undefined;
  const [own, near] = [timeframe, other].map((one) => one && toDays(one, options)?.from);
  if (!own || !near || Temporal.PlainDate.compare(near, toLocalDate(options.now, options.timezone)) > 0)
    return timeframe;
  const distanceTo = (day: Temporal.PlainDate) => Math.abs(days.from.until(day).days);
  return distanceTo(near) < distanceTo(own) ? other : timeframe;
}

const toDays = (timeframe: string, { timezone, now }: RouteOptions): DateRange | undefined =>
  findDays(timeframe, toLocalDate(now, timezone));
