import { offlineEmbeddingWeight } from "@agent-backends/llm";
import { expect, it } from "vitest";
import type { FoundChunk } from "../store/document.ts";
import type { ChunkSearch, RankedChunk, Rankings } from "../store/knowledge-store.ts";
import { fuseRankings, searchNamespace } from "./hybrid-search.ts";

const chunk = (key: RankedChunk["key"]): FoundChunk => {
  const text = `chunk ${key}`;
  const document = { id: text, hash: "", title: "", source: "text:0", ingestedAt: "2026-01-01T00:00:00.000Z" };
  return { document, index: 0, start: 0, end: text.length, text, searchText: text };
};

/** What is found where the engine gives these two rankings, each best first. */
async function found({ byMeaning, byWords }: { byMeaning: number[]; byWords: number[] }, weight: number) {
  const ranked = (keys: number[]) => keys.map((key) => ({ key: BigInt(key) }));
  const rankings: Rankings = {
    byMeaning: ranked(byMeaning),
    byWords: ranked(byWords),
    ordinarySimilarity: 0,
    embedding: { model: "any", dimension: 1 },
  };
  const search: ChunkSearch["search"] = async (_namespace, _question, _scope, choose) =>
    choose(rankings).map((chosen) => ({ chosen, chunk: chunk(chosen.key) }));
  const embedder = { model: "any", embed: async () => [new Float32Array(1)], getWeight: () => weight };
  const caller = { client: "anyone", signal: new AbortController().signal };
  return searchNamespace({ store: { search }, embedder }, { namespace: "any", query: "what", limit: 6, caller });
}

it("a chunk that is first by meaning and by words has the score 1, and none has more", async () => {
  const hits = await found({ byMeaning: [1, 2, 3], byWords: [1, 3, 4] }, 1);
  expect(hits.map(({ text, score }) => [text, score > 0 && score <= 1])[0]).toEqual(["chunk 1", true]);
  expect(hits[0]?.score).toBe(1);
  expect(hits.map(({ text }) => text)).toEqual(["chunk 1", "chunk 3", "chunk 2", "chunk 4"]);
});

it("of chunks that are equally high in one ranking each, the one that has the question's words is first", async () => {
  const hits = await found({ byMeaning: [1, 2], byWords: [3, 4] }, 1);
  expect(hits.map(({ text }) => text)).toEqual(["chunk 3", "chunk 1", "chunk 4", "chunk 2"]);
});

it("what the offline embeddings alone find first is among the six that a search gives, behind what has the words", async () => {
  const byWords = [1, 2, 3, 4, 5, 6, 7, 8];
  const hits = await found({ byMeaning: [9, 10], byWords }, offlineEmbeddingWeight);
  expect(hits.map(({ text }) => Number(text.split(" ")[1]))).toEqual([1, 2, 3, 4, 5, 9]);
});

/** What a search gives of chunks with these cosines and texts, best first. */
async function foundSimilar(chunks: [similarity: number, text: string][], minScore?: number) {
  const byMeaning = chunks.map(([similarity], key) => ({ key, similarity }));
  const rankings: Rankings = {
    byMeaning,
    byWords: [],
    ordinarySimilarity: 0.6,
    embedding: { model: "any", dimension: 1 },
  };
  const search: ChunkSearch["search"] = async (_namespace, _question, _scope, choose) =>
    choose(rankings).map((chosen) => ({
      chosen,
      chunk: { ...chunk(chosen.key), text: chunks[Number(chosen.key)]?.[1] ?? "" },
    }));
  const embedder = { model: "any", embed: async () => [new Float32Array(1)] };
  const caller = { client: "anyone", signal: new AbortController().signal };
  const asked = { namespace: "any", query: "what", limit: 2, minScore, caller };
  return searchNamespace({ store: { search }, embedder }, asked);
}

it("similarity is on the scale from an ordinary chunk of the namespace to the same text", async () => {
  const hits = await foundSimilar([
    [0.9, "near"],
    [0.5, "far"],
  ]);
  expect(hits.map(({ similarity }) => similarity?.toFixed(2))).toEqual(["0.75", "0.00"]);
});

it("min_score leaves out what is less similar, or was found by its words alone", async () => {
  const chunks: [number, string][] = [
    [0.9, "near"],
    [0.7, "less"],
  ];
  expect((await foundSimilar(chunks, 0.3)).map(({ text }) => text)).toEqual(["near"]);
  expect((await foundSimilar(chunks, 0.2)).map(({ text }) => text)).toEqual(["near", "less"]);
});

it("copies of a text are one hit with its other places, and others take their places", async () => {
  const hits = await foundSimilar([
    [0.9, "Pay within 30 days."],
    [0.9, "**Pay** within 30 days"],
    [0.8, "Pay within 31 days."],
  ]);
  expect(hits.map(({ text, alsoIn = [] }) => [text, ...alsoIn.map((copy) => copy.text)])).toEqual([
    ["Pay within 30 days.", "**Pay** within 30 days"],
    ["Pay within 31 days."],
  ]);
});

it("long texts are copies when all of their words are the same, not the first ones alone", async () => {
  const opening = "Terms of delivery and payment for all customers in all countries. ".repeat(4);
  const hits = await foundSimilar([
    [0.9, `${opening}Pay within 30 days.`],
    [0.9, `${opening.toUpperCase()}Pay within 31 days.`],
    [0.8, `${opening.replaceAll(" ", "  ")}PAY within 30 days!`],
  ]);
  expect(hits.map(({ text, alsoIn = [] }) => [text.slice(-8), alsoIn.length])).toEqual([
    ["30 days.", 1],
    ["31 days.", 0],
  ]);
});

it("chunks without words are no copies of each other", async () => {
  const rows: [number, string][] = [
    [0.9, "***"],
    [0.8, "---"],
  ];
  expect((await foundSimilar(rows)).map(({ text }) => text)).toEqual(["***", "---"]);
});

const fused = (...rankings: string[]) =>
  fuseRankings(rankings.map((names) => [...names].map((name) => ({ ...chunk(name), text: name, score: 1 }))))
    .map(({ text }) => text)
    .join("");

it.each([
  ["one search as it is", ["cab"], "cab"],
  ["no search as nothing", [], ""],
  ["what several found before what one found", ["ab", "cb", "db"], "bacd"],
  ["of equals the earlier search's first", ["ab", "cd"], "acbd"],
  ["searches that found nothing as if they had not been made", ["", "ab", ""], "ab"],
])("several searches make one ranking: %s", (_what, rankings, expected) => {
  expect(fused(...rankings)).toBe(expected);
});

it("what forty copies of one text leave over is found behind them", async () => {
  const copies = Array.from({ length: 40 }, (): [number, string] => [0.9, "The liability is excluded."]);
  const hits = await foundSimilar([...copies, [0.8, "The liability is limited."]]);
  expect(hits.map(({ text, alsoIn = [] }) => [text, alsoIn.length])).toEqual([
    ["The liability is excluded.", 39],
    ["The liability is limited.", 0],
  ]);
});
