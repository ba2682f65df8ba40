import { Int32, Table, tableFromIPC, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { integerColumn, textColumn } from "./arrow-columns.ts";

describe("columns", () => {
  it("hold what apache-arrow's own would, through its format for files", () => {
    const texts = ["a", "a", null, "", "Käse 😀", "Käse 😀", "x".repeat(9_000), null, "a", "z"];
    const numbers = [1, null, -3, 4, 5, 6, 7, 2 ** 31 - 1, 9, 0];
    const written = new Table({ texts: textColumn(texts), numbers: integerColumn(numbers) });
    const expected = new Table({
      texts: vectorFromArray(texts, new Utf8()),
      numbers: vectorFromArray(numbers, new Int32()),
    });
    const read = tableFromIPC(tableToIPC(written));
    expect(read.toArray().map(String)).toEqual(expected.toArray().map(String));
    expect(read.getChild("texts")?.toArray()).toEqual(texts);
    expect(textColumn([]).length).toBe(0);
  });
});
