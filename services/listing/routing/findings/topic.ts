import { blankOut } from "../text/characters.ts";
import type { Chart, Place, Span } from "../text/chart.ts";

/**
 * The topic of the requested launches: "ai" in "AI tools launched last week". It is next to a word for products. Its name is English,
 * because the site describes launches in English.
 *
 * @param category "topicName" also finds a topic that stands alone
 */
export function findTopic(
  chart: Chart,
  category: "topicAndProduct" | "topicName" | "topicAlone" = "topicAndProduct",
): string | undefined {
  const getLength = ({ start, end }: Span): number => end - start;
  // "Both design tools and AI" requires both topics. Of several possible topics the longest wins.
  const isBoth = chart.has("bothOf");
  const either = isBoth ? undefined : chart.all(category).find((span) => findTopics(span).length > 1);
  if (either !== undefined)
    return [...new Set(findTopics(either).map((topic) => getTopicName(chart, topic)))].join(" or ");
  const topics = chart
    .all(isBoth ? "topicName" : category)
    .flatMap(findTopics)
    .sort((one, other) => (isBoth ? 0 : getLength(other) - getLength(one)));
  const names = new Set(topics.map((topic) => getTopicName(chart, topic)));
  return names.size === 0 ? undefined : [...names].slice(0, isBoth ? 2 : 1).join(" ");
}

/**
 * Words in the position of a topic that the grammar doesn't know: "chess" in "chess apps", "beekeepers" in "apps for beekeepers". They may
 * also be an adjective or mistyped.
 */
export function findUnknownTopic(chart: Chart, { start, end }: Place): Place | undefined {
  if (end - start > maxSentenceLength) return undefined;
  const known = chart.hidden.filter((place) => place.start < end && start < place.end);
  for (let at = start; at < end; at++)
    known.push(...chart.at(at).filter(({ category }) => !topicCategories.has(category)));
  let topic: Place | undefined;
  let count = 0;
  for (const { index, 0: word } of blankOut(chart.text.slice(0, end), known).slice(start).matchAll(words)) {
    const place = { start: start + index, end: start + index + word.length };
    count = topic?.end === place.start - 1 ? count + 1 : 1;
    topic = { ...place, ...(count > 1 && { start: topic?.start }) };
    if (count <= maxWords && isBesideProduct(chart, topic)) return topic;
  }
  return undefined;
}

/** Longer sentences tell a story, and have unknown words in any position. */
const maxSentenceLength = 120;
/** More words than this form a clause. */
const maxWords = 2;
/** In scripts without spaces such a word is the text between known words. */
const words = /[\p{sc=Han}\p{sc=Katakana}ー]{2,}|[^\P{L}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}][\p{L}\p{M}']{2,}/gu;
const topicCategories = new Set(["topicName", "topicAlone", "topic", "productTopic", "excludedName", "leftOut"]);

const isBesideProduct = (chart: Chart, { start, end }: Place): boolean =>
  chart.endAt("productWord", end + (/[ -]/.test(chart.text.charAt(end)) ? 1 : 0)) !== undefined ||
  chart.all("topicFollows").some((one) => one.end === start - 1);

/** The topics within a phrase. */
export const findTopics = (span: Span): readonly Span[] =>
  span.category === "topicName" ? span.parts : span.category === "ownTopic" ? [span] : span.parts.flatMap(findTopics);

/** English topics are named as written. */
export const getTopicName = ({ text }: Chart, { meaning, start, end }: Span): string =>
  meaning || text.slice(start, end);
