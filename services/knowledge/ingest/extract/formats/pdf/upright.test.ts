import { expect, it } from "vitest";
import { toLines } from "./lines.ts";
import { findTables } from "./tables.ts";
import { turnUpright } from "./upright.ts";

const view = [0, 0, 600, 800];
const rows = [
  ["Article", "Price", "Left"],
  ["Tea", "12", "3"],
  ["Coffee", "3", "40"],
  ["Milk", "4", "7"],
];

/** The rows as text items, and the position of each word on the sheet by its position in the table. */
const drawn = (toTransform: (x: number, y: number) => number[]) =>
  rows.flatMap((cells, row) =>
    cells.map((str, column) => ({
      str,
      dir: "ltr",
      fontName: "f",
      hasEOL: column === cells.length - 1,
      transform: toTransform(100 + column * 100, 500 - row * 15),
      width: str.length * 5,
      height: 10,
    })),
  );

it.each([
  ["upright", (x: number, y: number) => [10, 0, 0, 10, x, y]],
  ["from bottom to top", (x: number, y: number) => [0, 10, -10, 0, 600 - y, x]],
  ["from top to bottom", (x: number, y: number) => [0, -10, 10, 0, y, 800 - x]],
  ["upside down", (x: number, y: number) => [-10, 0, 0, -10, 600 - x, 800 - y]],
])("finds a table that is written %s", (_how, toTransform) => {
  const { items, bottom, top } = turnUpright(drawn(toTransform), view);
  const lines = toLines(items);
  expect(findTables(lines)).toMatchObject([
    {
      table: "| Article | Price | Left |\n| --- | --- | --- |\n| Tea | 12 | 3 |\n| Coffee | 3 | 40 |\n| Milk | 4 | 7 |",
      heading: undefined,
    },
  ]);
  expect(lines.every(({ y }) => y > bottom && y < top)).toBe(true);
});
