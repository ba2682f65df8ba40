import { wordWeight } from "./common-words.ts";
import { stem } from "./stem.ts";
import { splitWords } from "./words.ts";

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Hiragana mostly carries grammar, so pairs of it say little. */
const grammarWeight = 0.2;

/**
 * What a text is about: the stems of its words without stop words, each with how much it says (0 to 1). Scripts without
 * spaces give pairs of characters, since a question and a text may be cut into words differently.
 */
export function contentTerms(text: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const word of splitWords(text)) {
    const weight = wordWeight(word);
    if (weight === 0) continue;
    if (unspaced.test(word)) for (const pair of characterPairs(word)) terms.set(pair, weightOfPair(pair));
    else terms.set(stem(word), weight);
  }
  return terms;
}

function weightOfPair(pair: string): number {
  return /^\p{sc=Hiragana}+$/u.test(pair) ? grammarWeight : 1;
}

function characterPairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
