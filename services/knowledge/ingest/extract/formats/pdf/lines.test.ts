import { expect, it } from "vitest";
import { toLines } from "./lines.ts";

const run = (str: string, dir: string, x: number, width: number, hasEOL = false) => ({
  str,
  dir,
  hasEOL,
  fontName: "f",
  transform: [12, 0, 0, 12, x, 700],
  width,
  height: 12,
});

it("words of two directions on a line stay apart where there is space between them", () => {
  const line = [run("בעברית עם", "rtl", 138, 169), run("English", "ltr", 88, 46), run("בתוכו", "rtl", 56, 28)];
  expect(toLines(line).map(({ text }) => text)).toEqual(["בעברית עם English בתוכו"]);
  const joined = [run("ה", "rtl", 100, 10), run("PDF", "ltr", 70, 29.5), run("-", "rtl", 65, 5)];
  expect(toLines(joined).map(({ text }) => text)).toEqual(["הPDF-"]);
});

it("a right-to-left line that the file writes from the left is read from the right", () => {
  const space = (x: number) => run(" ", "ltr", x, 5);
  const words = [run("سنة", "rtl", 100, 10), space(110), run("21", "ltr", 115, 10), space(125)];
  const line = [...words, run("الرشد", "rtl", 130, 20), space(150), run("سن", "rtl", 155, 10, true)];
  expect(toLines(line).map(({ text }) => text)).toEqual(["سن الرشد 21 سنة"]);
});
