import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { root, rows } from "./document.ts";
import { mutations } from "./mutations.ts";

test("docs/security.md has a row for each risk of both OWASP lists", () => {
  const numbered = (prefix: string, digits: number) =>
    Array.from({ length: 10 }, (_, index) => prefix + String(index + 1).padStart(digits, "0"));
  expect(rows.map(({ risk }) => risk)).toEqual([...numbered("LLM", 2), ...numbered("API", 1)]);
});

test.each(rows)("the tests that docs/security.md names for $risk exist, and each has a mutation", ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const { file, title } of tests) {
    expect(existsSync(root + file), file).toBe(true);
    const titles = [...readFileSync(root + file, "utf8").matchAll(/"((?:[^"\\]|\\.)*)",\s*(?:async )?\(/g)];
    expect(titles.map(([, text]) => text)).toContain(title);
    expect(
      mutations.filter(({ fails }) => fails.includes(title)),
      title,
    ).not.toEqual([]);
  }
});

test.each(mutations)("what switches off that $protection is still in the code", ({ fails, changes }) => {
  const named = rows.flatMap(({ tests }) => tests.map(({ title }) => title));
  expect(fails.filter((title) => !named.includes(title))).toEqual([]);
  for (const { file, text, replacement } of changes) {
    expect(readFileSync(root + file, "utf8").split(text), `${file}: ${text}`).toHaveLength(2);
    expect(replacement).not.toBe(text);
  }
});
