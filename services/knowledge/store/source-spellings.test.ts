import { expect, test } from "vitest";
import { toFieldKeys } from "./filter-keys.ts";
import { listSpellings } from "./source-spellings.ts";

const [nfc, nfd] = ["é".normalize("NFC"), "é".normalize("NFD")];

test("a file that was stored in NFD before is found by the name as people type it, and by its exact name", () => {
  expect(listSpellings(`file:${nfc}`)).toContain(`file:${nfd}`);
  // A name in neither form.
  expect(listSpellings(`file:${nfc}${nfd}`)[0]).toBe(`file:${nfc}${nfd}`);
  expect(toFieldKeys("source", [`file:${nfc}`, `file:${nfd}`])).toHaveLength(2);
});

test("other sources are compared exactly", () => {
  expect(listSpellings(`text:${nfc}`)).toEqual([`text:${nfc}`]);
  expect(toFieldKeys("title", nfc)).toHaveLength(1);
});
