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
    return times.map(({ timeframe }) => ({ ...ranking, action: "top_timeframe", timeframe, decidedBy: "model" }));
  }
  return undefined;
}

function splitMessage(reading: Reading, options: RouteOptions): Route[] | undefined {
  const { message, chart, sentences } = reading;
  if (!chart.has("ranking")) return undefined;
  const asked = ["ranking", "confetti", "searching", "tip"].flatMap((category) => chart.all(category));
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
    if (areVague && isRanking(first) && isRanking(second)) continue;
    return shareTime([first, second], chart.has("allTime"));
  }
  return undefined;
}

const isRanking = ({ action }: Route): boolean => action === "top" || action === "top_timeframe";

const isVague = ({ action, topic }: Route): boolean => action === "top" && topic === undefined;

/** The request in a part of a message, if that part would be complete on its own. */
function readPart(text: string, options: RouteOptions): Route | undefined {
  const reading = readMessage(text, options);
  const { route } = routeReading(reading);
  const { chart } = reading;
  const { action, decidedBy, query, limit, timeframe, topic } = route;
  if (hasQuotes(reading.text)) return undefined;
  if (action === "advice") return chart.has("tip") && !chart.has("ranking") ? route : undefined;
  if (action === "confetti") return chart.has("confetti") ? route : undefined;
  if (action === "search" && chart.has("searching")) return query === "" ? undefined : route;
  // "Top AI tools" is a search on its own.
  if (action === "search" && chart.has("ranking")) return { ...readRanking(reading), decidedBy };
  const isComplete = chart.has("allTime") || (limit ?? timeframe ?? topic) !== undefined;
  return chart.has("ranking") && isComplete ? route : undefined;
}

/** In "Top AI tools and top design tools of yesterday" the time applies to both. */
function shareTime([first, second]: [Route, Route], isTimeless: boolean): Route[] {
  if (isTimeless || first.action !== "top" || second.action !== "top_timeframe") return [first, second];
  return [{ ...first, action: "top_timeframe", timeframe: second.timeframe }, second];
}
