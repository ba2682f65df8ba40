import type { Chart, Span } from "../text/chart.ts";

/**
 * The topic of the launches that a text asks for: "ai" in "AI tools launched last week". It stands beside a word for products.
 * Its name is English, since the site's launches are described in English.
 */
export function findTopic(chart: Chart): string | undefined {
  const lengthOf = ({ start, end }: Span): number => end - start;
  const [topic] = chart
    .all("topicAndProduct")
    .flatMap(({ parts }) => parts.filter(({ category }) => category === "topicName").flatMap((name) => name.parts))
    .sort((one, other) => lengthOf(other) - lengthOf(one));
  // English topics have no other name than what is written.
  return topic?.meaning === "" ? chart.text.slice(topic.start, topic.end) : topic?.meaning;
}
