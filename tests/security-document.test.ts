import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const rows = readFileSync(`${root}docs/security.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, risk, , shownBy] = /^\| ((?:LLM|API)\d+)[^|]*\| ([^|]*) \| (.*) \|$/.exec(line) ?? [];
    return risk === undefined || shownBy === undefined ? [] : [{ risk, shownBy }];
  });

test("docs/security.md has a row for each risk of both OWASP lists", () => {
  const numbered = (prefix: string, digits: number) =>
    Array.from({ length: 10 }, (_, index) => prefix + String(index + 1).padStart(digits, "0"));
  expect(rows.map(({ risk }) => risk)).toEqual([...numbered("LLM", 2), ...numbered("API", 1)]);
});

test.each(rows)("the tests that docs/security.md names for $risk exist", ({ shownBy }) => {
  const named = [...shownBy.matchAll(/`([^`]+)`: “([^”]+)”/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, file = "", title = ""] of named) {
    expect(existsSync(root + file), file).toBe(true);
    const titles = [...readFileSync(root + file, "utf8").matchAll(/"((?:[^"\\]|\\.)*)",\s*(?:async )?\(/g)];
    expect(titles.map(([, text]) => text)).toContain(title);
  }
});
