import { expect, it } from "vitest";
import { keptText, textOf } from "./document-text.ts";

const text = "One fish.\n\nTwo fish.\nRed fish.\n";
const chunks = [
  { index: 0, start: 0, end: 9, textBefore: "", textBehind: "" },
  { index: 1, start: 11, end: 20, textBefore: "\n\n", textBehind: "" },
  { index: 2, start: 21, end: 30, textBefore: "\n", textBehind: "\n" },
].map((chunk) => ({
  ...chunk,
  searchText: `Fish\n\n${text.slice(chunk.start, chunk.end)}`,
  vector: new Float32Array(),
}));

const rowOf = ({ index, searchText, end }: (typeof chunks)[number], kept: string) => ({
  chunk: index,
  search_text: searchText,
  end_offset: end,
  document_text: kept,
});

it("a document's text is put together again from its chunks and what lies between and behind them", () => {
  const kept = chunks.map(keptText);
  expect(kept).toEqual(["", "\n\n", "\nRed fish.\n"]);
  expect(textOf(chunks.map((chunk, index) => rowOf(chunk, kept[index] ?? "")).reverse())).toBe(text);
});

it("a text of which rows keep all, or the first one does, is as they keep it", () => {
  const kept = ["One fish.", "\n\nTwo fish.", "\nRed fish.\n"];
  expect(textOf(chunks.map((chunk, index) => rowOf(chunk, kept[index] ?? "")))).toBe(text);
  expect(textOf(chunks.slice(0, 1).map((chunk) => rowOf(chunk, text)))).toBe(text);
});

it("a chunk that overlaps the one before is not taken twice", () => {
  const [first, ...others] = chunks;
  const overlapping = { index: 1, start: 4, end: 20, textBefore: "", textBehind: "" };
  const searchText = `Fish\n\n${text.slice(4, 20)}`;
  const all = [first, { ...overlapping, searchText, vector: new Float32Array() }, others[1]].filter(
    (one) => one !== undefined,
  );
  expect(textOf(all.map((chunk) => rowOf(chunk, keptText(chunk))))).toBe(text);
});
