import type { ListConditions, Product } from "@agent-backends/contract";
import { listSorts } from "@agent-backends/contract";
import { z } from "zod";
import { escapeMarkdown } from "../render/text.ts";
import type { Wanted } from "./action.ts";

/** Selects and orders the launches of a list. Default order: votes, most first. */
export interface Conditions {
  topic?: string;
  /** Becomes the topic if a launch mentions it. Otherwise the list isn't limited to it. */
  unknown_topic?: string;
  excluded_topics?: string[];
  min_votes?: number;
  max_votes?: number;
  sort?: "comments" | "date" | "name";
  ascending?: true;
}

/** The conditions that differ from the defaults. */
export function toConditions(wanted: Wanted): Conditions {
  const { topic, unknown_topic, excluded_topics, min_votes, max_votes, sort, ascending = sort === "name" } = wanted;
  return {
    ...(ascending && { ascending }),
    ...(sort !== undefined && sort !== "votes" && { sort }),
    ...(topic !== undefined && { topic }),
    ...(unknown_topic !== undefined && { unknown_topic }),
    ...(excluded_topics !== undefined && excluded_topics.length > 0 && { excluded_topics }),
    ...(min_votes !== undefined && { min_votes }),
    ...(max_votes !== undefined && { max_votes }),
  };
}

export const conditionInputs = {
  topic: z
    .string()
    .optional()
    .describe(
      'In English: lists only launches that mention it, such as "developer tools", or one of several: "ai or design".',
    ),
  excluded_topics: z
    .array(z.string())
    .optional()
    .describe("In English: leaves out launches that mention one of these."),
  min_votes: z.number().optional().describe("Lists only launches with at least so many votes."),
  max_votes: z.number().optional().describe("Lists only launches with at most so many votes."),
  sort: z
    .enum(listSorts)
    .optional()
    .describe("What comes first: the most votes (default) or comments, the newest, or A."),
  ascending: z.boolean().optional().describe("true: the fewest votes or comments or the oldest first."),
};

/** An example with all fields of a valid request. */
export const conditionsExample = {
  topic: "developer",
  excluded_topics: ["ai"],
  min_votes: 1,
  max_votes: 1_000,
  sort: "comments",
  ascending: true,
};

/** Whether some launches are left out. */
export const isFiltered = ({ topic, excluded_topics, min_votes, max_votes }: Conditions): boolean =>
  (topic ?? excluded_topics ?? min_votes ?? max_votes) !== undefined;

/** The conditions, with the unknown topic as the topic if a launch mentions it. */
export function settleTopic(products: readonly Product[], { unknown_topic, ...conditions }: Conditions): Conditions {
  if (unknown_topic === undefined) return conditions;
  const isMentioned = products.some((product) => mentions(getWords(product), unknown_topic));
  return { ...conditions, ...(isMentioned ? { topic: unknown_topic } : { unknown_topic }) };
}

/** The launches that meet the conditions, in the requested order. */
export function applyConditions(products: readonly Product[], conditions: Conditions): readonly Product[] {
  const { topic, excluded_topics = [], min_votes, max_votes, sort, ascending } = conditions;
  const isWanted = (product: Product): boolean => {
    const { votesCount: votes } = product;
    if (topic !== undefined || excluded_topics.length > 0) {
      const words = getWords(product);
      if (topic !== undefined && !topic.split(either).some((one) => mentions(words, one))) return false;
      if (excluded_topics.some((excluded) => mentions(words, excluded))) return false;
    }
    if (min_votes !== undefined && (votes === null || votes < min_votes)) return false;
    return max_votes === undefined || (votes !== null && votes <= max_votes);
  };
  const listed = isFiltered(conditions) ? products.filter(isWanted) : products;
  if (sort === undefined && !ascending) return listed;
  const getValue = values[sort ?? "votes"];
  return listed.toSorted((one, other) => {
    const [first, second] = [getValue(one), getValue(other)];
    // Launches with an unknown value come last in either order.
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    const order = typeof first === "string" ? first.localeCompare(String(second), "en") : first - Number(second);
    return ascending ? order : -order;
  });
}

const values: Record<(typeof listSorts)[number], (product: Product) => number | string | undefined> = {
  votes: ({ votesCount }) => votesCount ?? undefined,
  comments: ({ commentsCount }) => commentsCount,
  date: ({ featuredAt, createdAt }) => featuredAt ?? createdAt,
  name: ({ name }) => name,
};

/** Separator of alternatives: "AI or design" matches launches that mention one of them. */
const either = " or ";

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const getWords = ({ name, tagline, description = "", topics = [] }: Product): string[] =>
  splitWords([name, tagline, description, ...topics].join(" "));

const minStemLength = 4;

/** Whether a product's words include those of a topic. Longer words may have another ending. */
function mentions(words: readonly string[], topic: string): boolean {
  const hold = (word: string): boolean =>
    words.some((one) => one === word || (word.length >= minStemLength && one.startsWith(word)));
  return splitWords(topic).every((word) => hold(word) || (abbreviations.get(word)?.every(hold) ?? false));
}

/** Topics that the site spells out. */
const abbreviations: ReadonlyMap<string, readonly string[]> = new Map([
  ["ai", ["artificial", "intelligence"]],
  ["ml", ["machine", "learning"]],
  ["dev", ["developer"]],
]);

/** Describes the launches: "launches about “ai”, without “design”, with at least 100 votes". */
export function describeLaunches({
  topic,
  excluded_topics: excluded = [],
  min_votes,
  max_votes,
}: ListConditions): string {
  const quoted = (topics: string[]): string => topics.map((one) => `“${escapeMarkdown(one)}”`).join(either);
  const [about, without] = [topic?.split(either) ?? [], excluded].map(quoted);
  const bounds = [
    min_votes !== undefined && `at least ${min_votes}`,
    max_votes !== undefined && `at most ${max_votes}`,
  ];
  const votes =
    min_votes === max_votes && min_votes !== undefined ? `exactly ${min_votes}` : bounds.filter(Boolean).join(" and ");
  return [
    "launches",
    about && ` about ${about}`,
    without && ` without ${without}`,
    votes && ` with ${votes} ${(max_votes ?? min_votes) === 1 ? "vote" : "votes"}`,
  ]
    .filter(Boolean)
    .join("");
}

/** Describes the order if it isn't the default: "the fewest votes come first". */
export function describeOrder({ sort, ascending }: Conditions): string {
  const [descending, reverse] = orders[sort ?? "votes"];
  return ascending ? reverse : descending;
}

const orders: Record<(typeof listSorts)[number], [descending: string, ascending: string]> = {
  votes: ["", "the fewest votes come first"],
  comments: ["the most comments come first", "the fewest comments come first"],
  date: ["the newest come first", "the oldest come first"],
  name: ["the names go from Z to A", "the names go from A to Z"],
};
