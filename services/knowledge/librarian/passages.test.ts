import { describe, expect, it } from "vitest";
import type { Hit } from "../search/hybrid-search.ts";
import { NumberedPassages } from "./passages.ts";

function hit(title: string, index = 0): Hit {
  const header = { id: title, hash: "0".repeat(64), source: "text:0", ingestedAt: "2026-01-01T00:00:00.000Z" };
  const text = `Text of ${title} ${index}`;
  return { document: { ...header, title }, index, start: 5, end: 5 + text.length, text, searchText: text, score: 1 };
}

describe("passages", () => {
  it("are numbered from 1 across searches, and keep their number when they are found again", () => {
    const passages = new NumberedPassages();
    expect(passages.number([hit("A"), hit("B")]).map(({ n }) => n)).toEqual([1, 2]);
    expect(passages.number([hit("C"), hit("B"), hit("B", 1)]).map(({ n }) => n)).toEqual([3, 2, 4]);
  });

  it.each([
    ["one mark", "It is so [2].", ["B"]],
    ["marks beside each other", "It is so [1][3].", ["A", "C"]],
    ["a list in one mark", "It is so [1, 3; 2].", ["A", "B", "C"]],
    ["the same mark twice", "So [2], and so [2].", ["B"]],
    ["the marks that some models make", "It is so 【2†source】.", ["B"]],
    ["a mark that points to nothing beside one that does", "It is so [2], they say [9].", ["B"]],
    ["only marks that point to nothing", "It is so [9].", ["A", "B", "C"]],
    ["no mark", "It is so (see 2), or array[i].", ["A", "B", "C"]],
    ["a refusal", "The documents do not answer this question.", []],
    ["a refusal in other words", "Sorry, I found nothing about that in the knowledge base.", []],
  ])("are cited by an answer with %s", (_what, answer, titles) => {
    const passages = new NumberedPassages();
    passages.number([hit("A"), hit("B"), hit("C")]);
    expect(passages.citedBy(answer).map(({ title }) => title)).toEqual(titles);
  });

  it("are not there when nothing was found, whatever the answer says", () => {
    expect(new NumberedPassages().citedBy("As everybody knows [1].")).toEqual([]);
  });
});
