import { listingLimits } from "@agent-backends/contract";
import type { Temporal } from "temporal-polyfill";
import type { CalendarUnit } from "../timeframe/calendar.ts";
import { findOrder } from "./findings/conditions.ts";
import { findColors, findLimit, findOnlyNumber, findParticleCount } from "./findings/counts.ts";
import type { Shift } from "./findings/shift.ts";
import { findShift } from "./findings/shift.ts";
import { findValue } from "./findings/spans.ts";
import type { Period } from "./findings/times.ts";
import { findTime, readBareTime } from "./findings/times.ts";
import { findTopic } from "./findings/topic.ts";
import { always, findTimezone } from "./findings/zones.ts";
import type { Reading } from "./reading.ts";
import { blankOut } from "./text/characters.ts";
import type { Chart, Place } from "./text/chart.ts";

/** Changes that a message makes to the previous request. */
export type Changes = ReturnType<typeof findChanges>;

/** Reads a message that the model classifies as a follow-up. In this context a lone month, city or number also counts: "and Tokyo?". */
export function findChanges({ text, chart: all, today, filters, sentences }: Reading) {
  const hide = (...places: (Place | undefined)[]): Chart => all.within(0, text.length, places);
  const zone = findTimezone(all, { place: always, bare: always });
  // "The 3 after that" are items, not days.
  const further = all.all("furtherItems");
  const { time, shift } = findTimeOrShift(hide(zone, ...further), today);
  const timeless = hide(zone, shift, time);
  const [factor] = timeless.all("factor");
  const limit = factor ? undefined : (findLimit(timeless) ?? (shift?.steps ? undefined : findOnlyNumber(timeless)));
  const rest = hide(zone, shift, time, limit, factor);
  // "Only those for music", "those for music from that week"
  const isNarrowed = shift?.steps === 0 || rest.has("followingOn");

  const isWorst = timeless.has("fewestVotes");
  // In "the best one" the limit is "best one", so the rest no longer contains "best".
  const order = findOrder(timeless);
  const ascending = isWorst || (order ? order.ascending === true : timeless.has("descending") ? false : undefined);
  const isStopped = all.has("stopping");
  const repeats = rest.has("repeating") && !isStopped;
  const reverses = rest.has("reversing");
  const isMore = !repeats && !reverses && !shift && ascending === undefined && rest.has("wantingMore");
  const colors = findColors(rest);
  return {
    limit:
      limit?.limit ??
      (rest.has("onlyFirst") && !isWorst ? 1 : rest.has("everything") ? listingLimits.posts.max : undefined),
    timeframe: time?.timeframe,
    /** Period in which the timeframe is named: a weekday in a week, a month in a year. */
    within: time && unitAround(time),
    /** Reads the timeframe as if today were another day. */
    readOn: (day: Temporal.PlainDate) => findTimeOrShift(hide(zone), day).time?.timeframe,
    topic: findTopic(rest, isNarrowed ? "topicName" : undefined),
    unknown_topic: sentences.map((one) => one.unknownTopic).find((one) => one !== undefined),
    /** Exclusions, and the order of the launches. */
    conditions: {
      ...(rest.has("anyTopic") && { topic: undefined, unknown_topic: undefined, excluded_topics: undefined }),
      ...filters.conditions,
      ...((order ?? isWorst) && { sort: order?.sort ?? ("votes" as const) }),
    },
    /** The timeframe only moves the end of the previous one. */
    extends: rest.has("extending"),
    /** "of all time" */
    isTimeless: time === undefined && rest.has("allTime"),
    /** Multiplies the previous count. */
    factor: factor && Number(factor.meaning),
    /** A time relative to the previous one: "the week after". */
    shift,
    tz: zone?.tz,
    ascending,
    /** "the other way round" */
    reverses,
    /** "the next five" */
    continues: (rest.has("continuing") || isMore || further.length > 0) && !isStopped,
    /** "previous", after "the next five" */
    goesBack: isGoingBack(all),
    /** "again" */
    repeats: repeats || all.has("otherForm") || (rest.has("howMany") && !time && !shift && !zone),
    colors: colors.length > 0 ? colors : undefined,
    particleCount: findParticleCount(timeless),
  };
}

/** Whether the message says only "previous". */
export const isGoingBack = (chart: Chart): boolean =>
  chart.all("goingBack").some((span) => !/\p{L}/u.test(blankOut(chart.text, [span])));

const unitAround = ({ kind }: Period): CalendarUnit | undefined =>
  kind === "weekday" ? "week" : kind === "on d" ? "month" : kind.startsWith("on ") ? "year" : undefined;

/** The time that a message names. "неделю" is this week, and "неделю назад" is the week before. */
function findTimeOrShift(chart: Chart, today: Temporal.PlainDate): { time?: Period; shift?: Shift & Place } {
  const found = findTime(chart, () => today);
  const named = findShift(chart, "shift", found);
  // "Desse mês" means that month, or this one.
  if (named !== undefined) return { shift: named, ...(named.steps === 0 && found && { time: found }) };
  const time = found ?? readBareTime(chart, today);
  const beside = findShift(chart, "move");
  return time !== undefined ? { time } : beside !== undefined ? { shift: beside } : {};
}

/** Position of the displayed item that a message asks about: 2 for "tell me more about the second one". */
export function findItem({ chart, sentences }: Reading): number | undefined {
  if (chart.has("launchCraft")) return undefined;
  const isTimed = sentences.some(({ time }) => time !== undefined);
  for (const about of chart.all("aboutItem")) {
    const place = Number(findValue(about, "place") ?? findValue(about, "ordinal") ?? findValue(about, "number"));
    // "The last one" and "the first one" alone are a time or a count. With a time, "who came first?" asks for another list.
    const isOther = about.meaning !== "" && (isTimed || (about.meaning === "word" && place < 2));
    if (!isOther) return place;
  }
  return undefined;
}
