import type { ListPayload, UnavailableReason } from "@agent-backends/contract";
import { escapeMarkdown } from "../render/text.ts";

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
 * The Markdown before the model's words: the table and a line that names its subject and source. Without a table, a line that says
 * whether the source has nothing or did not answer.
 *
 * @param subject what is listed, in lower case: "launches of all time"
 */
export function introduceList(payload: ListPayload, subject: string): string {
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
  if (length === 0 && payload.topic !== undefined)
    return `No ${subject} were found among the ${payload.examined} with the most votes. Source: ${source}.${age}\n\n`;
  if (length === 0) return `No ${payload.offset ? "more " : ""}${subject} were found. Source: ${source}.${age}\n\n`;
  const extent = payload.partial ? " The source has more that was not read." : describeExtent(payload, length);
  return `${payload.table}\n\n${subject.replace(/^l/, "L")}. Source: ${source}.${extent}${age}\n\n`;
}

/** When a rate-limited source may be asked again. */
function describeRetry({ retry_after_seconds: seconds }: ListPayload): string {
  return seconds === undefined ? "" : ` Try again in ${describeDuration(seconds, Math.ceil)}.`;
}

/** How many launches there are, and which of them the table shows. */
function describeExtent(payload: ListPayload, length: number): string {
  const { total, truncated, offset = 0, ascending, examined, topic } = payload;
  if (topic !== undefined)
    return ` Found among the ${examined} launches with the most votes of that time${total === undefined || total === examined ? "" : `, of ${total}`}.`;
  if (ascending && total === examined) return ` The fewest votes come first, of ${total}.`;
  if (ascending) {
    const all = total === undefined ? "" : ` of ${total}`;
    return ` The fewest votes come first, of the ${examined}${all} that were read: the source lists from the most votes down.`;
  }
  const shown = `the table shows ${describeRange(offset, length)}`;
  if (!truncated && offset === 0) return "";
  return total === undefined ? ` There are more; ${shown}.` : ` There are ${total} in all; ${shown}.`;
}

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
