import { limits } from "@agent-backends/contract";
import { describe, expect, test } from "vitest";
import { parseJson } from "./json-body.ts";
import { JsonCounter, requireCountedValues } from "./json-values.ts";

const list = (value: string, count: number) => `[${Array(count).fill(value).join(",")}]`;
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

const refused = [
  ["empty objects", list("{}", limits.jsonValues), "values"],
  ["numbers", list("1", limits.jsonValues + 1), "values"],
  ["fields", `{${list('"a":1', limits.jsonValues + 1).slice(1, -1)}}`, "values"],
  ["lists in lists", nested(limits.jsonDepth + 1), "levels"],
  ["objects in objects", '{"a":'.repeat(limits.jsonDepth + 1), "levels"],
] as const;

const taken = [
  ["a text that looks like many values", JSON.stringify([",[{".repeat(limits.jsonValues)])],
  ["quotes in texts", JSON.stringify(Array(10).fill('"\\",[{\\\\"'.repeat(limits.jsonValues / 10)))],
  ["as many values as may be", list("123", limits.jsonValues)],
  ["as many levels as may be", nested(limits.jsonDepth)],
  ["lists one behind the other", `[${"[],".repeat(limits.jsonDepth)}[]]`],
] as const;

const named = (bytes: number) => JSON.stringify({ a: ["b:c"], ["n".repeat(bytes)]: "a text" });

describe("JSON from outside", () => {
  test("may have names of fields up to a limit, however it is cut, and texts of any length", () => {
    const count = (json: string, size: number) => {
      const counter = new JsonCounter();
      for (let at = 0; at < json.length; at += size) counter.push(Buffer.from(json.slice(at, at + size)));
    };
    for (const size of [1, 7, 1_000, 100_000]) {
      expect(() => count(named(limits.jsonNameBytes), size)).not.toThrow();
      expect(() => count(named(limits.jsonNameBytes + 2), size)).toThrow(/name is over the limit of \d+ bytes/);
      expect(() => count(JSON.stringify({ a: "x".repeat(100_000) }), size)).not.toThrow();
    }
  });

  test.each(refused)(
    "is refused with more %s than a request needs, before it is parsed",
    async (_what, json, named) => {
      await expect(parseJson(Buffer.from(json))).rejects.toThrow(new RegExp(`^The body .* more than \\d+ ${named}`));
    },
  );

  test.each(taken)("may hold %s", async (_what, json) => {
    expect(await parseJson(Buffer.from(json))).toEqual(JSON.parse(json));
  });

  test("is judged alike however it is cut on its way", () => {
    const count = (json: string, size: number) => {
      const counter = new JsonCounter();
      for (let at = 0; at < json.length; at += size) counter.push(Buffer.from(json.slice(at, at + size)));
    };
    for (const size of [1, 7, 1_000]) {
      for (const [, json] of refused) expect(() => count(json, size)).toThrow("The body");
      for (const [, json] of taken) expect(() => count(json, size)).not.toThrow();
    }
  });

  test("that somebody else has parsed is held to the same limits", () => {
    for (const [, json] of taken) expect(() => requireCountedValues(JSON.parse(json))).not.toThrow();
    for (const value of [Array(limits.jsonValues + 1).fill(1), JSON.parse(nested(limits.jsonDepth + 2))]) {
      expect(() => requireCountedValues(value)).toThrow("The body");
    }
  });
});
