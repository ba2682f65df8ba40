import type { ListingAction } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import type { Wanted } from "../actions/action.ts";
import { toLocalDate } from "../timeframe/calendar.ts";
import { findOrder } from "./findings/conditions.ts";
import { findColors, findParticleCount } from "./findings/counts.ts";
import { isHomonym } from "./findings/times.ts";
import { findTopic } from "./findings/topic.ts";
import type { Class } from "./model/classifier.ts";
import { classify } from "./model/classifier.ts";
import { toFeatures } from "./model/features.ts";
import type { SentenceReading } from "./reading.ts";
import { Reading } from "./reading.ts";
import { blankOut } from "./text/characters.ts";

/** The request in a message. Contains only what the message states. */
export interface Route extends Wanted {
  action: ListingAction;
  /**
   * Position of the one item that the message asks about, in the list shown last. The action is advice, because the name is unknown here.
   */
  item?: number;
  /** The list is requested in another form than a table: "as CSV", "only the names". */
  isOtherForm?: true;
  /** Further requests in the message: "and confetti". Advice among them is added by the model. */
  otherRoutes?: Route[];
  /** What decided the route. "doubt" means advice because of low confidence. After "doubt" and "chatter" a conversation keeps its topic. */
  decidedBy: "command" | "model" | "chatter" | "doubt" | "follow-up";
}

/** The context in which a message is read. */
export interface RouteOptions {
  now: Date;
  /** IANA name of the zone for messages that name none. */
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

/** The action that a message names explicitly. */
const findCommand = ({ text }: Reading): ListingAction | undefined => commands.find(([shape]) => shape.test(text))?.[1];

/** Minimum probability of an action. Below it the answer is advice. */
const minConfidence = 0.4;

/**
 * Decides what a message asks for: commands by exact rules, everything else by the model. The grammar finds the parameters. Takes about a
 * tenth of a millisecond and calls nothing.
 */
export function route(message: string, options: RouteOptions): Route {
  return routeReading(readMessage(message, options)).route;
}

/** The route of a message alone, and the probability that it only changes the previous request. */
export function routeReading(reading: Reading): { route: Route; followUp: number } {
  const command = findCommand(reading);
  if (command !== undefined)
    return { route: { ...getParameters(command, reading), decidedBy: "command" }, followUp: 0 };
  const decision = decide(reading);
  return { route: routeAs(decision, reading), followUp: decision.followUp };
}

function routeAs({ label, confidence }: ReturnType<typeof decide>, reading: Reading): Route {
  const isRanking = label === "search" && reading.sentences.some((one) => isNarrowed(one, reading));
  if (isRanking) return { ...readRanking(reading), decidedBy: "model" };
  if (label === "follow_up" || confidence < minConfidence) return { ...guess(reading), decidedBy: "doubt" };
  if ((label === "advice" || label === "search") && isSmallTalk(reading))
    return { action: "advice", decidedBy: "chatter" };
  return { ...getParameters(label, reading), decidedBy: "model" };
}

/** "AI tools launched last week": the search index can't filter by time, but a ranking can be narrowed to a topic. */
const isNarrowed = (sentence: SentenceReading, { filters }: Reading): boolean => {
  const { chart, time, isFuture, isTheme, query, unknownTopic } = sentence;
  if (time === undefined || isFuture || isTheme) return false;
  return findTopic(chart) !== undefined || query === unknownTopic || filters.places.length > 0;
};

/** Parses a message for the rules and the model. */
export function readMessage(message: string, { now, timezone, isZoneFixed }: RouteOptions): Reading {
  return new Reading(message, (zone) => toLocalDate(now, isZoneFixed ? timezone : (zone ?? timezone)));
}

/** The most likely class. Both kinds of rankings are added up, because the grammar knows best whether there is a time. */
function decide(reading: Reading) {
  const { top, top_timeframe: timed, ...others } = classify(toFeatures(reading));
  const ranking = { label: top > timed ? ("top" as const) : ("top_timeframe" as const), confidence: top + timed };
  const labels = Object.keys(others) as (keyof typeof others)[];
  const decisions = [ranking, ...labels.map((label) => ({ label, confidence: others[label] }))];
  const best = decisions.reduce((one, other) => (other.confidence > one.confidence ? other : one));
  return { ...best, followUp: others.follow_up };
}

/** Without an earlier message, "and yesterday?" asks for a list. */
function guess(reading: Reading): Omit<Route, "decidedBy"> {
  const [sentence, ...others] = reading.sentences;
  if (sentence === undefined || others.length > 0) return { action: "advice" };
  return sentence.time === undefined ? { action: "advice" } : getParameters("top_timeframe", reading);
}

/** The ranking that a message would ask for. */
export const readRanking = (reading: Reading): Omit<Route, "decidedBy"> => getParameters("top", reading);

function getParameters(action: ListingAction, reading: Reading): Omit<Route, "decidedBy"> {
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
      const sentences = sortByLikelihood(["search"], reading);
      const query = findQuery(sentences);
      const limit = findFirst(sentences, (one) => one.limit)?.limit;
      const timeframe = sentences.find((one) => one.query === query)?.separateTime?.timeframe;
      return { action, query, limit, timeframe, ...reading.filters.conditions };
    }
    case "top":
    case "top_timeframe":
      return findRanking(action, reading);
  }
}

function findRanking(action: "top" | "top_timeframe", reading: Reading): Omit<Route, "decidedBy"> {
  const sentences = sortByLikelihood(["top", "top_timeframe", "follow_up"], reading);
  const hasAny = (category: string) => sentences.some(({ chart }) => chart.has(category)) || undefined;
  const { offset = 0 } = reading.filters.conditions;
  const named = findFirst(sentences, (one) => one.limit)?.limit;
  // "The top 10 without the first" has 9 items.
  const rest = named !== undefined && named > offset ? named - offset : named;
  const limit = rest ?? (hasAny("latestOne") ? 1 : hasAny("everything") && listingLimits.posts.max);
  const order =
    findFirst(sentences, ({ chart, time }) => findOrder(chart, time)) ??
    (hasAny("whatsNew") && { sort: "date" as const });
  const topic = findFirst(sentences, ({ chart }) => findTopic(chart));
  const unknown_topic = topic === undefined ? findFirst(sentences, (one) => one.unknownTopic) : undefined;
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
  // A time that isn't understood, or has no beginning, is refused. It is never replaced by another time.
  const unread = sentences
    .find(({ chart }) => chart.all("timeWord").some((word) => !isHomonym(chart, word)))
    ?.text.trim();
  const isTimeless = (timed ?? tz ?? unread) === undefined;
  // "The newest AI tools" means those of all time.
  if (isTimeless && (action === "top" || (order?.sort === "date" && !hasAny("whatsNew"))))
    return { action: "top", limit, ...conditions };
  const timeframe = (timed?.time?.kind === "until" ? timed.text : timed?.time?.timeframe) ?? unread ?? "today";
  return { action: "top_timeframe", limit, counted: hasAny("howMany"), timeframe, tz, ...conditions };
}

/** The first sentence's value that isn't undefined. */
const findFirst = <Found>(
  sentences: readonly SentenceReading[],
  find: (sentence: SentenceReading) => Found | undefined,
): Found | undefined => sentences.map(find).find((found) => found !== undefined);

/** Sorts the sentences that ask for the wanted action first: "We launched on Monday. Who won on Friday?" */
function sortByLikelihood(wanted: readonly Class[], reading: Reading): readonly SentenceReading[] {
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

/** The search query of the first sentence, or of another one ("Has Figma launched? Look it up."). */
export function findQuery(sentences: readonly SentenceReading[]): string {
  return sentences.find(({ query }) => query !== "")?.query ?? "";
}

/** Whether a message has only polite phrases and punctuation. */
const isSmallTalk = ({ text, chart }: Reading): boolean =>
  !/[\p{L}\p{N}]/u.test(blankOut(text, chart.all("politeness")));
