import { z } from "zod";
import type { Payload, Table } from "./payload.ts";

const maxNamed = 3;
const maxFields = 6;
const maxFieldCharacters = 200;

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
  source: text,
  status: text,
  error: text,
});

type Launch = z.output<typeof launch>;

/**
 * Describes a payload in words: launches with their count and leaders, a table by its rows, other JSON by its fields.
 * Every number comes from the payload, or counts its entries.
 */
export function summarise(payload: Payload): string {
  if ("table" in payload) return summariseTable(payload.table);
  const parsed = launchPayload.safeParse(payload.data);
  if (!parsed.success) return summariseFields(payload.data);
  const { posts, hits, action, status, error, note, source } = parsed.data;
  const list = posts ?? hits;
  const remarks = [status, error, note, source && `Source: ${source}`].flatMap((remark) =>
    remark ? [toSentence(remark)] : [],
  );
  if (list) return [summariseLaunches(list, parsed.data), ...remarks].join(" ");
  if (action?.toLowerCase() === "confetti") return "Confetti is on its way!";
  return summariseFields(payload.data);
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

function summariseTable({ columns, rows }: Table): string {
  const [first] = rows;
  if (!first) return "The table has no rows.";
  const fields = columns.map((column, index) => `${column}: ${first[index] || "–"}`).slice(0, maxFields);
  const count = rows.length === 1 ? "one row" : `${rows.length} rows`;
  return `The table has ${count}. The first: ${fields.join(", ")}.`;
}

function summariseFields(data: object): string {
  if (Array.isArray(data)) {
    const [first] = data as unknown[];
    const count = data.length === 1 ? "one entry" : `${data.length} entries`;
    if (typeof first !== "object" || first === null) return `The data has ${count}.`;
    return `The data has ${count}. The first: ${formatFields(first)}.`;
  }
  return `The data says: ${formatFields(data) || "nothing"}.`;
}

function formatFields(data: object): string {
  const said = Object.entries(data).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [`${name}: ${value.length === 1 ? "one entry" : `${value.length} entries`}`];
    if (value === null || typeof value === "object") return [];
    return [`${name}: ${String(value).slice(0, maxFieldCharacters)}`];
  });
  return said.slice(0, maxFields).join(", ");
}
