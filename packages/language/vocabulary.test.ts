import fc from "fast-check";
import { expect, test } from "vitest";
import { vocabulary } from "./vocabulary.ts";
import { splitWords } from "./words.ts";

const pieces = [
  ..."a Z é Ö ß İ ı ſ Å ǅ ж Ж Σ ς ا ة 中 か 한 ﬁ ª ™ ² ½".split(" "),
  ..."1 23 ٣ 5.5 1,000 1.000.000 1.5. ' ’ l' d’ x'y'z 9'a \u0301 \ufe0f 😀 𝒜".split(" "),
  ...".,-_ \n…，․\u00a0\u00ad\u200d“€",
  ...["word".repeat(15), "word".repeat(17)],
];

/** The words, without those that are too long to be indexed. Undefined if they are left to `splitWords`. */
function readWords(text: string): string[] | undefined {
  const numbers = vocabulary.number(text);
  return numbers && Array.from(numbers, (number) => vocabulary.words[number] ?? "");
}

test("a text's words are those that splitWords finds, or left to it", () => {
  let numbered = 0;
  const texts = [
    fc.constantFrom(...pieces),
    fc.constantFrom(...pieces.filter((piece) => /^[\0-\u02ff“€’…]+$/.test(piece))),
  ];
  fc.assert(
    fc.property(fc.oneof(...texts.map((piece) => fc.array(piece, { maxLength: 40 }))), (parts) => {
      const text = parts.join("");
      const words = readWords(text);
      if (words === undefined) return;
      numbered += 1;
      expect(words).toEqual(splitWords(text).filter(({ length }) => length <= 64));
    }),
    { numRuns: 3_000, seed: 5 },
  );
  expect(numbered).toBeGreaterThan(100);
});

test.each([
  ["English", "The company's 1,000 “new” policies – they’re in force from 3.5.2026."],
  ["German", "Über die Gebührenordnung für Ärzte: § 5 Absatz 2, 3,5 % mehr."],
  ["Ukrainian", "Договір може бути розірваний за три місяці."],
])("ordinary %s is numbered", (_language, text) => {
  expect(readWords(text)).toEqual(splitWords(text));
});

test("a vocabulary that is full starts anew", () => {
  const words = Array.from({ length: 40_000 }, (_, index) => `w${index}x`);
  for (let from = 0; from < words.length; from += 1_000) {
    const some = words.slice(from, from + 1_000);
    expect(readWords(some.join(" "))).toEqual(some);
  }
  expect(vocabulary.words.length).toBeLessThan(31_000);
});

test("words whose hashes were made equal are left to splitWords, which takes no longer for them", () => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => letter.charCodeAt(0));
  const step = (hash: number, letter: number) => Math.imul(hash ^ letter, 0x01000193);
  let found = [{ letters: [] as number[], hash: 0x811c9dc5 }];
  for (let length = 1; length < 4; length++)
    found = found.flatMap((one) =>
      letters.map((letter) => ({ letters: [...one.letters, letter], hash: step(one.hash, letter) })),
    );
  const words: string[] = [];
  for (const begun of found) {
    for (const fourth of letters) {
      for (const fifth of letters) {
        const hash = step(step(begun.hash, fourth), fifth);
        if (((hash ^ (hash >>> 15)) & 0x1ffff) === 0) words.push(String.fromCharCode(...begun.letters, fourth, fifth));
      }
    }
  }
  expect(readWords(words.slice(0, 40).join(" "))).toEqual(words.slice(0, 40));
  expect(readWords(words.join(" "))).toBeUndefined();
});
