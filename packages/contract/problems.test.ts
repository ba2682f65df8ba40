import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProblemError, problemTypes } from "./problem-error.ts";
import { problems } from "./problems.ts";

const root = join(import.meta.dirname, "../..");

test("no service words a problem of its own: every sentence is in the catalogue", () => {
  const sources = globSync("{packages,services}/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.test.ts", "packages/contract/problem*.ts"],
  });
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => readFileSync(join(root, file), "utf8").includes("new ProblemError("))).toEqual([]);
});

test.each(Object.entries(problems))("%s is one sentence that names its values", (_name, make) => {
  const error = (make as (...values: unknown[]) => ProblemError)("seven", "eight", "nine");
  expect(error).toBeInstanceOf(ProblemError);
  expect(error.toJSON()).toMatchObject({
    status: problemTypes[error.code].status,
    type: expect.stringMatching(/^urn:/),
  });
  expect(error.message).not.toMatch(/undefined|NaN|please/);
});
