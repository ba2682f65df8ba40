import { foldWord, isFormOf, wordsOf } from "../markdown/words.ts";
import type { Range } from "./chunk-marks.ts";
import { joinLines } from "./join-lines.ts";

/** A figure says more about where a claim comes from than a word does. */
const numberWeight = 2;
/** One word in common supports a claim if it is a number or at least this long; else it takes two. */
const minSingleWordLength = 5;

const segmenter = new Intl.Segmenter("und", { granularity: "sentence" });
const hasDigit = /\p{Nd}/u;
/** Headings, and the line below a table's head. */
const noSentence = /^\s*(#{1,6} |[|:\s-]+$)/;
const ruleBelowHead = /^\|[|:\s-]+$/;
/** What belongs to the sentence before or after: `12] The sea ducks … in saltwater.[` */
const footnoteEnds = /^(?:\d{1,4}\]\s*)+|\s*\[$/g;
const listMarker = /^\s*([-*+•]|\d+[.)])\s+/;

/**
 * The sentences of a chunk that support what an answer claims: for each claim the one that shares the most words with it,
 * where a word counts the more the fewer sentences of the chunk have it. A table's row is a sentence, too.
 *
 * @returns ranges in the chunk, in its order; none for a claim that shares nothing with it
 */
export function findSupportingSentences(chunk: string, claims: readonly string[]): Range[] {
  const sentences = sentencesOf(chunk).map((range) => {
    return { range, words: wordsOf(chunk.slice(range.start, range.end)).map(foldWord) };
  });
  const found = claims.flatMap((claim) => {
    const wanted = [...new Set(wordsOf(claim).map(foldWord))].map((word) => {
      const having = sentences.filter(({ words }) => words.some((one) => isFormOf(one, word)));
      const rarity = Math.log(1 + sentences.length / Math.max(1, having.length));
      return { word, having: new Set(having), weight: rarity * (hasDigit.test(word) ? numberWeight : 1) };
    });
    let best: { range: Range; score: number } | undefined;
    for (const sentence of sentences) {
      const shared = wanted.filter(({ having }) => having.has(sentence));
      const isEnough = shared.length > 1 || shared.some(({ word }) => isTelling(word));
      const score = shared.reduce((sum, { weight }) => sum + weight, 0);
      if (isEnough && score > (best?.score ?? 0)) best = { range: sentence.range, score };
    }
    return best ? [best.range] : [];
  });
  return [...new Set(found)].sort((a, b) => a.start - b.start);
}

const isTelling = (word: string) => hasDigit.test(word) || word.length >= minSingleWordLength;

function sentencesOf(chunk: string): Range[] {
  return [...segmenter.segment(joinLines(chunk))].flatMap(({ segment, index }, position, all) => {
    if (noSentence.test(segment) || ruleBelowHead.test(all[position + 1]?.segment ?? "")) return [];
    const text = segment.replace(listMarker, "").trim().replace(footnoteEnds, "");
    const start = index + segment.indexOf(text);
    return text === "" ? [] : [{ start, end: start + text.length }];
  });
}
