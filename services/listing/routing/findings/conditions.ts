import type { ListConditions } from "@agent-backends/contract";
import type { Chart, Place, Span } from "../text/chart.ts";
import { partsOf } from "./spans.ts";
import { nameOf, topicsIn } from "./topic.ts";

/** What a text says of the launches that it doesn't want, and where it says it. */
export interface Filters {
  conditions: Pick<ListConditions, "excluded_topics" | "min_votes" | "max_votes">;
  places: Place[];
}

/** The topics and numbers of votes that a text rules out: "except AI", "more than 300 votes". */
export function findFilters(chart: Chart): Filters {
  // "No code" is a topic itself.
  const isOther = ({ start }: Span): boolean => chart.endAt("noExclusion", start) !== undefined;
  const exclusions = longest(chart.all("exclusion").filter((span) => !isOther(span)));
  const bounds = longest(chart.all("voteBound"));
  const words = chart.all("ranking").length > 0 ? chart.all("leftOut").filter((span) => isUnknown(chart, span)) : [];
  const excluded = [
    ...exclusions.flatMap(topicsIn).map((topic) => nameOf(chart, topic)),
    ...words.map((span) => chart.text.slice(startOfWord(span), span.end)),
  ];
  return {
    conditions: {
      ...(excluded.length > 0 && { excluded_topics: [...new Set(excluded)] }),
      ...Object.assign({}, ...bounds.map(toBounds)),
    },
    places: [...exclusions, ...words, ...bounds],
  };
}

/** Where the word begins that is left out. */
const startOfWord = ({ parts, start }: Span): number => (parts[0]?.end ?? start) + 1;

/** "Except Inkotter", but not "except yesterday". */
const isUnknown = (chart: Chart, span: Span): boolean =>
  !chart.at(startOfWord(span)).some(({ category }) => known.has(category)) && !chart.has("exclusion");

const known = new Set(["anyProduct", "time", "date", "number", "definite", "confetti", "celebrating"]);

/** Of phrases that overlap the first one, and of those that begin together the longest. */
function longest(spans: readonly Span[]): Span[] {
  const chosen: Span[] = [];
  for (const span of spans) if (span.start >= (chosen.at(-1)?.end ?? 0)) chosen.push(span);
  return chosen;
}

function toBounds(span: Span): Filters["conditions"] {
  const [one = 0, other = one] = partsOf(span, "number").map(Number);
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

/** The order that a text asks for: "newest first", "by comments". Words within a time don't count: "the latest 3 days". */
export function findOrder(chart: Chart, time?: Place): Pick<ListConditions, "sort" | "ascending"> | undefined {
  const isOfTime = ({ start, end }: Place) => time !== undefined && start < time.end && time.start < end;
  const found = chart.all("sort").find((span) => !isOfTime(span));
  if (found === undefined) return undefined;
  const [sort, direction] = found.meaning.split(" ") as [NonNullable<ListConditions["sort"]>, string?];
  return { sort, ascending: direction === "asc" ? true : undefined };
}
