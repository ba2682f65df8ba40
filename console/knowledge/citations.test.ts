import type { Citation } from "@agent-backends/contract";
import { describe, expect, test } from "vitest";
import { newAnswer } from "../chat/messages.ts";
import { markedNumbers, splitMarks } from "../markdown/marks.ts";
import { numberCitations } from "./number-citations.ts";
import { passageInDocument } from "./passage-in-document.ts";

const citation = (title: string, quote: string): Citation => ({
  ...{ title, quote, source: "text:0", hash: "0".repeat(64), document_id: "d", start: 0, end: quote.length },
});
const answerWith = (text: string, results: object[] = []) => ({
  ...newAnswer("a"),
  text,
  toolCalls: [{ id: "c", name: "searchDocs", args: "{}", result: { results } }],
});

describe("citation marks", () => {
  test("are found in each form that models write", () => {
    expect(markedNumbers("One [2], two [1, 3] and 【4】, but not [x] or [12345].")).toEqual([1, 2, 3, 4]);
    expect(splitMarks("a [1] b")).toEqual([{ text: "a " }, { numbers: [1] }, { text: " b" }]);
  });

  test("get the citation of the passage that bears their number, whatever was cited besides", () => {
    const results = [
      { n: 1, title: "A", content: "one" },
      { n: 2, title: "B", content: "two" },
      { n: 3, title: "C", content: "three" },
    ];
    const numbered = numberCitations(answerWith("See [2] and [3].", results), [
      citation("B", "two"),
      citation("C", "thre"),
    ]);
    expect(numbered.map(({ n, title }) => [n, title])).toEqual([
      [2, "B"],
      [3, "C"],
    ]);
  });

  test("get theirs by order where the passages are not known", () => {
    const numbered = numberCitations(answerWith("See [4] and [2]."), [citation("B", "two"), citation("D", "four")]);
    expect(numbered.map(({ n }) => n)).toEqual([2, 4]);
  });
});

describe("a passage in its document", () => {
  const text = "Before. The quote. After.";

  test("stands at its offsets, or where its text is found", () => {
    const expected = { before: "Before. ", quote: "The quote.", after: " After.", shortened: false };
    expect(passageInDocument(text, { quote: "The quote.", start: 8, end: 18 }, 100)).toEqual(expected);
    expect(passageInDocument(text, { quote: "The quote.", start: 3, end: 13 }, 100)).toEqual(expected);
  });

  test("is shown alone where the document is not there or is another one", () => {
    const alone = { before: "", quote: "gone", after: "", shortened: false };
    expect(passageInDocument(text, { quote: "gone", start: 0, end: 4 }, 100)).toEqual(alone);
    expect(passageInDocument(undefined, { quote: "gone", start: 0, end: 4 }, 100)).toEqual(alone);
  });

  test("is cut to the characters around it", () => {
    expect(passageInDocument(text, { quote: "The quote.", start: 8, end: 18 }, 3)).toEqual({
      ...{ before: "… e. ", quote: "The quote.", after: " Af …", shortened: true },
    });
  });
});
