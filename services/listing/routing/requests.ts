import { actions, getAction, isKind, toRanking } from "../actions/index.ts";
import { hasQuotes } from "./findings/query.ts";
import { findTimes } from "./findings/times.ts";
import type { Reading } from "./reading.ts";
import type { Route, RouteOptions } from "./route.ts";
import { readMessage, readRanking, routeReading } from "./route.ts";

/** Maximum number of requests in one message. Users can ask for more in their next messages. */
const maxTimes = 7;
/** Maximum number of places to split a message. Trying one costs as much as reading a message. */
const maxSplits = 6;

/** Splits a message that asks for two things: "top 3 today and confetti", "compare this week with last week". */
export function splitRequests(reading: Reading, options: RouteOptions): Route[] | undefined {
  return compareTimes(reading) ?? splitMessage(reading, options);
}

/** Returns one list for each time. Without a word of comparison, "October and November" means the days of both. */
function compareTimes(reading: Reading): Route[] | undefined {
  for (const { chart } of reading.sentences) {
    if (!chart.has("comparing")) continue;
    // "Is Monday better than Friday?" asks for advice.
    const times = findTimes(chart, reading.today).filter(({ kind }) => kind !== "weekday" || !chart.has("weighing"));
    if (times.length < 2 || times.length > maxTimes) continue;
    const ranking = readRanking(reading);
    return times.map(({ timeframe }) => ({ ...ranking, action: toRanking(timeframe), timeframe, decidedBy: "model" }));
  }
  return undefined;
}

function splitMessage(reading: Reading, options: RouteOptions): Route[] | undefined {
  const { message, chart, sentences } = reading;
  if (!chart.has("ranking")) return undefined;
  const asked = actions.map(({ concept }) => concept).flatMap((category) => chart.all(category));
  const places = [...chart.all("andAlso"), ...sentences.map(({ place }) => ({ ...place, end: place.start }))]
    // Reading both parts costs as much as reading two messages.
    .filter(({ start, end }) => asked.some((one) => one.end <= start) && asked.some((one) => one.start >= end));
  for (const { start, end } of places.slice(0, maxSplits)) {
    const [raw, from, to] = [message.raw, message.rawIndex(start), message.rawIndex(end)];
    const [first, second] = [raw.slice(0, from), raw.slice(to)].map((part) => readPart(part, options));
    if (first === undefined || second === undefined) continue;
    // Several sentences or clauses usually describe one ranking: "Yesterday's winners, please. Top 5."
    const areClauses = sentences.length > 1 || /[,、]/.test(message.text.charAt(start));
    const areVague = areClauses || (!chart.has("allTime") && (isVague(first) || isVague(second)));
    if (areVague && isKind("ranking", first) && isKind("ranking", second)) continue;
    return shareTime([first, second], chart.has("allTime"));
  }
  return undefined;
}

const isAllTime = (route: Route): boolean => isKind("ranking", route) && route.timeframe === undefined;

const isVague = (route: Route): boolean => isAllTime(route) && route.topic === undefined;

/** The request in a part of a message, if that part would be complete on its own. */
function readPart(text: string, options: RouteOptions): Route | undefined {
  const reading = readMessage(text, options);
  const { route } = routeReading(reading);
  const { chart } = reading;
  const { action, decidedBy, query, limit, timeframe, topic } = route;
  if (hasQuotes(reading.text)) return undefined;
  const { kind, concept } = getAction(action);
  const isNamed = chart.has(concept);
  if (kind === "advice") return isNamed && !chart.has("ranking") ? route : undefined;
  if (kind === "effect") return isNamed ? route : undefined;
  if (kind === "search" && isNamed) return query === "" ? undefined : route;
  // "Top AI tools" is a search on its own.
  if (kind === "search" && chart.has("ranking")) return { ...readRanking(reading), decidedBy };
  const isComplete = chart.has("allTime") || (limit ?? timeframe ?? topic) !== undefined;
  return chart.has("ranking") && isComplete ? route : undefined;
}

/** In "Top AI tools and top design tools of yesterday" the time applies to both. */
function shareTime([first, second]: [Route, Route], isTimeless: boolean): Route[] {
  const { timeframe } = second;
  if (isTimeless || !isAllTime(first) || !isKind("ranking", second) || timeframe === undefined) return [first, second];
  return [{ ...first, action: toRanking(timeframe), timeframe }, second];
}
