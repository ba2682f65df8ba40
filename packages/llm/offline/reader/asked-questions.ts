import type { AskedWord, Question } from "./question.ts";
import { readQuestion } from "./question.ts";
import type { Candidate, ReadChunk } from "./read-chunk.ts";

/** Minimum share of each question's words that the other question must have. */
const minShared = 0.85;
const minMatch = 0.5;
/** A single common word occurs in many questions. */
const minWords = 2;

/**
 * Finds the text below the same question in a list of questions and answers, and returns its beginning. Such an answer is worded
 * independently of the question, for example "Yes, from the second order on.", so its own words don't help to find it.
 */
export function findAnswerBelowQuestion(question: Question, chunks: readonly ReadChunk[]): Candidate[] {
  if (question.words.length < minWords) return [];
  let best: { candidate: Candidate; share: number } | undefined;
  for (const chunk of chunks) {
    for (const [position, { kind }] of chunk.units.entries()) {
      const asked = chunk.getText(position);
      const isQuestion = (kind === "heading" || kind === "sentence") && /[?？؟]\W*$/u.test(asked);
      const answer = chunk.units[position + 1];
      if (!isQuestion || answer?.kind !== "sentence" || /[?？؟]\W*$/u.test(chunk.getText(position + 1))) continue;
      const here = chunk.getOwnWords(position);
      const there = readQuestion(asked);
      const share = Math.min(
        measureShare(question.words, (word) => here.match(word)),
        measureShare(there.words, (word) => chunk.readWords(question.text).match(word)),
      );
      if (share >= minShared && there.type === question.type && share > (best?.share ?? 0))
        best = { candidate: { chunk, position: position + 1 }, share };
    }
  }
  return best ? [best.candidate] : [];
}

/** Share of the words' weight that is found, 0…1. */
function measureShare(words: readonly AskedWord[], match: (word: AskedWord) => number): number {
  let [found, total] = [0, 0];
  for (const word of words) {
    total += word.weight;
    if (match(word) >= minMatch) found += word.weight;
  }
  return total === 0 ? 0 : found / total;
}
