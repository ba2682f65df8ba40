import type { Language } from "@agent-backends/language";
import { anyOfWords, buildWordPattern, languages, lazy, noLetter } from "../languages/index.ts";

/** Patterns by language, because a word may have another meaning in another language: Italian "due" is two. */
const patterns = new Map(
  languages.map(([language, { numbers = "" }]) => [
    language,
    numbers && lazy(() => anyOfWords(numbers, noLetter, language)),
  ]),
);
const ordinal = lazy(() => `^${buildWordPattern("values.ordinals")}$`, "u");
const chineseNumber = /[一二三四五六七八九十百千万]/;

/** Whether a text contains a number word of a language. */
export function hasNumberWord(text: string, language: Language | undefined): boolean {
  const pattern = patterns.get(language ?? "");
  return pattern ? pattern().test(text) : false;
}

/** Whether a text contains a number word of a language, or a number in Chinese characters. */
export const hasNumberInLetters = (text: string, language: Language | undefined): boolean =>
  hasNumberWord(text, language) || chineseNumber.test(text);

/** Whether a word is a number word or an ordinal. */
export const isNumberWord = (word: string, language: Language | undefined): boolean =>
  ordinal().test(word) || hasNumberWord(word, language);
