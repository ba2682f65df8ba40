import { expect, test } from "vitest";
import { english, languages } from "./index.ts";

const lists = languages.flatMap(([code, file]) =>
  (["questions", "keywords", "values", "words"] as const).flatMap((section) =>
    Object.entries(file[section] ?? {}).map(([name, list]) => ({ code, section, name, list })),
  ),
);

test("every list is also in the English file, which shows what lists there are", () => {
  const unknown = lists.filter(({ section, name }) => !Object.hasOwn(english[section], name));
  expect(unknown).toEqual([]);
});

test("no pattern captures a group", () => {
  const patterns = lists.flatMap(({ list }) => list.split(" | "));
  expect(patterns.filter((pattern) => new RegExp(`${pattern}|`, "u").exec("")?.length !== 1)).toEqual([]);
});

test("words of questions and keywords have no accents, which are removed from what they are compared with", () => {
  const compared = lists.filter(
    ({ section, name }) => /^(?:questions|keywords)$/.test(section) || name === "countedUnits",
  );
  expect(compared.filter(({ list }) => /[\u0300-\u036f]/.test(list.normalize("NFD")))).toEqual([]);
});
