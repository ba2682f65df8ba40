import type { Candidate } from "./evidence.ts";
import type { AskedWord, Question } from "./question.ts";

/**
 * Coefficients of a logistic regression that estimates whether an answer is right. Fitted on 202 questions about real documents in
 * 14 languages, without those that `isSure` decides. Of the 52 questions without an answer, 50 are refused.
 */
const weights = { covered: 1.41, evidence: 2.3, missing: -1.14, names: -0.71, isFirst: 0.21, score: 2.35 };
const bias = -2.65;
/** Answers with a lower confidence are refused. Raising the limit gives fewer wrong answers, and fewer right ones. */
const minConfidence = 0.05;

/** A statement that covers this share of the words other than names always answers. Who did something also depends on the verb. */
const sureCoverage = 0.6;
const sureCoverageForPerson = 0.75;
/** A question with few words other than names, such as "Which city is Ada from?", needs a smaller share. */
const fewWordsWeight = 1;
const sureCoverageOfFewWords = 0.35;

/** Larger values don't change the confidence. */
const maxEvidence = 5;
const maxMissing = 5;
const maxNames = 3;
/** A name counts if the statement, its heading or its column contains it. */
const minNameMatch = 0.74;
const maxScore = 1.2;

/** Measures which of the question's words a statement and its surroundings cover. Names count in `evidence` and `names` only. */
function measure({ chunk, position }: Candidate, words: readonly AskedWord[]) {
  const own = words.filter(({ isKey }) => !isKey);
  const match = (asked: AskedWord) => chunk.match(asked, position);
  return {
    total: sum(own.map(({ weight }) => weight)),
    covered: sum(own.map((asked) => asked.weight * match(asked))),
    missing: sum(own.filter((asked) => match(asked) === 0).map(({ weight }) => weight)),
    evidence: sum(words.map((asked) => asked.weight * match(asked))),
    names: words.filter((asked) => asked.isKey && match(asked) >= minNameMatch).length,
  };
}

/** Whether a statement covers nearly all of a question. */
export function isSure(candidate: Candidate, { words, type }: Asked): boolean {
  const { total, covered } = measure(candidate, words);
  const needed = type === "person" ? sureCoverageForPerson : sureCoverage;
  return covered >= total * (total < fewWordsWeight ? sureCoverageOfFewWords : needed);
}

/** Whether a statement is likely to answer a question of which it covers only a part. */
export function isConfident(candidate: Candidate, { words }: Asked, score: number): boolean {
  const { total, covered, missing, evidence, names } = measure(candidate, words);
  const confidence =
    bias +
    weights.covered * (covered / total) +
    weights.evidence * (Math.min(evidence, maxEvidence) / maxEvidence) +
    weights.missing * (Math.min(missing, maxMissing) / maxMissing) +
    weights.names * (Math.min(names, maxNames) / maxNames) +
    weights.isFirst * (candidate.chunk.rank === 0 ? 1 : 0) +
    weights.score * Math.min(score, maxScore);
  return confidence >= minConfidence;
}

type Asked = Pick<Question, "words" | "type">;

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
