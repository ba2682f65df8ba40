import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesNamespace } from "./principal.ts";

test.each([
  ["customer-a", "customer-a", true],
  ["customer-a", "customer-ab", false],
  ["customer-a", "Customer-a", false],
  ["customer-*", "customer-", true],
  ["customer-*", "customer-a/b", true],
  ["customer-*", "xcustomer-a", false],
  ["*-team", "red-team", true],
  ["*-team", "red-teams", false],
  ["a*b*c", "abc", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "acb", false],
  ["a*a", "a", false],
  ["a*bb*b", "abb", false],
  ["*", "anything", true],
  ["a.c", "abc", false],
  ["", "", true],
])("the pattern %j and the name %j: %s", (pattern, name, fits) => {
  expect(matchesNamespace([pattern], name)).toBe(fits);
});

test("a pattern covers what the regular expression of the same meaning matches", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (pattern, name) => {
      const meaning = new RegExp(`^${pattern.split("*").join("[^]*")}$`);
      expect(matchesNamespace([pattern], name)).toBe(meaning.test(name));
    }),
  );
});

test("no pattern covers anything where there are none", () => {
  expect(matchesNamespace([], "default")).toBe(false);
});
