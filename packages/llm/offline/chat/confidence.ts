import { hasAnswerOfType } from "./answer-types.ts";
import type { Candidate } from "./evidence.ts";
import type { Question } from "./question.ts";

/**
 * Coefficients of a logistic regression (L2 penalty 1) that estimates whether the best statement answers a question. Fitted on 201
 * questions about real documents in 14 languages: two sets by different writers, each with 105 questions that have an answer and 30
 * that have none. Features and limits were chosen by comparing results on both sets, so a third set will score lower.
 */
const weights = {
  covered: 0.9,
  evidence: 1.52,
  isFirst: 0.94,
  hasValue: 1.37,
  lead: 1.03,
  length: -0.82,
  isGerman: -0.83,
};
const bias = -2.09;
/** Answers with a lower confidence are refused. Raising the limit gives fewer wrong answers, and fewer right ones. */
const minConfidence = 0.4;

/** Larger values don't change the confidence. */
const maxEvidence = 5;
const maxLead = 0.5;
const maxLength = 400;
/** Stands for a question whose words don't show what type of value it asks for. */
const valueOfUnknownType = 0.5;

/**
 * Whether a statement is likely to answer a question.
 *
 * @param words the question's words, and those of its topic if it follows up on an earlier question
 * @param lead by how much its score exceeds that of the best statement elsewhere
 */
export function isConfident(
  { chunk, position }: Candidate,
  { text, language, type, words }: Question,
  lead: number,
): boolean {
  const evidence = sum(words.map((asked) => asked.weight * chunk.match(asked, position)));
  const total = sum(words.map(({ weight }) => weight));
  const statement = chunk.getText(position);
  const hasValue =
    type === undefined ? valueOfUnknownType : Number(hasAnswerOfType(statement, type, { text, language }));
  const confidence =
    bias +
    weights.covered * (evidence / total) +
    weights.evidence * (Math.min(evidence, maxEvidence) / maxEvidence) +
    weights.isFirst * Number(chunk.rank === 0) +
    weights.hasValue * hasValue +
    weights.lead * Math.min(lead, maxLead) +
    weights.length * (Math.min(statement.length, maxLength) / maxLength) +
    weights.isGerman * Number(language === "de");
  return confidence >= minConfidence;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
