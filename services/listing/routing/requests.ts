import { findTimes } from "./findings/times.ts";
import type { Reading } from "./reading.ts";
import type { Route, RouteOptions } from "./route.ts";
import { readMessage, readRanking, routeReading } from "./route.ts";

/** More requests of one message are left to the next ones. */
const maxTimes = 3;
/** Places where a message may go on to another request. Each that is tried costs as much as a message. */
const maxSplits = 6;

/** What a message asks for when it asks for two things: "top 3 today and confetti", "compare this week with last week". */
export function splitRequests(reading: Reading, options: RouteOptions): Route[] | undefined {
  return compareTimes(reading) ?? splitMessage(reading, options);
}

/** One list for each time. Without a word of comparison, "October and November" are the days of both. */
function compareTimes(reading: Reading): Route[] | undefined {
  const { chart, today } = reading;
  if (!chart.has("comparing") || chart.has("built", "launchCraft")) return undefined;
  const times = findTimes(chart, today);
  if (times.length < 2 || times.length > maxTimes) return undefined;
  const ranking = readRanking(reading);
  return times.map(({ timeframe }) => ({ ...ranking, action: "top_timeframe", timeframe, decidedBy: "model" }));
}

function splitMessage(reading: Reading, options: RouteOptions): Route[] | undefined {
  const { message, chart, sentences } = reading;
  const rankings = chart.all("ranking").length;
  if (rankings === 0 || !(rankings > 1 || chart.has("confetti", "searching", "tip"))) return undefined;
  const places = [...chart.all("andAlso"), ...sentences.slice(1).map(({ place }) => ({ ...place, end: place.start }))];
  for (const { start, end } of places.slice(0, maxSplits)) {
    const [raw, from, to] = [message.raw, message.rawIndex(start), message.rawIndex(end)];
    const [first, second] = [raw.slice(0, from), raw.slice(to)].map((part) => readPart(part, options));
    if (first === undefined || second === undefined || isContained(second, first)) continue;
    // The model's advice comes after the results.
    return first.action === "advice" ? [second, first] : shareTime([first, second], chart.has("allTime"));
  }
  return undefined;
}

/** "Somebody said that an AI tool won last week, can you list last week's winners": the second part says less of the same list. */
const isContained = (second: Route, first: Route): boolean =>
  Object.entries(second).every(
    ([name, value]) => value === undefined || JSON.stringify(first[name as keyof Route]) === JSON.stringify(value),
  );

/** The request of a part of a message, if the part would be one by itself. */
function readPart(text: string, options: RouteOptions): Route | undefined {
  const reading = readMessage(text, options);
  const { route } = routeReading(reading);
  const { chart } = reading;
  const { action, decidedBy, query, limit, timeframe, topic } = route;
  if (action === "advice") return chart.has("tip") && !chart.has("ranking") ? route : undefined;
  if (decidedBy !== "model" && decidedBy !== "command") return undefined;
  if (action === "confetti") return chart.has("confetti") ? route : undefined;
  if (action === "search" && chart.has("searching")) return query === "" ? undefined : route;
  // "Top AI tools" is a search by itself.
  if (action === "search" && chart.has("ranking")) return { ...readRanking(reading), decidedBy };
  const isComplete = chart.has("allTime") || (limit ?? timeframe ?? topic) !== undefined;
  return chart.has("ranking") && isComplete ? route : undefined;
}

/** "Top AI tools and top design tools of yesterday": the time holds for both. */
function shareTime([first, second]: [Route, Route], isTimeless: boolean): Route[] {
  if (isTimeless || first.action !== "top" || second.action !== "top_timeframe") return [first, second];
  return [{ ...first, action: "top_timeframe", timeframe: second.timeframe }, second];
}
