import { detectLanguage } from "@agent-backends/language";
import { anyOfWords, buildWordPattern, english, languages, lazy, noLetter } from "../languages/index.ts";

/** Longer messages contain more than a greeting. */
const maxCharacters = 100;

/** Greetings, thanks and farewells by language, and the response to them. A tie goes to the language listed first, and to English last. */
const courtesies = [...languages.filter(([, file]) => file !== english), ["en", english] as const].flatMap(
  ([language, { courtesy }]) => {
    if (!courtesy) return [];
    const source = () => anyOfWords(courtesy.words, noLetter);
    const opening = lazy(() => String.raw`^${source()}[\s,.!?:–-]+`);
    return { language, answer: courtesy.answer, words: lazy(source, "giu"), opening };
  },
);

/** Words that may accompany a greeting or thanks without asking anything. */
const fillers = lazy(() => buildWordPattern("words.fillers", noLetter), "giu");

/**
 * The answer to a message that consists only of a greeting or thanks, which no document can answer: a hint what to ask, in the language of
 * the conversation, else of the message. `[0]` cites no chunk. Undefined for any other message.
 */
export function answerCourtesy(message: string, earlier: readonly string[]): string | undefined {
  if (message.length > maxCharacters) return undefined;
  let rest = message;
  const said = courtesies.filter(({ words }) => {
    const before = rest;
    rest = rest.replace(words(), " ");
    return rest !== before;
  });
  if (said.length === 0 || /[\p{L}\p{N}]/u.test(rest.replace(fillers(), " "))) return undefined;
  const spoken = earlier.map((text) => detectLanguage(text)).findLast((language) => language !== undefined);
  const courtesy = courtesies.find(({ language }) => language === spoken) ?? said[0];
  return courtesy && `[0] ${courtesy.answer}`;
}

/** Removes a greeting at the start of a question: its words say nothing about the subject. */
export const withoutGreeting = (question: string): string =>
  courtesies.reduce((rest, { opening }) => rest.replace(opening(), ""), question);
