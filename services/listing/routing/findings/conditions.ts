import type { ListConditions } from "@agent-backends/contract";
import type { Chart, Place, Span } from "../text/chart.ts";
import { overlaps } from "../text/chart.ts";
import { findValue, findValues, keepLongest } from "./spans.ts";
import { findTopics, getTopicName } from "./topic.ts";

/** Launches that a text excludes, and where it says so. */
export interface Filters {
  conditions: Pick<ListConditions, "excluded_topics" | "min_votes" | "max_votes"> & { offset?: number };
  places: Place[];
}

/** Finds the topics, vote counts and top places that a text excludes: "except AI", "more than 300 votes", "without the first". */
export function findFilters(chart: Chart): Filters {
  // "No code" is itself a topic.
  const isOther = ({ start }: Span): boolean => chart.endAt("noExclusion", start) !== undefined;
  const exclusions = keepLongest(chart.all("exclusion").filter((span) => !isOther(span)));
  const bounds = keepLongest(chart.all("voteBound"));
  // "No primeiro lugar" is Portuguese for "in first place", and "not the first" describes something.
  const skipped = chart.all("skipped").find((span) => !chart.endAt("noSkip", span.start) && countSkipped(span) > 0);
  const words = chart.has("ranking") ? chart.all("leftOut").filter((span) => isUnknown(chart, span)) : [];
  const excluded = [
    ...exclusions.flatMap(findTopics).map((topic) => getTopicName(chart, topic)),
    ...words.map((span) => chart.text.slice(findWordStart(span), span.end)),
  ];
  return {
    conditions: {
      ...(excluded.length > 0 && { excluded_topics: [...new Set(excluded)] }),
      ...Object.assign({}, ...bounds.map(toBounds)),
      ...(skipped && { offset: countSkipped(skipped) }),
    },
    places: [...exclusions, ...words, ...bounds, ...(skipped ? [skipped] : [])],
  };
}

/** 1 for "without the first", 3 for "except the top three". A list can't leave out only a later place. */
function countSkipped(span: Span): number {
  const place = findValue(span, "place");
  return place === undefined ? Number(findValue(span, "number") ?? 1) : place === "1" ? 1 : 0;
}

/** Start of the excluded word. */
const findWordStart = ({ parts, start }: Span): number => (parts[0]?.end ?? start) + 1;

/** Whether the excluded word is unknown: "except Inkotter", but not "except yesterday". */
const isUnknown = (chart: Chart, span: Span): boolean =>
  !chart.at(findWordStart(span)).some(({ category }) => knownCategories.has(category)) && !chart.has("exclusion");

const knownCategories = new Set(["anyProduct", "time", "date", "number", "definite", "confetti", "celebrating"]);

function toBounds(span: Span): Filters["conditions"] {
  const [one = 0, other = one] = findValues(span, "number").map(Number);
  switch (span.meaning) {
    case "above":
      return { min_votes: one + 1 };
    case "below":
      return { max_votes: one - 1 };
    case "min":
      return { min_votes: one };
    case "max":
      return { max_votes: one };
    default:
      return { min_votes: Math.min(one, other), max_votes: Math.max(one, other) };
  }
}

/** The order that a text asks for: "newest first", "by comments". Words inside a time don't count: "the latest 3 days". */
export function findOrder(chart: Chart, time?: Place): Pick<ListConditions, "sort" | "ascending"> | undefined {
  const found = chart.all("sort").find((span) => !overlaps(span, time));
  if (found === undefined) return undefined;
  const [sort, direction] = found.meaning.split(" ") as [NonNullable<ListConditions["sort"]>, string?];
  return { sort, ascending: direction === "asc" ? true : undefined };
}
