import { z } from "zod";
import { tryParseJson } from "../../json.ts";

const maxNamed = 3;

const text = z.string().optional().catch(undefined);
const launch = z.looseObject({ name: z.string(), tagline: text, votesCount: z.number().optional().catch(undefined) });
const launches = z.array(launch).optional().catch(undefined);
const launchPayload = z.looseObject({
  action: text,
  posts: launches,
  hits: launches,
  total: z.number().optional().catch(undefined),
  offset: z.number().optional().catch(undefined),
  ascending: z.boolean().optional().catch(undefined),
  sort: text,
  query: text,
  timeframe: z.looseObject({ label: text }).optional().catch(undefined),
  note: text,
});

type Launch = z.output<typeof launch>;

/**
 * Describes what is between `<payload>` and `</payload>` in a prompt: launches with their count and leaders, or confetti. Every number
 * comes from the payload, or counts its entries. Undefined without either.
 */
export function summarisePayload(prompt: string): string | undefined {
  const [, json = ""] = /<payload>([\s\S]*?)<\/payload>/.exec(prompt) ?? [];
  const payload = launchPayload.safeParse(tryParseJson(json)).data ?? {};
  const list = payload.posts ?? payload.hits;
  if (list) return [summariseLaunches(list, payload), ...(payload.note ? [toSentence(payload.note)] : [])].join(" ");
  return payload.action?.toLowerCase() === "confetti" ? "Confetti is on its way!" : undefined;
}

function summariseLaunches(list: Launch[], payload: z.output<typeof launchPayload>): string {
  const scope = formatScope(payload);
  const { total, ascending, sort, offset } = payload;
  if (list.length === 0) return `There are no ${offset ? "more " : ""}launches to show${scope}.`;
  // The list may be only a part of all launches. The part of the program that displays the list states the total.
  const isPart = total !== undefined && total > list.length;
  const ranked = (ascending ?? sort) ? list : list.toSorted((a, b) => (b.votesCount ?? -1) - (a.votesCount ?? -1));
  const [leader, ...others] = ranked;
  const comes = sort ? "comes first" : ascending ? "comes last" : "leads";
  const lead = leader ? `${leader.name} ${comes}${formatVotes(leader, " with ")}${formatTagline(leader)}` : "";
  if (list.length === 1 && leader) {
    const only = isPart ? "The one shown is" : `There is one launch${scope}:`;
    return `${only} ${leader.name}${formatVotes(leader, ", with ")}${formatTagline(leader)}.`;
  }
  const next = others.slice(0, maxNamed - 1).map((other) => `${other.name}${formatVotes(other, " (", ")")}`);
  const these = isPart ? `Of the ${list.length} shown` : `Of these ${list.length} launches${scope}`;
  return `${these}, ${lead}. Next: ${next.join(" and ")}.`;
}

function formatScope({ timeframe, query }: z.output<typeof launchPayload>): string {
  if (timeframe?.label) return ` ${formatTimeframe(timeframe.label)}`;
  return query ? ` for "${query}"` : "";
}

/** Formats a timeframe's label for use after "launches": "of yesterday", "since Monday", "from 2026-11-01 to 2026-11-05". */
function formatTimeframe(label: string): string {
  if (label.startsWith("since ")) return label;
  const range = /^from:\s*(\S+) to:\s*(\S+)$/.exec(label);
  return range ? `from ${range[1]} to ${range[2]}` : `of ${label.replace(/^(?=last \d)/, "the ")}`;
}

function formatVotes({ votesCount }: Launch, before: string, after = ""): string {
  if (votesCount === undefined) return "";
  return `${before}${votesCount} ${votesCount === 1 ? "vote" : "votes"}${after}`;
}

function formatTagline({ tagline }: Launch): string {
  return tagline ? ` ("${tagline.replace(/[.\s]+$/, "")}")` : "";
}

function toSentence(remark: string): string {
  const trimmed = remark.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
