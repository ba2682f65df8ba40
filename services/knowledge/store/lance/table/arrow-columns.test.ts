import { createRequire } from "node:module";
import type * as Arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import { Int32, Table, Utf8, vectorFromArray } from "./arrow.ts";
import { IntegerColumn, TextColumn } from "./arrow-columns.ts";

const { tableFromIPC, tableToIPC }: typeof Arrow = createRequire(import.meta.url)("apache-arrow");

describe("columns", () => {
  it("hold what apache-arrow's own would, through its format for files, also when they are filled again", () => {
    const someTexts = ["a", "a", null, "", "Käse 😀", "Käse 😀", "x".repeat(9_000), null, "a", "z"];
    const someNumbers = [1, null, -3, 4, 5, 6, 7, 2 ** 31 - 1, 9, 0];
    const textColumn = new TextColumn();
    const integerColumn = new IntegerColumn();
    expect(textColumn.vector().length).toBe(0);
    for (const count of [10, 3, 1, 9, 10]) {
      const texts = someTexts.slice(-count);
      const numbers = someNumbers.slice(-count);
      textColumn.clear();
      integerColumn.clear();
      for (const text of texts) textColumn.add(text);
      for (const number of numbers) integerColumn.add(number);
      const expected = new Table({
        texts: vectorFromArray(texts, new Utf8()),
        numbers: vectorFromArray(numbers, new Int32()),
      });
      const written = new Table({ texts: textColumn.vector(), numbers: integerColumn.vector() });
      const read = tableFromIPC(tableToIPC(written));
      expect(read.toArray().map(String)).toEqual(expected.toArray().map(String));
      expect(read.getChild("texts")?.toArray()).toEqual(texts);
    }
  });
});
