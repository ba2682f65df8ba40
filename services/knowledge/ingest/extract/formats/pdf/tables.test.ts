import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Line } from "./lines.ts";
import { findTables } from "./tables.ts";
import { orderColumns } from "./text-columns.ts";

/** A line at a height, with segments that begin at positions. A letter is 5 points wide. */
function line(y: number, segments: Record<number, string>): Line {
  const parts = Object.entries(segments).map(([left, text]) => ({
    text,
    left: Number(left),
    right: Number(left) + 5 * text.length,
  }));
  return { text: parts.map(({ text }) => text).join(" "), segments: parts, y, height: 10, font: "f1" };
}

const read = (lines: readonly Line[]) => findTables(lines).map((part) => ("y" in part ? part.text : part.table));

describe("a table of a page", () => {
  it("has a column for each gap, its wrapped cells joined, and headers repeated where they span", () => {
    const lines = [
      line(700, { 40: "A paragraph that is much wider than any of the columns of the table below it." }),
      line(640, { 200: "Sold in millions" }),
      line(628, { 40: "Country", 200: "2025", 260: "2026" }),
      line(614, { 40: "Switzerland", 200: "1.5", 260: "2" }),
      line(600, { 40: "Austria", 200: "3", 260: "4.25" }),
      line(586, { 40: "Liechtenstein", 260: "1" }),
      line(540, { 40: "After the table comes another paragraph that is wider than its columns are." }),
    ];
    expect(read(lines)).toEqual([
      lines[0]?.text,
      [
        "| Country | Sold in millions 2025 | Sold in millions 2026 |",
        "| --- | --- | --- |",
        "| Switzerland | 1.5 | 2 |",
        "| Austria | 3 | 4.25 |",
        "| Liechtenstein |  | 1 |",
      ].join("\n"),
      lines[6]?.text,
    ]);
  });

  it("has one header above rows whose values have units", () => {
    const lines = [
      line(640, { 40: "Property", 200: "Value" }),
      line(626, { 40: "Tank", 200: "1.8 litres" }),
      line(612, { 40: "Power", 200: "1450 W" }),
      line(598, { 40: "Pressure", 200: "15 bar" }),
    ];
    expect(read(lines)[0]?.split("\n").slice(0, 3)).toEqual([
      "| Property | Value |",
      "| --- | --- |",
      "| Tank | 1.8 litres |",
    ]);
  });

  it("is found when the file holds it cell by cell", () => {
    const lines = [
      line(700, { 40: "Shops", 150: "Where" }),
      line(680, { 40: "North", 150: "Kiel, Bremen," }),
      line(668, { 150: "Hamburg" }),
      line(648, { 40: "South", 150: "Ulm" }),
      line(628, { 40: "East", 150: "Jena, Gera," }),
      line(616, { 150: "Suhl" }),
    ];
    expect(read(lines)[0]?.split("\n").slice(2)).toEqual([
      "| North | Kiel, Bremen, Hamburg |",
      "| South | Ulm |",
      "| East | Jena, Gera, Suhl |",
    ]);
  });

  it.each([
    [
      "columns of prose",
      (index: number) => line(700 - 12 * index, { 40: "words ".repeat(8), 320: "others ".repeat(8) }),
    ],
    ["a list", (index: number) => line(700 - 12 * index, { 40: "•", 60: `Point ${index} of the list` })],
    ["a numbered list", (index: number) => line(700 - 12 * index, { 40: `${index}.`, 60: `Point of the list` })],
    [
      "gaps at different places",
      (index: number) => line(700 - 12 * index, { 40: "word".repeat(index + 1), [90 + 20 * index]: "rest" }),
    ],
  ])("is not made of %s", (_what, toLine) => {
    const lines = Array.from({ length: 8 }, (_, index) => toLine(index));
    expect(read(lines)).toEqual(lines.map(({ text }) => text));
  });

  it("holds every letter of its lines, whatever they are", () => {
    const segment = fc.record({ left: fc.integer({ min: 0, max: 500 }), text: fc.stringMatching(/^[a-z1-9]{1,12}$/) });
    const anyLine = fc
      .record({ y: fc.integer({ min: 0, max: 60 }), segments: fc.array(segment, { minLength: 1, maxLength: 5 }) })
      .map(({ y, segments }) => line(12 * y, Object.fromEntries(segments.map(({ left, text }) => [left, text]))));
    const count = (texts: string[], letter: string) => texts.join("").split(letter).length;
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 40 }), (lines) => {
        const before = lines.map(({ text }) => text);
        const after = read(lines);
        for (const letter of new Set(before.join("").replace(/\W/g, "")))
          expect(count(after, letter)).toBeGreaterThanOrEqual(count(before, letter));
      }),
      { numRuns: 300 },
    );
  });

  it("takes time linear in the number of lines", () => {
    const rows = Array.from({ length: 60_000 }, (_, index) =>
      line(60_000 - index / 2, { 40: `${index}`, [100 + (index % 7)]: "x", 300: "y" }),
    );
    const ragged = Array.from({ length: 60_000 }, (_, index) =>
      line(60_000 - index / 2, { [index % 500]: "a", [505 + (index % 97) * 9]: "b" }),
    );
    expect(read([...rows, ...ragged]).length).toBeGreaterThan(0);
  });
});

describe("columns of text that a file holds row by row", () => {
  const left =
    "Ab dem 1. Januar 2027 gilt eine neue|Regel für Anhänge: Sie dürfen höchstens|75 MB groß sein. Größere Dateien werden|als Verweis verschickt, der nach sieben|Tagen verfällt. Wer mehr braucht, bucht|das Paket Archiv.";
  const right =
    "Die Hotline ist an Feiertagen nicht be-|setzt. Notfälle meldet man per SMS an|die Nummer 0800 55 66 77. Der Bereit-|schaftsdienst antwortet binnen 20 Minuten.";
  const title = line(740, { 40: "Rundschreiben an alle Kunden, die ein Postfach mit einem Archiv haben" });
  const others = right.split("|");
  const toLines = (gap: number) =>
    left.split("|").map((text, index) => {
      const other = others[index];
      const texts: Record<number, string> = other === undefined ? { 40: text } : { 40: text, 320: other };
      return line(700 - 12 * index - gap * Math.floor(index / 2), texts);
    });

  it("are read one after the other, also when one is longer", () => {
    expect(read(orderColumns([title, ...toLines(0)]))).toEqual([title.text, ...left.split("|"), ...others]);
  });

  it("are a table where rows of several lines have gaps between them", () => {
    const lines = toLines(8);
    expect(orderColumns(lines)).toEqual(lines);
  });

  it("take time linear in the number of lines", () => {
    const rows = Array.from({ length: 60_000 }, (_, index) =>
      line(60_000 - index / 2, { 40: "a", [100 + (index % 7)]: "b" }),
    );
    expect(orderColumns(rows)).toHaveLength(60_000);
  });
});
