import type { ListPayload, UnavailableReason } from "@agent-backends/contract";
import { listingLimits } from "@agent-backends/contract";
import { escapeMarkdown } from "../render/text.ts";
import { describeLaunches, describeOrder } from "./conditions.ts";

const failures: Record<UnavailableReason, string> = {
  not_configured: "is not configured for this service",
  unreachable: "can't be reached",
  timed_out: "did not answer in time",
  rate_limited: "takes no more requests for now",
  refused: "refused this service's credentials",
  failed: "answered with an error",
  invalid_answer: "gave an answer that can't be read",
};

/**
 * The Markdown before the model's text: the table, and a line that names its subject and source. Without a table, a line that says whether
 * the source has nothing or didn't respond.
 *
 * @param request.scope describes the launches, apart from the conditions: "of all time"
 * @param request.isCounted whether the user asked for the number of launches
 */
export function introduceList(payload: ListPayload, request: { scope: string; isCounted: boolean }): string {
  const subject = `${describeLaunches(payload)} ${request.scope}`;
  const source = escapeMarkdown(payload.source);
  const failure = failures[payload.reason ?? "failed"];
  const retry = describeRetry(payload);
  if (payload.status === "unavailable") {
    return `There is no list of ${subject}: the source, ${source}, ${failure}. That does not mean that there are none.${retry}\n\n`;
  }
  const age =
    payload.status === "stale"
      ? ` This is ${describeDuration(payload.age_seconds ?? 0, Math.floor)} old, as of ${payload.as_of}: asked again now, the source ${failure}.${retry}`
      : "";
  const { length } = "hits" in payload ? payload.hits : payload.posts;
  if (length === 0) {
    const among = payload.matched === undefined || !payload.examined ? "" : ` ${describeExamined(payload)}`;
    return `No ${payload.offset ? "more " : ""}${subject} were found${among}.${describeFuture(payload)} Source: ${source}.${age}\n\n`;
  }
  return `${payload.table}\n\n${capitalise(subject)}. Source: ${source}.${describeExtent(payload, length, request.isCounted)}${age}\n\n`;
}

function describeFuture(payload: ListPayload): string {
  const begins = "timeframe" in payload ? payload.timeframe.postedAfter : "";
  return begins > (payload.as_of ?? begins) ? " That time has not begun yet." : "";
}

/** Says when a rate-limited source can be asked again. */
function describeRetry({ retry_after_seconds: seconds }: ListPayload): string {
  return seconds === undefined ? "" : ` Try again in ${describeDuration(seconds, Math.ceil)}.`;
}

/** Describes the launches that were examined, the order, and the part of the list in the table. */
function describeExtent(payload: ListPayload, length: number, isCounted: boolean): string {
  const order = describeOrder(payload);
  const isSiteOrder = order === "" || (payload.sort === "date" && !payload.ascending);
  const sentences = [
    payload.matched !== undefined && `Found ${describeExamined(payload)}`,
    order + (isSiteOrder || payload.matched !== undefined ? "" : describeRead(payload)),
    (isSiteOrder || isCounted || payload.matched !== undefined) && describeShown(payload, length, isCounted),
    payload.unknown_topic !== undefined &&
      `“${escapeMarkdown(payload.unknown_topic)}” was not found ${describeExamined(payload)}, so the list isn't limited to it`,
  ];
  return sentences.map((sentence) => (sentence ? ` ${capitalise(sentence)}.` : "")).join("");
}

function describeShown(payload: ListPayload, length: number, isCounted: boolean): string {
  const { total, matched, truncated, partial, offset = 0, limit } = payload;
  if (matched === undefined && partial) return "The source has more that was not read";
  const count = matched === undefined ? (total === undefined ? "more" : `${total} in all`) : `${matched} of them`;
  if (offset === 0 && (matched === undefined ? !truncated : matched === length))
    return isCounted
      ? `there ${length === 1 ? "is" : "are"} ${matched === undefined ? `${length} in all` : count}`
      : "";
  const isMost = "posts" in payload && truncated && limit === listingLimits.posts.max;
  const most = isMost ? ", the most at once. Ask for “more” to see the next ones" : "";
  return `there are ${count}; the table shows ${describeRange(offset, length)}${most}`;
}

/** Describes the launches that were examined for a filtered list. */
function describeExamined(payload: ListPayload): string {
  const { examined, total } = payload;
  const time = "timeframe" in payload ? " of that time" : "";
  if (total === examined) return `among all ${total} launches${time}`;
  return `among the ${examined} ${describeFirst(payload)}${time}${total === undefined ? "" : `, of ${total}`}`;
}

/** Describes the launches that were read to sort the list, if the source has another order. */
function describeRead(payload: ListPayload): string {
  const { examined, total } = payload;
  if (total === examined) return `, of ${total}`;
  const all = total === undefined ? "" : ` of ${total}`;
  return `, of the ${examined}${all} that were read: the source lists the ${describeFirst(payload)} first`;
}

function describeFirst(payload: ListPayload): string {
  if ("hits" in payload) return "best matches";
  return payload.sort === "date" ? "newest launches" : "launches with the most votes";
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function describeRange(offset: number, length: number): string {
  if (offset > 0) return length === 1 ? `number ${offset + 1}` : `${offset + 1} to ${offset + length}`;
  return length === 1 ? "the first one" : `the first ${length}`;
}

function describeDuration(seconds: number, round: (count: number) => number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, "second"]
      : seconds < 7_200
        ? [round(seconds / 60), "minute"]
        : [round(seconds / 3_600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
