import { describe, expect, test } from "vitest";
import { findClaims, splitMarks } from "../markdown/claims.ts";
import { cutChunkWindow } from "./chunk-window.ts";
import { joinLines } from "./join-lines.ts";
import { findSupportingSentences } from "./supporting-sentences.ts";

describe("citation marks", () => {
  test("are found in each form that models write", () => {
    const pieces = splitMarks("One [2], two [1, 3] and 【4】, but not [x] or [12345].");
    expect(pieces.filter((piece) => "numbers" in piece)).toEqual([
      { numbers: [2] },
      { numbers: [1, 3] },
      { numbers: [4] },
    ]);
    expect(splitMarks("a [1] b")).toEqual([{ text: "a " }, { numbers: [1] }, { text: " b" }]);
  });

  test.for([
    ["Refunds take 5 days. Exchanges are free [1]. Postage is not.", 1, ["Exchanges are free"]],
    ["Refunds take 5 days. [1] Exchanges are free. [2]", 2, ["Exchanges are free."]],
    ["Refunds take 5 working days [1] and exchanges are free [2].", 2, ["and exchanges are free"]],
    ["Exchanges are free [1][2].", 2, ["Exchanges are free"]],
    [
      "Exchanges of goods are free [1].\n\n- Refunds take five days [1]",
      1,
      ["Exchanges of goods are free", "- Refunds take five days"],
    ],
    ["Dogs and cats are welcome, free [1].", 1, ["Dogs and cats are welcome, free"]],
    ["Exchanges are free [1].\n\nSources: [1] shop.md", 1, ["Exchanges are free"]],
    ["Nobody is cited here.", 1, ["Nobody is cited here."]],
  ] as const)("of %j, number %i stands for %j", ([answer, n, claims]) => {
    expect(findClaims(answer, n)).toEqual(claims);
  });
});

describe("what supports a claim in a chunk", () => {
  const supporting = (chunk: string, ...claims: string[]) =>
    findSupportingSentences(chunk, claims).map(({ start, end }) => chunk.slice(start, end));

  test("is the sentence that shares its rare words and numbers", () => {
    const chunk =
      "Goods can be sent back within 30 days. Refunds are paid within 5 working days after the goods have arrived. The goods must be unused.";
    expect(supporting(chunk, "You get your money within 5 days of arrival")).toEqual([
      "Refunds are paid within 5 working days after the goods have arrived.",
    ]);
    expect(supporting(chunk, "they have to be unused")).toEqual(["The goods must be unused."]);
  });

  test("may be a table row, a list item, or a sentence over several lines", () => {
    const chunk = "# Prices\n\n| item | price |\n| --- | --- |\n| green tea | 3.20 |\n| coffee | 4.10 |";
    expect(supporting(chunk, "Green tea costs 3.20")).toEqual(["| green tea | 3.20 |"]);
    expect(supporting("We sell:\n\n- green tea\n- black coffee", "coffee is sold")).toEqual(["black coffee"]);
    const lines = "The dining room is open to dogs\nand to other animals which are always\nquiet. Cats stay outside.";
    expect(supporting(lines, "Quiet animals may enter")).toEqual([
      "The dining room is open to dogs\nand to other animals which are always\nquiet.",
    ]);
  });

  test("may be a record of a CSV file", () => {
    const records = "hut,valley,beds\nGletsch,Goms,48\nMonte Rosa,Zermatt,120";
    expect(supporting(records, "Monte Rosa has 120 beds")).toEqual(["Monte Rosa,Zermatt,120"]);
  });

  test("is found for each claim, but not for claims without shared words", () => {
    const chunk = "Dogs are welcome. Cats are not. Breakfast is at eight.";
    expect(supporting(chunk, "Breakfast at eight", "Dogs are welcome")).toEqual([
      "Dogs are welcome.",
      "Breakfast is at eight.",
    ]);
    expect(supporting(chunk, "Parking costs nothing")).toEqual([]);
  });

  test("is a sentence without its footnote marks", () => {
    const chunk = "They dive.[12] The sea ducks live in saltwater.[13] Others live in rivers.[14]";
    expect(supporting(chunk, "Sea ducks live in saltwater")).toEqual(["The sea ducks live in saltwater."]);
  });

  test("is found in scripts without spaces", () => {
    expect(supporting("営業時間は九時からです。駐車場は無料です。", "駐車場は無料")).toEqual(["駐車場は無料です。"]);
  });
});

test("wrapped lines are joined; the ends of paragraphs, list items and short lines stay", () => {
  const text =
    "Refunds are paid within five working days after\nthe goods have arrived, by the means the order was\ndue. They are full.\nExchanges\n• are free of charge within the same country as the shop\n• cost the postage elsewhere\n\nNext paragraph";
  expect(joinLines(text)).toBe(
    "Refunds are paid within five working days after the goods have arrived, by the means the order was due. They are full.\nExchanges\n• are free of charge within the same country as the shop\n• cost the postage elsewhere\n\nNext paragraph",
  );
});

test("the rows of a form in a PDF stay rows", () => {
  const rows = "Body Labor 2 150 300\nPaint Labor 1.5 150 225\nGRAND TOTAL 211,522";
  expect(joinLines(rows)).toBe(rows);
});

describe("a chunk in its document", () => {
  const text = "First paragraph.\n\nBefore. The quote. After.\n\nLast paragraph.";
  const quote = { quote: "The quote.", start: 26, end: 36 };
  const shown = (...args: Parameters<typeof cutChunkWindow>) => {
    const { text: part, chunk, isPart } = cutChunkWindow(...args);
    return { part, chunk: part.slice(chunk.start, chunk.end), isPart };
  };

  test("is shown with the paragraphs around it, at its offsets or where its text is found instead", () => {
    expect(shown(text, quote, 100)).toEqual({ part: text, chunk: "The quote.", isPart: false });
    const part = "Before. The quote. After.";
    expect(shown(text, quote, 3)).toEqual({ part, chunk: "The quote.", isPart: true });
    expect(shown(text, { ...quote, start: 3, end: 13 }, 3)).toEqual({ part, chunk: "The quote.", isPart: true });
  });

  test("is shown alone if the document is missing or has changed", () => {
    const gone = { quote: "gone", start: 0, end: 4 };
    const alone = { part: "gone", chunk: "gone", isPart: false };
    expect([shown(text, gone, 100), shown(undefined, gone, 100)]).toEqual([alone, alone]);
  });

  test("is shown below the head of its table, however far away that is", () => {
    const row = (n: number) => `| item ${n} | ${n} |`;
    const table = ["| name | price |\n| --- | --- |", ...Array.from({ length: 2_000 }, (_, n) => row(n))].join("\n");
    const start = table.indexOf(row(1_500));
    const { part, chunk } = shown(table, { quote: row(1_500), start, end: start + row(1_500).length }, 50);
    expect(part).toMatch(/^\| name \| price \|\n\| --- \| --- \|\n\| item 149\d/);
    expect(chunk).toBe(row(1_500));
  });
});
