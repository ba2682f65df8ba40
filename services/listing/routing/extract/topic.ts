import { concepts, englishTopics, topicsAbroad, wordPatterns } from "../languages/index.ts";
import { findPhrases } from "../text/concept.ts";
import { pattern } from "../text/pattern.ts";

const { anyProduct, kindAbroad, productKind, productTopic } = concepts;
const products = new Set([anyProduct, productKind, kindAbroad]);
const topics = [productTopic, ...topicsAbroad.keys()];

/** Between a topic and a product: "AI tools", "KI-Tools", "AIのツール". */
const topicToProduct = pattern(`^[ -]?(?:(?:${wordPatterns.topicToProduct}) ?)?$`);
/** Between a product and a topic: "outils d'IA", "apps para la productividad". */
const productToTopic = pattern(`^ ?(?:(?:${wordPatterns.productToTopic}) ?)*$`);

/**
 * The topic of the launches that a text asks for: "ai" in "AI tools launched last week". It stands beside a word for products.
 * Its name is English, since the site's launches are described in English.
 */
export function findTopic(text: string): string | undefined {
  if (!topics.some((topic) => topic.isIn(text))) return undefined;
  const phrases = findPhrases(text);
  const named = phrases.flatMap(({ concept, start, end }) => {
    const written = text.slice(start, end);
    const topic = topicsAbroad.get(concept) ?? (englishTopics.has(written) ? written : undefined);
    const isTopic = topic !== undefined && (concept === productTopic || topicsAbroad.has(concept));
    return isTopic ? [{ topic, start, end }] : [];
  });
  const isOfProducts = (topic: { start: number; end: number }): boolean =>
    phrases.some(
      ({ concept, start, end }) =>
        products.has(concept) &&
        (start >= topic.end
          ? topicToProduct.test(text.slice(topic.end, start))
          : end <= topic.start && productToTopic.test(text.slice(end, topic.start))),
    );
  return named.filter(isOfProducts).sort((one, other) => other.end - other.start - (one.end - one.start))[0]?.topic;
}
