import { foldWord, isFormOf, splitWords } from "../markdown/words.ts";
import type { Range } from "./chunk-marks.ts";
import { joinLines } from "./join-lines.ts";

/** Numbers are stronger evidence than words. */
const numberWeight = 2;
/** A single shared word supports a claim only if it is a number or at least this long. */
const minSingleWordLength = 5;

const segmenter = new Intl.Segmenter("und", { granularity: "sentence" });
const hasDigit = /\p{Nd}/u;
/** A heading, or the delimiter row of a table. */
const notSentence = /^\s*(#{1,6} |[|:\s-]+$)/;
const delimiterRow = /^\|[|:\s-]+$/;
/** Parts of footnote marks at the ends of a sentence: `12] The sea ducks … in saltwater.[` */
const footnoteParts = /^(?:\d{1,4}\]\s*)+|\s*\[$/g;
const listMarker = /^\s*([-*+•]|\d+[.)])\s+/;

/**
 * The sentences of a chunk that support an answer's claims: for each claim the sentence that shares the most words with it,
 * weighted by how rare a word is in the chunk (inverse document frequency). A table row counts as a sentence.
 *
 * @returns ranges in the chunk, in order; none for a claim that shares no words with it
 */
export function findSupportingSentences(chunk: string, claims: readonly string[]): Range[] {
  const sentences = splitSentences(chunk).map((range) => {
    return { range, words: splitWords(chunk.slice(range.start, range.end)).map(foldWord) };
  });
  const found = claims.flatMap((claim) => {
    const wanted = [...new Set(splitWords(claim).map(foldWord))].map((word) => {
      const having = sentences.filter(({ words }) => words.some((one) => isFormOf(one, word)));
      const rarity = Math.log(1 + sentences.length / Math.max(1, having.length));
      return { word, having: new Set(having), weight: rarity * (hasDigit.test(word) ? numberWeight : 1) };
    });
    let best: { range: Range; score: number } | undefined;
    for (const sentence of sentences) {
      const shared = wanted.filter(({ having }) => having.has(sentence));
      const isEnough = shared.length > 1 || shared.some(({ word }) => isSignificant(word));
      const score = shared.reduce((sum, { weight }) => sum + weight, 0);
      if (isEnough && score > (best?.score ?? 0)) best = { range: sentence.range, score };
    }
    return best ? [best.range] : [];
  });
  return [...new Set(found)].sort((a, b) => a.start - b.start);
}

const isSignificant = (word: string) => hasDigit.test(word) || word.length >= minSingleWordLength;

function splitSentences(chunk: string): Range[] {
  return [...segmenter.segment(joinLines(chunk))].flatMap(({ segment, index }, position, all) => {
    if (notSentence.test(segment) || delimiterRow.test(all[position + 1]?.segment ?? "")) return [];
    const text = segment.replace(listMarker, "").trim().replace(footnoteParts, "");
    const start = index + segment.indexOf(text);
    return text === "" ? [] : [{ start, end: start + text.length }];
  });
}
