import { listingLimits } from "@agent-backends/contract";
import type { ActionContext, ToolCall } from "../actions/action.ts";
import { clamp } from "../actions/action.ts";
import { getAction, isKind, toRanking } from "../actions/index.ts";
import { search } from "../actions/search.ts";
import { readProductNames } from "../render/table.ts";
import type { Route } from "../routing/route.ts";
import { TimeframeError } from "../timeframe/error.ts";
import type { Question } from "./question.ts";

/**
 * Reads the last of a user's messages in the context of the earlier ones.
 *
 * @param request.timezone zone for a message that names none; undefined or unknown zones are ignored
 * @param request.countShown how many items the answer to a message shows
 */
export type RouteMessage = (
  turns: readonly string[],
  request: { timezone: string | undefined; countShown: (route: Route) => number },
) => Route;

/**
 * How to answer a message: call tools in sequence, give advice (possibly along with the results), or explain why the timeframe is invalid.
 */
export type Plan = { calls: ToolCall[]; shouldAdvise: boolean; isUnsure: boolean; note: string } | { refusal: string };

const otherForm = "A list always comes as this table.\n\n";
const timeless = "A search finds launches of all time, so the time that you name isn't applied.\n\n";

/**
 * Decides from the message and the request's tool parameters. `limit` and `timeframe` of the parameters take precedence over the message's.
 * Their `tz` is the zone of a message that names none. The message is read and its timeframe resolved in that one zone.
 */
export function planAnswer(question: Question, route: RouteMessage, context: ActionContext): Plan {
  const { message, toolParameters: parameters } = question;
  const countShown = ({ action, limit }: Route): number =>
    clamp(parameters.limit ?? limit ?? context.maxItems, getAction(action).range ?? listingLimits.posts);
  const routed = route(toTurns(question), { timezone: parameters.tz, countShown });
  if (routed.item !== undefined) {
    const item = planItem(question, routed.item, context);
    if (item !== undefined) return item;
  }
  const requests = [routed, ...(routed.otherRoutes ?? [])];
  const planOne = (request: Route): ToolCall | undefined => {
    const limit = parameters.limit ?? request.limit;
    const timeframe = parameters.timeframe ?? request.timeframe;
    const tz = request.tz ?? parameters.tz;
    // A timeframe in the parameters turns a ranking into one of that time.
    const name = isKind("ranking", request) ? toRanking(timeframe) : request.action;
    return getAction(name).plan({ ...request, message, limit, timeframe, tz }, context);
  };
  try {
    const planned = requests.map(planOne).filter((call) => call !== undefined);
    // If the parameters set the timeframe, both calls of a comparison become equal.
    const calls = [...new Map(planned.map((call) => [JSON.stringify([call.tool, call.args]), call])).values()];
    const shouldAdvise = requests.some((request) => isKind("advice", request));
    const isUnsure = calls.length === 0 && routed.decidedBy === "doubt";
    const isList = calls.some(({ tool }) => getAction(tool).range !== undefined);
    const isTimeless = requests.some((request) => isKind("search", request) && request.timeframe !== undefined);
    const note = `${routed.isOtherForm && isList ? otherForm : ""}${isTimeless ? timeless : ""}`;
    return { calls, shouldAdvise, isUnsure, note };
  } catch (error) {
    if (error instanceof TimeframeError) return { refusal: error.message };
    throw error;
  }
}

/**
 * Searches for the name of an item in the list that was shown last. Undefined if none was shown.
 *
 * @param place counts from 1, or from the end if negative
 */
function planItem({ history, message }: Question, place: number, context: ActionContext): Plan | undefined {
  const lists = history.flatMap(({ role, content }) => (role === "assistant" ? [readProductNames(content)] : []));
  const names = lists.findLast((list) => list.length > 0);
  if (names === undefined) return undefined;
  const name = names.at(place > 0 ? place - 1 : place);
  const call = name && search.plan({ message, query: name, limit: 1 }, context);
  if (call) return { calls: [call], shouldAdvise: false, isUnsure: false, note: "" };
  const rows = names.length === 1 ? "1 row" : `${names.length} rows`;
  return {
    refusal: `The last table has ${rows}, so there is no number ${place} in it. Ask for “more” to see further ones.`,
  };
}

/** The user's messages, oldest first. */
function toTurns({ message, history }: Question): string[] {
  const earlier = history.filter(({ role, content }) => role === "user" && content.trim() !== "");
  return [...earlier.map(({ content }) => content), message].map((turn) => turn.slice(0, listingLimits.readCharacters));
}
