import { concepts, englishTopics } from "../languages/index.ts";
import { findPhrases } from "../text/concept.ts";

const { anyProduct, productKind, productTopic } = concepts;

/**
 * The topic of the launches that a text asks for: "ai" in "AI tools launched last week". It stands right before a word for products,
 * and it's English, since the site's launches are described in English.
 */
export function findTopic(text: string): string | undefined {
  if (!productTopic.isIn(text)) return undefined;
  const phrases = findPhrases(text);
  const isProduct = (at: number): boolean =>
    phrases.some(({ concept, start }) => start === at && (concept === anyProduct || concept === productKind));
  const topics = phrases.flatMap(({ concept, start, end }) => {
    const topic = text.slice(start, end);
    return concept === productTopic && englishTopics.has(topic) && isProduct(end + 1) ? [topic] : [];
  });
  return topics.sort((one, other) => other.length - one.length)[0];
}
