import type { ListConditions, ListingAction } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { localDate } from "../timeframe/calendar.ts";
import { findOrder } from "./findings/conditions.ts";
import { findColors, findParticleCount } from "./findings/counts.ts";
import { hasQuotes, isGeneric } from "./findings/query.ts";
import { isHomonym } from "./findings/times.ts";
import { findTopic } from "./findings/topic.ts";
import type { Class } from "./model/classifier.ts";
import { classify } from "./model/classifier.ts";
import { toFeatures } from "./model/features.ts";
import type { SentenceReading } from "./reading.ts";
import { Reading } from "./reading.ts";
import { blankOut } from "./text/characters.ts";

/** What a message asks for. Only what it states is present. */
export interface Route extends ListConditions {
  action: ListingAction;
  /** The number of items as the message says it, whatever its size or sign. */
  limit?: number | undefined;
  /**
   * In the grammar of `resolveTimeframe`, which refuses it where the message names a date that doesn't exist or the like. A search can't
   * apply it.
   */
  timeframe?: string | undefined;
  /** An IANA name, or what the message gave for one. */
  tz?: string | undefined;
  /** What to search for, as it was written. */
  query?: string;
  /** What the launches may have to be about: words that nobody knows, in the place of a topic. */
  unknown_topic?: string | undefined;
  /** It is asked how many there are. */
  counted?: true | undefined;
  /** How many items of the list come before those that are wanted. */
  offset?: number | undefined;
  /** The place of the one item that is asked about, in the list that was shown last. The action is advice, for want of its name. */
  item?: number;
  /** `#RRGGBB`, for confetti. */
  colors?: string[] | undefined;
  /** For confetti, as the message says it. */
  particleCount?: number | undefined;
  /** The list is wanted in another form than a table: "as CSV", "only the names". */
  isOtherForm?: true;
  /** What the message asks for beside this: "and confetti". Of these, advice is what the model adds. */
  further?: Route[];
  /** What decided. "doubt" is advice for want of confidence; after it and after "chatter" a conversation's topic stays. */
  decidedBy: "command" | "model" | "chatter" | "doubt" | "follow-up";
}

/** What the message is read against. */
export interface RouteOptions {
  now: Date;
  /** The IANA name of the zone in which a message that names none is resolved. */
  timezone: string;
  /** The message is resolved in `timezone` even if it names another zone. */
  isZoneFixed?: boolean;
}

const commands: [shape: RegExp, action: ListingAction][] = [
  [/^[/!](?:search|find|lookup|s)\b/, "search"],
  [/^[/!](?:confetti|celebrate|party)\b/, "confetti"],
  [/^[/!](?:today|yesterday|week|month|daily|weekly|monthly|day|last-?week)\b/, "top_timeframe"],
  [/^[/!](?:top|best|leaderboard|ranking|trending|list|posts)\b/, "top"],
  [/^\/[a-z]/, "advice"],
  // A field: "q: kanban", "query=kanban", "search: kanban".
  [/^(?:q|query|keywords?|search term)\s?[=:]\s?\S|^search\s?:\s?\S/, "search"],
];

/** The action that a message names outright. */
const findCommand = ({ text }: Reading): ListingAction | undefined => commands.find(([shape]) => shape.test(text))?.[1];

/** Below this probability the answer is advice. */
const minConfidence = 0.4;

/**
 * Decides what a message asks for: commands by exact rules, everything else by the model. The grammar finds the parameters.
 * Costs about a tenth of a millisecond and calls nothing.
 */
export function route(message: string, options: RouteOptions): Route {
  return routeReading(readMessage(message, options)).route;
}

/** The route of a message alone, and how likely it is that the message only changes the one before. */
export function routeReading(reading: Reading): { route: Route; followUp: number } {
  const command = findCommand(reading);
  if (command !== undefined)
    return { route: { ...parametersFor(command, reading), decidedBy: "command" }, followUp: 0 };
  const decision = decide(reading);
  return { route: routeAs(decision, reading), followUp: decision.followUp };
}

function routeAs({ label, confidence }: ReturnType<typeof decide>, reading: Reading): Route {
  const isRanking = label === "search" && reading.sentences.some((one) => isNarrowed(one, reading));
  if (isRanking || (label !== "confetti" && asksForList(reading)))
    return { ...parametersFor(reading.chart.has("whatsNew") ? "top_timeframe" : "top", reading), decidedBy: "model" };
  if (label === "follow_up" || confidence < minConfidence) return { ...guess(reading), decidedBy: "doubt" };
  if ((label === "advice" || label === "search") && isSmallTalk(reading))
    return { action: "advice", decidedBy: "chatter" };
  return { ...parametersFor(label, reading), decidedBy: "model" };
}

/** "AI tools launched last week": the search index knows no times, but a ranking can be narrowed. */
const isNarrowed = (sentence: SentenceReading, { filters }: Reading): boolean => {
  const { chart, text, time, isFuture, isTheme } = sentence;
  if (time === undefined ? !chart.has("allTime") || hasQuotes(text) : isFuture || isTheme) return false;
  const isTopic = findTopic(chart) !== undefined || (time && sentence.query === sentence.unknownTopic);
  return isTopic || filters.places.length > 0;
};

/** "What's new?", "the very latest launch", "how many launched yesterday?" */
const asksForList = ({ chart, sentences }: Reading): boolean =>
  !chart.has("won", "built", "failed", "should", "launchCraft") &&
  (chart.has("whatsNew", "latestOne") ||
    (chart.has("howMany") &&
      sentences.some(({ chart, time, isFuture }) => time && !isFuture && chart.has("anyProduct"))));

/** A message as the rules and the model read it. */
export function readMessage(message: string, { now, timezone, isZoneFixed }: RouteOptions): Reading {
  return new Reading(message, (zone) => localDate(now, isZoneFixed ? timezone : (zone ?? timezone)));
}

/** The likeliest class. The two kinds of rankings count together, since the grammar knows best whether there is a time. */
function decide(reading: Reading) {
  const { top, top_timeframe: timed, ...others } = classify(toFeatures(reading));
  const ranking = { label: top > timed ? ("top" as const) : ("top_timeframe" as const), confidence: top + timed };
  const labels = Object.keys(others) as (keyof typeof others)[];
  const decisions = [ranking, ...labels.map((label) => ({ label, confidence: others[label] }))];
  const best = decisions.reduce((one, other) => (other.confidence > one.confidence ? other : one));
  return { ...best, followUp: others.follow_up };
}

/** "And yesterday?" and "the best one" with nothing before them are about a list. */
function guess(reading: Reading): Omit<Route, "decidedBy"> {
  const [sentence, ...others] = reading.sentences;
  if (sentence === undefined || others.length > 0) return { action: "advice" };
  if (sentence.time !== undefined) return parametersFor("top_timeframe", reading);
  const isBestOrWorst = reading.chart.has("choosing") && reading.chart.has("descending", "fewestVotes");
  return isBestOrWorst ? parametersFor("top", reading) : { action: "advice" };
}

/** The ranking that a message would ask for. */
export const readRanking = (reading: Reading): Omit<Route, "decidedBy"> => parametersFor("top", reading);

function parametersFor(action: ListingAction, reading: Reading): Omit<Route, "decidedBy"> {
  switch (action) {
    case "advice":
      return { action };
    case "confetti": {
      const colors = findColors(reading.chart);
      return {
        action,
        colors: colors.length > 0 ? colors : undefined,
        particleCount: findParticleCount(reading.chart),
      };
    }
    case "search": {
      const sentences = byLikelihood(["search"], reading);
      const query = findQuery(sentences);
      const limit = first(sentences, (one) => one.limit)?.limit;
      const timeframe = sentences.find((one) => one.query === query)?.timeBeside?.timeframe;
      return {
        action,
        query,
        limit: query === String(limit) ? undefined : limit,
        timeframe,
        ...reading.filters.conditions,
      };
    }
    case "top":
    case "top_timeframe":
      return findRanking(action, reading);
  }
}

function findRanking(action: "top" | "top_timeframe", reading: Reading): Omit<Route, "decidedBy"> {
  const sentences = byLikelihood(["top", "top_timeframe", "follow_up"], reading);
  const hasAny = (category: string) => sentences.some(({ chart }) => chart.has(category)) || undefined;
  const { offset = 0 } = reading.filters.conditions;
  const named = first(sentences, (one) => one.limit)?.limit;
  // "The top 10 without the first" are 9.
  const rest = named !== undefined && named > offset ? named - offset : named;
  const limit = rest ?? (hasAny("latestOne") ? 1 : hasAny("everything") && listingLimits.posts.max);
  const order =
    first(sentences, ({ chart, time }) => findOrder(chart, time)) ?? (hasAny("whatsNew") && { sort: "date" as const });
  const topic = first(sentences, ({ chart }) => findTopic(chart));
  const unknown_topic = topic === undefined ? first(sentences, (one) => one.unknownTopic) : undefined;
  const conditions = {
    ascending: hasAny("fewestVotes"),
    ...order,
    topic,
    unknown_topic,
    ...reading.filters.conditions,
  };
  // "I teach a class tomorrow. Which are the top 5?"
  const isBeside = (one: SentenceReading) => action === "top" && one.isFuture && sentences.length > 1;
  const timed = sentences.find((one) => one.time !== undefined && !isBeside(one));
  const tz = reading.timezone?.tz;
  // A time that isn't understood, or has no beginning, is refused, never taken for another one.
  const unread = sentences
    .find(({ chart }) => chart.all("timeWord").some((word) => !isHomonym(chart, word)))
    ?.text.trim();
  const isTimeless = (timed ?? tz ?? unread) === undefined;
  // "The newest AI tools" are those of all time.
  if (isTimeless && (action === "top" || (order?.sort === "date" && !hasAny("whatsNew"))))
    return { action: "top", limit, ...conditions };
  const timeframe = (timed?.time?.kind === "until" ? timed.text : timed?.time?.timeframe) ?? unread ?? "today";
  return { action: "top_timeframe", limit, counted: hasAny("howMany"), timeframe, tz, ...conditions };
}

/** What the first sentence holds that holds any. */
const first = <Found>(
  sentences: readonly SentenceReading[],
  find: (sentence: SentenceReading) => Found | undefined,
): Found | undefined => sentences.map(find).find((found) => found !== undefined);

/** The sentences that ask for the wanted come first: "We launched on Monday. Who won on Friday?" */
function byLikelihood(wanted: readonly Class[], reading: Reading): readonly SentenceReading[] {
  const { sentences } = reading;
  if (sentences.length < 2) return sentences;
  return sentences
    .map((sentence) => {
      const likely = classify(toFeatures(reading, [sentence]));
      return { sentence, likelihood: wanted.reduce((sum, label) => sum + likely[label], 0) };
    })
    .sort((one, other) => other.likelihood - one.likelihood)
    .map(({ sentence }) => sentence);
}

/** What to search for: the first sentence says it, or another one ("Has Figma launched? Look it up."). */
export function findQuery(sentences: readonly SentenceReading[]): string {
  const [first, ...others] = sentences;
  if (first === undefined) return "";
  // "Loom is too expensive for us. Alternatives?"
  const name = sentences.find(({ name }) => name !== undefined)?.name;
  if (name !== undefined && likewise.test(first.query)) return name;
  if (first.query !== "") return first.query;
  if (!isGeneric(first.literalQuery)) return first.literalQuery;
  return others.find(({ query }) => query !== "")?.query ?? "";
}

const likewise =
  /^(?:alternatives?|competitors?|rivals?|(?:something |anything |any )?(?:similar|cheaper|like it|like that)|it|that)$/i;

/** Nothing but politeness and signs. */
const isSmallTalk = ({ text, chart }: Reading): boolean =>
  !/[\p{L}\p{N}]/u.test(blankOut(text, chart.all("politeness")));
