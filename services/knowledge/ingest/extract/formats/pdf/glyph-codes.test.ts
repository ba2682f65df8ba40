import { expect, it } from "vitest";
import { readGlyphs } from "./glyph-codes.ts";

const item = (str: string, fontName = "f1", x = 0, hasEOL = false) => ({
  str,
  dir: "ltr",
  hasEOL,
  fontName,
  transform: [10, 0, 0, 10, x, 0],
  width: 50,
  height: 10,
});

const read = (...items: ReturnType<typeof item>[]) => readGlyphs(items).map(({ str }) => str);

it("reads fonts that only number their glyphs, in the order of most fonts", () => {
  expect(
    read(
      item("1DFKKDOWLJH\u0003:lUPHYHUVRUJXQJ\u0003 I\u0081U\u0003\u001a\u001a\u001a\u0017\u0019"),
      item("\u0003GLH\u00032UWVPLWWH\u0011"),
      item("An = in another font", "f2"),
    ),
  ).toEqual(["Nachhaltige Wärmeversorgung für 77746", " die Ortsmitte.", "An = in another font"]);
});

it("keeps the text of fonts that number only some glyphs", () => {
  expect(read(item("The\u0003quick\u0003brown\u0003fox\u0011"))).toEqual(["The quick brown fox "]);
  expect(read(item("ANNUAL\u0003REPORT\u0003OF\u0003ACME"))).toEqual(["ANNUAL REPORT OF ACME"]);
});

it("leaves out what fonts with an order of their own number", () => {
  expect(
    read(item("\u0001\u0002\u0003\u0004\u0002\u0005\u0006\u0007\u0008!\u0002\u0003'\u0001%(\u0003)\u0002$")),
  ).toEqual([""]);
});

it("leaves out the bullets of such fonts", () => {
  expect(read(...Array.from({ length: 12 }, (_, index) => item("r\u0001", "f1", index * 10)))).toEqual(
    Array(12).fill(""),
  );
});

it("leaves out single characters that no text has", () => {
  expect(read(item("a k \u001c b"), item("an ordinary line of words"), item("\u0000", "f2"))).toEqual([
    "a k  b",
    "an ordinary line of words",
    "",
  ]);
});

it("leaves out words that are drawn twice to be bold", () => {
  expect(read(item("Total"), item("Total", "f1", 0.3, true), item("12", "f1", 60), item("Total", "f1", 90))).toEqual([
    "Total",
    "",
    "12",
    "Total",
  ]);
});
