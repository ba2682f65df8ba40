import { isStopWord } from "./common-words.ts";
import { stem } from "./stem.ts";
import { splitWords } from "./words.ts";

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * What a text is about: the stems of its words without stop words. Scripts without spaces give pairs of characters, since
 * a question and a text may be cut into words differently.
 */
export function contentTerms(text: string): Set<string> {
  const terms = new Set<string>();
  for (const word of splitWords(text)) {
    if (isStopWord(word)) continue;
    if (unspaced.test(word)) for (const pair of characterPairs(word)) terms.add(pair);
    else terms.add(stem(word));
  }
  return terms;
}

function characterPairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
