import { limits } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { refuseManyValues } from "./json-values.ts";

const list = (value: string, count: number) => `[${Array(count).fill(value).join(",")}]`;

test.each([
  ["empty objects", list("{}", limits.jsonValues)],
  ["numbers", list("1", limits.jsonValues + 1)],
  ["lists in lists", "[".repeat(limits.jsonValues * 2)],
  ["objects in objects", '{"a":'.repeat(limits.jsonValues + 1)],
  ["fields", `{${list('"a":1', limits.jsonValues + 1).slice(1, -1)}}`],
])("JSON of more %s than a request needs is refused", (_what, json) => {
  expect(() => refuseManyValues(json)).toThrow(`more than ${limits.jsonValues} values`);
});

test.each([
  ["a text that looks like many values", JSON.stringify([",[{".repeat(limits.jsonValues)])],
  ["quotes in texts", JSON.stringify(Array(10).fill('"\\",[{\\\\"'.repeat(limits.jsonValues / 10)))],
  ["as many values as may be", list("123", limits.jsonValues)],
  ["a text without an end", `"${",".repeat(limits.jsonValues * 3)}`],
])("JSON is taken that holds %s", (_what, json) => {
  expect(() => refuseManyValues(json)).not.toThrow();
});
