import { expect, test } from "vitest";
import { TermNumbers } from "../../../store/lance/search/term-numbers.ts";

/** Words whose hashes (FNV-1a, without an offset) are equal in their lower bits. */
function collide(count: number): string[] {
  const words: string[] = [];
  for (let number = 0; words.length < count; number += 1) {
    const word = `w${number.toString(36)}`;
    let hash = 0;
    for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    if (((hash ^ (hash >>> 15)) & 0x1fff) === 0) words.push(word);
  }
  return words;
}

test("words whose hashes were made equal are numbered like others, also once the table has grown", () => {
  const others = Array.from({ length: 5_000 }, (_, number) => `other${number}`);
  const words = [...collide(200), ...others];
  const terms = new TermNumbers();
  const read = () => {
    const numbers: number[] = [];
    terms.read(Buffer.from(words.join(" ")), (number) => numbers.push(number));
    return numbers;
  };
  const numbers = read();
  expect(numbers).toEqual(words.map((_, number) => number));
  expect(read()).toEqual(numbers);
  expect(terms.words).toEqual(words);
});
