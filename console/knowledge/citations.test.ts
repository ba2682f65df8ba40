import { describe, expect, test } from "vitest";
import { markedNumbers, splitMarks } from "../markdown/marks.ts";
import { passageInDocument } from "./passage-in-document.ts";

describe("citation marks", () => {
  test("are found in each form that models write", () => {
    expect(markedNumbers("One [2], two [1, 3] and 【4】, but not [x] or [12345].")).toEqual([1, 2, 3, 4]);
    expect(splitMarks("a [1] b")).toEqual([{ text: "a " }, { numbers: [1] }, { text: " b" }]);
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
