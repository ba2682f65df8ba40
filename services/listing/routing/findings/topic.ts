import type { Chart, Span } from "../text/chart.ts";

/**
 * The topic of the launches that a text asks for: "ai" in "AI tools launched last week". It stands beside a word for products.
 * Its name is English, since the site's launches are described in English.
 *
 * @param category "topicName" also finds a topic that stands alone
 */
export function findTopic(
  chart: Chart,
  category: "topicAndProduct" | "topicName" = "topicAndProduct",
): string | undefined {
  const lengthOf = ({ start, end }: Span): number => end - start;
  // "Both design tools and AI" means launches about the two at once. Of topics that may be meant the longest one is.
  const isBoth = chart.has("bothOf");
  const topics = chart
    .all(isBoth ? "topicName" : category)
    .flatMap(topicsIn)
    .sort((one, other) => (isBoth ? 0 : lengthOf(other) - lengthOf(one)));
  const names = new Set(topics.map((topic) => nameOf(chart, topic)));
  return names.size === 0 ? undefined : [...names].slice(0, isBoth ? 2 : 1).join(" ");
}

/** The topics within a phrase. */
export const topicsIn = (span: Span): readonly Span[] =>
  span.category === "topicName" ? span.parts : span.category === "ownTopic" ? [span] : span.parts.flatMap(topicsIn);

/** English topics have no other name than what is written. */
export const nameOf = ({ text }: Chart, { meaning, start, end }: Span): string => meaning || text.slice(start, end);
