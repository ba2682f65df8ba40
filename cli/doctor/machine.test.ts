import { expect, test } from "vitest";
import { findOpenQuotes } from "./machine.ts";

test("a quote in .env that isn't closed is named with its variable", () => {
  const open = (text: string) => findOpenQuotes(text).map(({ detail }) => detail);
  expect(open('LLM_API_KEY="sk-abc\n')).toEqual(["the value of LLM_API_KEY begins with \", which isn't closed"]);
  expect(open('A="one\nB="two"\n')).toEqual([expect.stringContaining("of A begins")]);
  expect(open('A="one"\nB=\'t"w"o\'\nC=three\n# D="\nPEM="-----BEGIN\nabc=\n-----END"\n')).toEqual([]);
});
