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
  const [topic] = chart
    .all(category)
    .flatMap(topicsIn)
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  return topic && nameOf(chart, topic);
}

/** The topics within a phrase. */
export const topicsIn = (span: Span): readonly Span[] =>
  span.category === "topicName" ? span.parts : span.category === "ownTopic" ? [span] : span.parts.flatMap(topicsIn);

/** English topics have no other name than what is written. */
export const nameOf = ({ text }: Chart, { meaning, start, end }: Span): string => meaning || text.slice(start, end);
