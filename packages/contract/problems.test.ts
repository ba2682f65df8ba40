import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProblemError, problemTypes } from "./problem-error.ts";
import { problems } from "./problems.ts";

const root = join(import.meta.dirname, "../..");

test("no service writes its own error sentences: all are in the catalogue", () => {
  const sources = globSync("{packages,services}/**/*.ts", {
    cwd: root,
    // The client only reads them.
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.test.ts", "packages/{contract/problem*,client/**/*}.ts"],
  });
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => readFileSync(join(root, file), "utf8").includes("new ProblemError("))).toEqual([]);
});

const lists: Partial<Record<keyof typeof problems, unknown[]>> = {
  invalidFields: [[{ pointer: "/seven", detail: "eight" }]],
  tokenBudgetExceeded: [{ name: "seven", limit: "eight", waitSeconds: "nine", headers: {} }],
  noTool: ["seven", [{ name: "eight" }, { name: "nine" }]],
};

test.each(Object.entries(problems))("%s is one sentence that names its values", (name, make) => {
  const values = lists[name as keyof typeof problems] ?? ["seven", "eight", "nine"];
  const error = (make as (...values: unknown[]) => ProblemError)(...values);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error.toJSON()).toMatchObject({
    status: problemTypes[error.code].status,
    type: expect.stringMatching(/^urn:/),
  });
  expect(error.message).not.toMatch(/undefined|NaN|please/);
});

test("an invalid request's one sentence names every field", () => {
  const { message } = problems.invalidFields([
    { pointer: "/thread_id", detail: "is missing" },
    { pointer: "", detail: "must be a JSON object." },
  ]);
  expect(message).toBe("2 fields are wrong: `/thread_id`: is missing; the body: must be a JSON object.");
});
