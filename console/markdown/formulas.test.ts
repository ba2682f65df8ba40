import { expect, test } from "vitest";
import { extractFormulas } from "./formulas.ts";

const listFormulas = (text: string) => extractFormulas(text).formulas.map(({ tex }) => tex);

test("formulas are found between dollars and between backslashed brackets, in lists and over several lines", () => {
  expect(listFormulas("Let $x_1$ and \\(y^2\\), so $$z$$ and:\n\n\\[\na \\\\[2pt] b\n\\]\n- $$\n  c\n  $$")).toEqual([
    ...["x_1", "y^2", "z", "a \\\\[2pt] b", "c"],
  ]);
  expect(listFormulas("($a$), $b$. $-5$, **$c$** $\\$5$ $5x$")).toEqual(["a", "b", "-5", "c", "\\$5", "5x"]);
});

test.for([
  ...["It costs $5 and $10.", "Between $5 and 10$ a day", "US$5, CA$10", "$5-$10", "$HOME/bin:$PATH", "a $ b $ c"],
  ...["| $AAPL | $MSFT |", "`$a$` and ``$b` $c``", "```\n$a$\n```", "~~~\n$$a$$", "\\$a$", "Earn $5.", "f\\[1\\](x)"],
  ...["$5 (or $6)", "**$5** or **$10**", "$a\n\n$b", "\\\\(a\\\\)", "\\[1\\] Source"],
])("%j holds no formula", (text) => {
  expect(extractFormulas(text)).toEqual({ text, formulas: [] });
});

test("a formula whose end hasn't arrived is known to be open", () => {
  expect(extractFormulas("So:\n\\[ a_1 *").formulas).toMatchObject([{ tex: "a_1 *", isOpen: true }]);
  expect(extractFormulas("So:\n\\[ a\n\nText").formulas).toEqual([]);
});

test("long answers with unclosed marks are read fast", () => {
  const startedAt = performance.now();
  for (const mark of ["\\(", "\\[", "$", "$$ ", "`", "\n$$", "``` ", "\n\\[a"]) extractFormulas(mark.repeat(20_000));
  extractFormulas("Some words cost $5. ".repeat(10_000));
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
