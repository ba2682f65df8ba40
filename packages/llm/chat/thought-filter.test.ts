import fc from "fast-check";
import { expect, test } from "vitest";
import { ThoughtFilter } from "./thought-filter.ts";

/** What is left of a text that arrives in pieces of these lengths. */
function filter(text: string, lengths: readonly number[] = [text.length]): string {
  const thoughts = new ThoughtFilter();
  let answer = "";
  let at = 0;
  for (const length of lengths) {
    answer += thoughts.read(text.slice(at, at + length));
    at += length;
  }
  return answer + thoughts.read(text.slice(at)) + thoughts.end();
}

test("blank text in front may be shown", () => {
  expect(filter("\n\n<think>Hm.</think>Five days.", [1, 3])).toBe("\nFive days.");
});

test.each([
  ["<think>\nHm, 5 < 6.\n</think>\n\nFive days.", "Five days."],
  ["<think></think>Five days.", "Five days."],
  ["<think>never ended", ""],
  ["<thin", "<thin"],
  ["<thin ice>", "<thin ice>"],
  ["Models write <think>so</think>.", "Models write <think>so</think>."],
  ["<think>a</think>b<think>c</think>", "b<think>c</think>"],
  ["  Five days. ", "  Five days. "],
])("%j is shown as %j, however it is cut", (text, shown) => {
  expect(filter(text)).toBe(shown);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 }), (lengths) => {
      expect(filter(text, lengths)).toBe(shown);
    }),
    { numRuns: 50 },
  );
});
