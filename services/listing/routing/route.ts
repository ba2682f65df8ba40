import type { ListingAction } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import type { ActionKind, Wanted } from "../actions/action.ts";
import { actions, getAction, toRanking } from "../actions/index.ts";
import { toLocalDate } from "../timeframe/calendar.ts";
import { findOrder } from "./findings/conditions.ts";
import { isHomonym } from "./findings/times.ts";
import type { Class } from "./model/classifier.ts";
import { classes, classify } from "./model/classifier.ts";
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

/** The action that a message names explicitly. */
const findCommand = ({ text }: Reading): ListingAction | undefined =>
  actions.find(({ command }) => command.test(text))?.name;

/** Minimum probability of an action. Below it the answer is advice. */
const minConfidence = 0.4;

/**
 * Decides what a message asks for: commands by exact rules, everything else by the model. The grammar finds the parameters. Takes about a
 * quarter of a millisecond and calls nothing.
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
  const kind = getKind(label);
  const isRanking = kind === "search" && reading.sentences.some((one) => isNarrowed(one, reading));
  if (isRanking) return { ...readRanking(reading), decidedBy: "model" };
  if (label === "follow_up" || confidence < minConfidence) return { ...guess(reading), decidedBy: "doubt" };
  const isChatter = isSmallTalk(reading) || (kind === "advice" && reading.chart.has("inject"));
  if ((kind === "advice" || kind === "search") && isChatter) return { action: "advice", decidedBy: "chatter" };
  return { ...getParameters(label, reading), decidedBy: "model" };
}

/** "AI tools launched last week": the search index can't filter by time, but a ranking can be narrowed to a topic. */
const isNarrowed = (sentence: SentenceReading, { filters }: Reading): boolean => {
  const { time, isFuture, isTheme, topic, query, unknownTopic } = sentence;
  if (time === undefined || isFuture || isTheme) return false;
  return topic !== undefined || query === unknownTopic || filters.places.length > 0;
};

/** Parses a message for the rules and the model. */
export function readMessage(message: string, { now, timezone, isZoneFixed }: RouteOptions): Reading {
  return new Reading(message, (zone) => toLocalDate(now, isZoneFixed ? timezone : (zone ?? timezone)));
}

/** The most likely class. The rankings are added up, because the grammar knows best whether there is a time. */
function decide(reading: Reading) {
  const likely = classify(toFeatures(reading));
  const labels = classes.toSorted((one, other) => likely[other] - likely[one]);
  const rankings = labels.filter((label) => getKind(label) === "ranking");
  const confidence = rankings.reduce((sum, label) => sum + likely[label], 0);
  const [ranking] = rankings;
  const other = labels.find((label) => label !== ranking && getKind(label) !== "ranking") ?? "follow_up";
  const isRanking = ranking !== undefined && confidence >= likely[other];
  const best = isRanking ? { label: ranking, confidence } : { label: other, confidence: likely[other] };
  return { ...best, followUp: likely.follow_up };
}

const getKind = (label: Class): ActionKind | undefined => (label === "follow_up" ? undefined : getAction(label).kind);

/** Without an earlier message, "and yesterday?" asks for a list. */
function guess(reading: Reading): Omit<Route, "decidedBy"> {
  const [sentence, ...others] = reading.sentences;
  if (sentence === undefined || others.length > 0) return { action: "advice" };
  return sentence.time === undefined ? { action: "advice" } : findRanking(reading, true);
}

/** The ranking that a message would ask for. */
export const readRanking = (reading: Reading): Omit<Route, "decidedBy"> => findRanking(reading, false);

function getParameters(action: ListingAction, reading: Reading): Omit<Route, "decidedBy"> {
  const { kind, readParameters } = getAction(action);
  if (kind === "ranking") return findRanking(reading, action !== toRanking(undefined));
  if (kind !== "search") return { action, ...readParameters?.(reading.chart) };
  const sentences = sortByLikelihood((label) => label === action, reading);
  const query = findQuery(sentences);
  const limit = findFirst(sentences, (one) => one.limit)?.limit;
  const timeframe = sentences.find((one) => one.query === query)?.separateTime?.timeframe;
  return { action, query, limit, timeframe, ...reading.filters.conditions };
}

/** @param isTimed whether the model expects a time */
function findRanking(reading: Reading, isTimed: boolean): Omit<Route, "decidedBy"> {
  const sentences = sortByLikelihood((label) => label === "follow_up" || getKind(label) === "ranking", reading);
  const hasAny = (category: string) => sentences.some(({ chart }) => chart.has(category)) || undefined;
  const { offset = 0 } = reading.filters.conditions;
  const named = findFirst(sentences, (one) => one.limit)?.limit;
  // "The top 10 without the first" has 9 items.
  const rest = named !== undefined && named > offset ? named - offset : named;
  const limit = rest ?? (hasAny("latestOne") ? 1 : hasAny("everything") && listingLimits.posts.max);
  const order =
    findFirst(sentences, ({ chart, time }) => findOrder(chart, time)) ??
    (hasAny("whatsNew") && { sort: "date" as const });
  const topic = findFirst(sentences, (one) => one.topic);
  const unknown_topic = topic === undefined ? findFirst(sentences, (one) => one.unknownTopic) : undefined;
  const conditions = {
    ascending: hasAny("fewestVotes"),
    ...order,
    topic,
    unknown_topic,
    ...reading.filters.conditions,
  };
  // "I teach a class tomorrow. Which are the top 5?"
  const isBeside = (one: SentenceReading) => !isTimed && one.isFuture && sentences.length > 1;
  const timed = sentences.find((one) => one.time !== undefined && !isBeside(one));
  const tz = reading.timezone?.tz;
  // A time that isn't understood, or has no beginning, is refused. It is never replaced by another time.
  const unread = sentences
    .find(({ chart }) => chart.all("timeWord").some((word) => !isHomonym(chart, word)))
    ?.text.trim();
  const isTimeless = (timed ?? tz ?? unread) === undefined;
  // "The newest AI tools" means those of all time.
  if (isTimeless && (!isTimed || (order?.sort === "date" && !hasAny("whatsNew"))))
    return { action: toRanking(undefined), limit, ...conditions };
  const timeframe = (timed?.time?.kind === "until" ? timed.text : timed?.time?.timeframe) ?? unread ?? "today";
  return { action: toRanking(timeframe), limit, counted: hasAny("howMany"), timeframe, tz, ...conditions };
}

/** The first sentence's value that isn't undefined. */
const findFirst = <Found>(
  sentences: readonly SentenceReading[],
  find: (sentence: SentenceReading) => Found | undefined,
): Found | undefined => sentences.map(find).find((found) => found !== undefined);

const likelihoodSteps = 20;

/** Sorts the sentences that ask for the wanted action first: "We launched on Monday. Who won on Friday?" */
function sortByLikelihood(isWanted: (label: Class) => boolean, reading: Reading): readonly SentenceReading[] {
  const { sentences } = reading;
  if (sentences.length < 2) return sentences;
  const wanted = classes.filter(isWanted);
  // Of sentences that are about as likely, the first one counts.
  return sentences
    .map((sentence) => {
      const likely = classify(toFeatures(reading, [sentence]));
      const likelihood = wanted.reduce((sum, label) => sum + likely[label], 0);
      return { sentence, step: Math.round(likelihood * likelihoodSteps) };
    })
    .sort((one, other) => other.step - one.step)
    .map(({ sentence }) => sentence);
}

/** The search query of the first sentence, or of another one ("Has Figma launched? Look it up."). */
export function findQuery(sentences: readonly SentenceReading[]): string {
  return sentences.find(({ query }) => query !== "")?.query ?? "";
}

/** Whether a message has only polite phrases and punctuation. */
const isSmallTalk = ({ text, chart }: Reading): boolean =>
  !/[\p{L}\p{N}]/u.test(blankOut(text, chart.all("politeness")));
