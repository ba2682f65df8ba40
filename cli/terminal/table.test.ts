import { expect, test } from "vitest";
import { alignTable } from "./table.ts";

test("a table of launches has aligned columns without links in a terminal, and only taglines are cut", () => {
  const table = [
    "| # | Product | Tagline | Votes |",
    "| --: | --- | --- | --: |",
    "| 1 | [Velvet \\[beta\\]](https://example.com/posts/velvet) | Notes that write themselves \\| and more | 523 |",
    "| 10 | [Ink](https://example.com/posts/ink) | – | – |",
  ].join("\n");
  expect(alignTable(table, 45).split("\n")).toEqual([
    "#   Product        Votes  Tagline",
    " 1  Velvet [beta]    523  Notes that write th…",
    "10  Ink                –  –",
  ]);
});
