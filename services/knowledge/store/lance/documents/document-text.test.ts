import { expect, it } from "vitest";
import { makeRowsOfParts } from "./add-in-parts.ts";
import { joinTexts } from "./read-document.ts";

const text = "One fish.\n\nTwo fish.\nRed fish.\n";
const header = { id: "", hash: "", title: "Fish", source: "text:0", ingestedAt: "2026-01-01T00:00:00.000Z" };

/** The rows of a document whose chunks lie at these offsets, stored in parts that begin at these. */
function rowsAt(offsets: [start: number, end: number][], partStarts = [0]) {
  const chunks = offsets.map(([start, end], index) => {
    return { index, start, end, searchText: `Fish\n\n${text.slice(start, end)}`, vector: new Float32Array() };
  });
  const parts = partStarts.map((from, number) => {
    const to = partStarts[number + 1] ?? text.length;
    return { text: text.slice(from, to), chunks: chunks.filter(({ start }) => start >= from && start < to) };
  });
  const document = { ...header, embeddingModel: "any", chunkCount: chunks.length, parts: () => parts };
  const toRows = makeRowsOfParts(document, "upload");
  return parts.flatMap((part) => [...toRows(part)].map(({ row }) => row));
}

const lines: [number, number][] = [
  [0, 9],
  [11, 20],
  [21, 30],
];

it.each([
  ["one part", [0]],
  ["parts that begin behind the chunk before", [0, 9]],
  ["parts that begin with a chunk", [0, 11, 21]],
])("a document's text is put together again from its chunks and what lies between them, in %s", (_what, partStarts) => {
  const rows = rowsAt(lines, partStarts);
  expect(rows.map((row) => row.document_text)).toEqual(["", "\n\n", "\nRed fish.\n"]);
  expect(joinTexts(rows.toReversed())).toBe(text);
});

it("a text of which rows keep all, or the first one does, is as they keep it", () => {
  const kept = ["One fish.", "\n\nTwo fish.", "\nRed fish.\n"];
  const rows = rowsAt(lines);
  expect(joinTexts(rows.map((row, index) => ({ ...row, document_text: kept[index] ?? "" })))).toBe(text);
  expect(joinTexts(rows.slice(0, 1).map((row) => ({ ...row, document_text: text })))).toBe(text);
});

it("a chunk that overlaps the one before is not taken twice", () => {
  expect(joinTexts(rowsAt([lines[0] ?? [0, 9], [4, 20], [21, 30]]))).toBe(text);
});
