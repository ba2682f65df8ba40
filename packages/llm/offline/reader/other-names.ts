import { fold } from "@agent-backends/language";
import { buildWordPattern, lazy } from "../languages/index.ts";
import type { AskedWord, Question } from "./question.ts";

const minMatch = 0.5;

/** Purpose or destination: "nach Deutschland", "für Kinder". A capital letter marks a name, or in German any noun. */
const named = lazy(() => {
  const article = buildWordPattern(["words.declinedArticles", "words.articles"]);
  return String.raw`(?<!\p{L})(${buildWordPattern("words.destinations")})\s+(?:${article}\s+)?(\p{Lu}[\p{L}-]+)`;
}, "giu");

/**
 * Whether a text names another thing than the question in the same position: the price of a delivery "to Austria" when the question is
 * about one "to Germany".
 *
 * @param match how well a word matches the text's surroundings, 0…1
 */
export function namesAnother(question: Question, text: string, match: (word: AskedWord) => number): boolean {
  const asked = findNamed(question.text);
  if (asked.length === 0) return false;
  const said = findNamed(text);
  return asked.some(([preposition, name]) => {
    const word = question.words.find((one) => one.word === name);
    return word !== undefined && match(word) < minMatch && said.some(([other]) => other === preposition);
  });
}

const findNamed = (text: string): [preposition: string, name: string][] =>
  [...text.matchAll(named())].flatMap(([, preposition = "", name = ""]) =>
    // The pattern ignores the case of prepositions.
    /^\p{Lu}/u.test(name) ? [[fold(preposition), fold(name)]] : [],
  );
