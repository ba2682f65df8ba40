import { describe, expect, it } from "vitest";
import type { Hit } from "../search/hybrid-search.ts";
import { NumberedChunks } from "./numbered-chunks.ts";

function hit(title: string, index = 0): Hit {
  const header = { id: title, hash: "0".repeat(64), source: "text:0", ingestedAt: "2026-01-01T00:00:00.000Z" };
  const text = `Text of ${title} ${index}`;
  return { document: { ...header, title }, index, start: 5, end: 5 + text.length, text, searchText: text, score: 1 };
}

describe("chunks", () => {
  it("are numbered from 1 across searches, and keep their number when they are found again", () => {
    const chunks = new NumberedChunks();
    expect(chunks.number([hit("A"), hit("B")]).map(({ n }) => n)).toEqual([1, 2]);
    expect(chunks.number([hit("C"), hit("B"), hit("B", 1)]).map(({ n }) => n)).toEqual([3, 2, 4]);
  });

  const none = { text: "", references: [], saysNothingFound: false };
  const marked = (...numbers: number[]) => ({ ...none, references: numbers.map((n) => ({ n, offset: 0 })) });
  it.each([
    ["marks", marked(1, 3), ["A", "C"]],
    ["no mark", none, ["A", "B", "C"]],
    ["the mark of a refusal", { ...none, saysNothingFound: true }, []],
    ["the mark of a refusal beside others", { ...marked(2), saysNothingFound: true }, ["B"]],
  ])("are cited by an answer with %s", (_what, marks, titles) => {
    const chunks = new NumberedChunks();
    chunks.number([hit("A"), hit("B"), hit("C")]);
    expect(chunks.getCitations(marks).map(({ title }) => title)).toEqual(titles);
  });

  it("are cited with their number and with where they stand", () => {
    const chunks = new NumberedChunks();
    chunks.number([hit("A"), { ...hit("B"), sheet: "Prices" }, { ...hit("C"), slide: 4, heading: "Plan" }]);
    expect(chunks.getCitations(marked(2, 3))).toMatchObject([
      { n: 2, title: "B", sheet: "Prices" },
      { n: 3, title: "C", slide: 4, heading: "Plan" },
    ]);
  });

  it("are not there when nothing was found, whatever the answer says", () => {
    const chunks = new NumberedChunks();
    expect([chunks.has(0), chunks.has(1)]).toEqual([false, false]);
    expect(chunks.getCitations(marked(1))).toEqual([]);
  });
});
