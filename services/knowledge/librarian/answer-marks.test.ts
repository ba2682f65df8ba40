import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerMarks } from "./answer-marks.ts";

/** Reads an answer, in pieces, of a conversation with three chunks. */
function read(...pieces: string[]) {
  const marks = new AnswerMarks((number) => number >= 1 && number <= 3);
  const passed = pieces.map((piece) => marks.push(piece));
  const text = passed.join("") + marks.end();
  return {
    text,
    passed,
    numbers: [...new Set(marks.references.map(({ n }) => n))],
    saysNothingFound: marks.saysNothingFound,
  };
}

const cases: [what: string, answer: string, text: string, numbers: number[]][] = [
  ["a mark", "It is so [2].", "It is so [2].", [2]],
  ["marks beside each other", "It is so [1][3].", "It is so [1][3].", [1, 3]],
  ["a list in one mark", "It is so [1, 3; 2].", "It is so [1][3][2].", [1, 3, 2]],
  ["a range", "It is so [1-3].", "It is so [1][2][3].", [1, 2, 3]],
  ["the marks that some models make", "It is so 【2†source】.", "It is so [2].", [2]],
  ["the digits and brackets of other scripts", "كذا [١، ۲]. 也是［３］。", "كذا [1][2]. 也是[3]。", [1, 2, 3]],
  ["a mark that points to nothing", "It is so [9].", "It is so.", []],
  ["one in the middle of a sentence", "It is [9] so.", "It is so.", []],
  ["one at the beginning", "[9] It is so.", "It is so.", []],
  ["one glued to a word", "It is so[9].", "It is so.", []],
  ["one before the end of a line", "It is so [9]\nand so.", "It is so\nand so.", []],
  ["one of another model", "It is so 【9†source】.", "It is so.", []],
  ["one beside a good one", "It is so [2][9].", "It is so [2].", [2]],
  ["one before a good one", "Facts: [9][1] are so.", "Facts: [1] are so.", [1]],
  ["an interval", "It lies in [0, 1].", "It lies in [0, 1].", []],
  ["one in a list", "It is so [1, 9, 3].", "It is so [1][3].", [1, 3]],
  ["a range that goes too far", "It is so [2-4].", "It is so [2][3].", [2, 3]],
  ["two in a row that point to nothing", "It is so [8][9].", "It is so.", []],
  ["a link", "See [9](https://example.org/a[9]b) [2].", "See [9](https://example.org/a[9]b) [2].", [2]],
  ["an address", "At https://a.example/b[1]c?d[9]=e[2]. So.", "At https://a.example/b[1]c?d[9]=e[2]. So.", [2]],
  [
    "an address before marks",
    "At https://a.example[1][9], (http://b[2]).",
    "At https://a.example[1], (http://b[2]).",
    [1, 2],
  ],
  ["the destination of a link", "See [it](docs/a[1].md) and [x](y[9]).", "See [it](docs/a[1].md) and [x](y[9]).", []],
  ["a number with zeros before it", "It is so [2], and so [01] [0009].", "It is so [2], and so [1].", [2, 1]],
  ["a link with words", "See [the list [a]](https://example.org).", "See [the list [a]](https://example.org).", []],
  ["code", "Write `list[9]` or `` a[8]`[7] `` [1].", "Write `list[9]` or `` a[8]`[7] `` [1].", [1]],
  ["a block of code", "```ts\nx = y[9];\n\nz[8]\n```\nSo [9].", "```ts\nx = y[9];\n\nz[8]\n```\nSo.", []],
  ["a block between tildes", "~~~ts\ny[9]\n~~ z[8]\n~~~~\nSo [9].", "~~~ts\ny[9]\n~~ z[8]\n~~~~\nSo.", []],
  ["tildes that begin no block", "About ~~~ [9] or ~5 [1].", "About ~~~ or ~5 [1].", [1]],
  ["a block in which the other kind stands", "```\n~~~\nx[9]\n```\nSo [9].", "```\n~~~\nx[9]\n```\nSo.", []],
  ["a link around a mark", "See [[9]](https://example.org).", "See [[9]](https://example.org).", []],
  ["a link around a good mark", "See [[2]](https://example.org).", "See [[2]](https://example.org).", [2]],
  ["a mark in two brackets", "It is so [[9]], and so [[2]].", "It is so, and so [[2]].", [2]],
  ["a footnote's form", "It is so[^2], and so [^9].", "It is so[2], and so.", [2]],
  ["an address behind a mark", "See [1](https://example.org/x) or [1].", "See [1](https://example.org/x) or [1].", [1]],
  ["a table", "| a | b |\n|---|---|\n| x [9] | [2] |", "| a | b |\n|---|---|\n| x | [2] |", [2]],
  ["a lone backtick", "It's ` odd.\n\nSo [9], and [1].", "It's ` odd.\n\nSo, and [1].", [1]],
  ["the first element of a list", "rows[0] is first [1].", "rows[0] is first [1].", [1]],
  ["other brackets", "[a] [ ] [x] [^a] [1a] [12345] [] [[1]] 9] [", "[a] [ ] [x] [^a] [1a] [12345] [] [[1]] 9] [", [1]],
  ["a bracket that is never closed", `So [1, ${"2, ".repeat(40)}`, `So [1, ${"2, ".repeat(40)}`, []],
  ["nothing", "", "", []],
];

/** What goes with a mark is known where it comes in one piece with it. */
const surroundings: typeof cases = [
  ["marks in brackets", "It is so [[1], [9]].", "It is so [[1]].", [1]],
  ["marks with commas between", "It is so [1], [9], [2]; [8].", "It is so [1], [2].", [1, 2]],
  ["a mark in parentheses", "It is so ([9]). And so ([2]) ([8]), too.", "It is so. And so ([2]), too.", [2]],
  ["one in parentheses at the beginning", "([9]) It is so （[9]）。", "It is so。", []],
  [
    "a parenthesis that says more",
    "It is so (see [9]), (as [1]) or ([9] too).",
    "It is so (see), (as [1]) or (too).",
    [1],
  ],
  ["a year", "In the report [2024] and [1999], [2024-25], [9999].", "In the report [2024] and [1999], [2024-25].", []],
];

describe("the marks of an answer", () => {
  it.each([...cases, ...surroundings])("are read in %s", (_what, answer, text, numbers) => {
    expect(read(answer)).toMatchObject({ text, numbers });
  });

  it.each(cases)("are the same wherever it is cut: %s", (_what, answer, text, numbers) => {
    fc.assert(
      fc.property(fc.array(fc.nat(Math.max(1, answer.length)), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), answer.length];
        const pieces = places.slice(1).map((end, position) => answer.slice(places[position], end));
        const result = read(...pieces);
        expect(result.numbers).toEqual(numbers);
        // White space that was passed on before its mark came can't be taken back.
        const spaced = (some: string) => some.replaceAll(/[ \t]+/g, " ").replaceAll(/ (?=[.,\n])/g, "");
        expect(spaced(result.text)).toBe(spaced(text));
      }),
      { numRuns: 60 },
    );
  });

  it("are taken out when they come in pieces", () => {
    expect(read("It is so", " [", "9", "].").text).toBe("It is so.");
    expect(read("It is so", " ([", "9", "]", ")", ".").text).toBe("It is so.");
    expect(read("It is ", "[", "9", "]", " so.").text).toBe("It is so.");
  });

  it.each([" ", "\t"])("are found behind a long run of %j, which stays", (space) => {
    const gap = space.repeat(200_000);
    expect(read(`Within 30 days${gap}[1].`).text).toBe(`Within 30 days${gap}[1].`);
  });

  it("hold nothing back but what may become one", () => {
    expect(read("Within ", "30 ", "days [1].", " And [", "no", "te] `", "x[1", "]`").passed).toEqual([
      "Within ",
      "30 ",
      "days [1].",
      " And",
      " [no",
      "te] `",
      "x[1",
      "]`",
    ]);
  });

  it("tell by [0], which is never shown, that no chunk answers", () => {
    expect(read("[0] Davon steht nichts in den Dokumenten.")).toMatchObject({
      text: "Davon steht nichts in den Dokumenten.",
      saysNothingFound: true,
    });
    expect(read("It is so [9].").saysNothingFound).toBe(false);
    expect(read("rows[0] is first").saysNothingFound).toBe(false);
    for (const refusal of [
      "The documents do not tell[0].",
      "The documents do not tell[0]",
      "文档没有提到这一点[0]。",
    ]) {
      expect(read(refusal)).toMatchObject({ text: refusal.replace("[0]", ""), saysNothingFound: true });
    }
  });
});
