import type { ListingPayload, UnavailableReason } from "@agent-backends/contract";
import { escapeMarkdown } from "../render/text.ts";
import { describeWindow } from "../render/window.ts";

type ListPayload = Exclude<ListingPayload, { action: "CONFETTI" }>;

const shownQueryLength = 100;

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
 * What an answer says about a list before the model's words, in Markdown with an empty line at its end: the table, and a
 * line that names its window and source; without a table, a line that says whether the source has nothing or did not answer.
 */
export function noticeOf(payload: ListPayload): string {
  const source = escapeMarkdown(payload.source);
  const subject = subjectOf(payload);
  const failure = failures[payload.reason ?? "failed"];
  const retry = retryOf(payload);
  if (payload.status === "unavailable") {
    return `There is no list of ${subject}: the source, ${source}, ${failure}. That does not mean that there are none.${retry}\n\n`;
  }
  const age =
    payload.status === "stale"
      ? ` This is ${inWords(payload.age_seconds ?? 0, Math.floor)} old, as of ${payload.as_of}: asked again now, the source ${failure}.${retry}`
      : "";
  const { length } = "hits" in payload ? payload.hits : payload.posts;
  if (length === 0) return `No ${payload.offset ? "more " : ""}${subject} were found. Source: ${source}.${age}\n\n`;
  const extent = payload.partial ? " The source has more that was not read." : extentOf(payload, length);
  return `${payload.table}\n\n${subject.replace(/^l/, "L")}. Source: ${source}.${extent}${age}\n\n`;
}

/** When a source that takes no more requests may be asked again. */
function retryOf({ retry_after_seconds: seconds }: ListPayload): string {
  return seconds === undefined ? "" : ` Try again in ${inWords(seconds, Math.ceil)}.`;
}

/** How many there are, and which of them the table shows. */
function extentOf({ total, truncated, offset = 0, ascending, examined }: ListPayload, length: number): string {
  if (ascending && total === examined) return ` The fewest votes come first, of ${total}.`;
  if (ascending) {
    const all = total === undefined ? "" : ` of ${total}`;
    return ` The fewest votes come first, of the ${examined}${all} that were read: the source lists from the most votes down.`;
  }
  const shown = `the table shows ${rangeShown(offset, length)}`;
  if (!truncated && offset === 0) return "";
  return total === undefined ? ` There are more; ${shown}.` : ` There are ${total} in all; ${shown}.`;
}

function rangeShown(offset: number, length: number): string {
  if (offset > 0) return length === 1 ? `number ${offset + 1}` : `${offset + 1} to ${offset + length}`;
  return length === 1 ? "the first one" : `the first ${length}`;
}

function inWords(seconds: number, round: (count: number) => number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, "second"]
      : seconds < 7_200
        ? [round(seconds / 60), "minute"]
        : [round(seconds / 3_600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function subjectOf(payload: ListPayload): string {
  switch (payload.action) {
    case "top":
      return "launches of all time";
    case "top_timeframe":
      return `launches of ${escapeMarkdown(describeWindow(payload.timeframe))}`;
    case "search":
      return `launches that match “${escapeMarkdown(payload.query, shownQueryLength)}”`;
  }
}
