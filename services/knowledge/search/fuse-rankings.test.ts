import { expect, it } from "vitest";
import { fuseRankings } from "./fuse-rankings.ts";
import type { Hit } from "./hybrid-search.ts";

function hit(name: string): Hit {
  const document = { id: name, hash: "", title: name, source: "text:0", ingestedAt: "2026-01-01T00:00:00.000Z" };
  return { document, index: 0, start: 0, end: 1, text: name, searchText: name, score: 1 };
}
const fused = (...rankings: string[]) =>
  fuseRankings(rankings.map((names) => [...names].map(hit)))
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
