import { isNear } from "@agent-backends/language/slips";
import type { AskedWord, Question } from "./question.ts";
import type { ReadChunk } from "./read-chunk.ts";

/** Shorter words resemble each other too much. */
const minLength = 5;
/** In longer words a letter may also be wrong. In very long words two letters may be. */
const minLongLength = 7;
const minVeryLongLength = 9;

/** Replaces words of a question that no chunk contains with words that differ by a typing error: "memmory", "Manheim". */
export function correctTypingMistakes(question: Question, chunks: readonly ReadChunk[]): Question {
  const unknown = question.words.filter((word) => isText(word) && !chunks.some((chunk) => chunk.hasWord(word)));
  if (unknown.length === 0) return question;
  const known = new Set(chunks.flatMap((chunk) => chunk.words));
  const corrections = new Map(
    unknown.flatMap(({ word }) => {
      const meant = [...known].filter((other) => isSlip(word, other));
      return meant.length === 1 ? [[word, meant[0] ?? word]] : [];
    }),
  );
  const words = question.words.map((asked) => {
    const word = corrections.get(asked.word);
    return word === undefined ? asked : { ...asked, word, written: word, parts: [] };
  });
  return { ...question, words };
}

/** The Arabic article is joined to its word, and makes different words look alike. */
const withoutArticle = (word: string): string => word.replace(/^(?:[وبكف]?ال|لل)/u, "");

const isText = ({ word, isNumber, isIdentifier }: AskedWord): boolean =>
  withoutArticle(word).length >= minLength && !isNumber && !isIdentifier && /^\p{L}+$/u.test(word);

/** Typing errors in the first letter are rare, and another ending is another form of the word. */
function isSlip(asked: string, known: string): boolean {
  const [word, other] = [withoutArticle(asked), withoutArticle(known)];
  if (other.length < minLength || other[0] !== word[0] || Math.abs(other.length - word.length) > 2) return false;
  const slips = word.length >= minVeryLongLength ? 2 : 1;
  const isEnding = word.slice(0, -1).startsWith(other.slice(0, -1)) || other.slice(0, -1).startsWith(word.slice(0, -1));
  return !isEnding && isNear(word, other, { slips, mayBeWrong: word.length >= minLongLength });
}
