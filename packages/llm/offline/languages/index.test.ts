import { expect, test } from "vitest";
import { english, languages } from "./index.ts";

const sections = ["questions", "keywords", "values", "words"] as const;

test.each(languages)("%s has only lists that the English file has too, without capturing groups", (_, file) => {
  for (const section of sections) {
    for (const [name, list] of Object.entries(file[section] ?? {})) {
      expect(Object.keys(english[section]), section).toContain(name);
      for (const word of list.split(" | ")) expect(new RegExp(`${word}|`, "u").exec(""), word).toHaveLength(1);
    }
  }
});
