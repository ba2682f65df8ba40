import type { Product } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { readProductNames, renderProductTable } from "./table.ts";

const product = (fields: Partial<Product>): Product => ({
  id: "1",
  name: "Inkotter",
  tagline: "Writes",
  url: "https://listing.example/posts/inkotter",
  votesCount: 12,
  ...fields,
});
const lastRow = (fields: Partial<Product>) =>
  renderProductTable([product(fields)])
    .split("\n")
    .at(-1);

test("a table has a header row, a rule and one row for each product", () => {
  expect(renderProductTable([product({}), product({ name: "Mossgrid", votesCount: 3 })])).toBe(
    [
      "| # | Product | Tagline | Votes |",
      "| --: | --- | --- | --: |",
      "| 1 | [Inkotter](https://listing.example/posts/inkotter) | Writes | 12 |",
      "| 2 | [Mossgrid](https://listing.example/posts/inkotter) | Writes | 3 |",
    ].join("\n"),
  );
});

test("no text of a product can break out of its cell or its link", () => {
  expect(lastRow({ name: "A | B](https://evil.example)", tagline: "one\r\ntwo\u2028three <b>|`x`" })).toBe(
    "| 1 | [A \\| B\\]\\(https:\u2060/\\/evil\\.example)](https://listing.example/posts/inkotter) | one two three \\<b>\\|\\`x\\` | 12 |",
  );
});

test("a backslash before a pipe does not undo the pipe's escape", () => {
  expect(lastRow({ tagline: "a\\|b" })).toContain("| a\\\\\\|b |");
});

test.each(["javascript:alert(1)", "data:text/html,x", "", "not an address"])("a product at %j has no link", (url) => {
  expect(lastRow({ url })).toBe("| 1 | Inkotter | Writes | 12 |");
});

test("an address keeps its meaning with brackets, pipes and spaces escaped", () => {
  expect(lastRow({ url: "https://listing.example/a_(b)|c d?utm_source=x" })).toContain(
    "(https://listing.example/a_%28b%29%7Cc%20d?utm_source=x)",
  );
});

test("what is not known is a dash, and a long text is cut", () => {
  expect(lastRow({ tagline: "", votesCount: null })).toMatch(/\| – \| – \|$/);
  expect(lastRow({ tagline: "word ".repeat(100) })).toMatch(/word…/);
});

test("ordinary names stay as they are", () => {
  expect(lastRow({ name: "R&D_tool 2.0: #1 (C++)!" })).toContain("[R&D_tool 2.0: #1 (C++)!]");
});

test.each(["Inkotter", "A | B", "a_b*c", "<b>|`x`", "[x](y)", "www.example.com", "R&D", "C++", "日本 [語]"])(
  "the name %j can be read from its table",
  (name) => {
    const table = renderProductTable([product({ name: "First" }), product({ name }), product({ name, url: "" })], {
      offset: 5,
    });
    expect(readProductNames(`| # | Product |\n| 1 | Old |\n\nHello\n\n${table}\n\nLaunches.`)).toEqual([
      "First",
      name,
      name,
    ]);
  },
);
