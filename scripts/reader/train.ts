import { createHash } from "node:crypto";
import { pick } from "../../packages/llm/offline/reader/answer.ts";
import type { Features } from "../../packages/llm/offline/reader/features.ts";
import type { Model } from "../../packages/llm/offline/reader/model.ts";
import { score } from "../../packages/llm/offline/reader/model.ts";
import type { ReaderCase } from "./cases.ts";

/**
 * L2 penalties on the distance of the weights from their start. Weaker penalties forget what was learned from a larger set of questions.
 */
const penalties = { statement: 10, answer: 10 };
const iterations = 300;
const learningRate = 0.05;
const folds = 5;

/** Options of which one or more are right. */
interface Choice {
  options: readonly Features[];
  isRight: readonly boolean[];
  weight: number;
}

/** The option of giving no answer. It has no features, and its score is 0. */
const refusal: Features = {};

export interface Reader {
  statement: Model;
  answer: Model;
}

/** A reader's answer to a case that it wasn't trained on. */
export interface Outcome {
  case: ReaderCase;
  /** Log odds that the answer is right. */
  confidence: number;
  isRight: boolean;
}

export const answerAll = (cases: readonly ReaderCase[], { statement, answer }: Reader): Outcome[] =>
  cases.map((one) => toOutcome(pickFor(one, statement), answer));

/** Trains both models. The second one learns from the first one's choices for questions that the first wasn't trained on. */
export function train(cases: readonly ReaderCase[], start: Reader): Reader {
  const picked = crossPick(cases, start);
  return { statement: fitStatements(cases, start), answer: fitAnswers(picked, start) };
}

/** Trains on four fifths of the documents, and answers the questions about the others. */
export function crossValidate(cases: readonly ReaderCase[], start: Reader): Outcome[] {
  const picked = crossPick(cases, start);
  return split(picked, ({ case: one }) => one).flatMap(({ training, tested }) => {
    const model = fitAnswers(training, start);
    return tested.map((one) => toOutcome(one, model));
  });
}

interface Picked {
  case: ReaderCase;
  features: Features | undefined;
  isRight: boolean;
}

function crossPick(cases: readonly ReaderCase[], start: Reader): Picked[] {
  return split(cases, (one) => one).flatMap(({ training, tested }) => {
    const model = fitStatements(training, start);
    return tested.map((one) => pickFor(one, model));
  });
}

function pickFor(one: ReaderCase, model: Model): Picked {
  const best = pick(one.statements, model);
  return { case: one, features: best?.features, isRight: best?.statements.some(one.isRight) === true };
}

const toOutcome = ({ case: one, features, isRight }: Picked, model: Model): Outcome => {
  return { case: one, confidence: features ? score(model, features) : -Infinity, isRight };
};

/** Splits by group of documents, so that no question is answered with knowledge from questions about the same documents. */
function split<Item>(items: readonly Item[], getCase: (item: Item) => ReaderCase) {
  const getFold = (item: Item) => (createHash("sha256").update(getCase(item).group).digest()[0] ?? 0) % folds;
  return Array.from({ length: folds }, (_, fold) => ({
    training: items.filter((item) => getFold(item) !== fold),
    tested: items.filter((item) => getFold(item) === fold),
  }));
}

/** Learns to score the labelled statements of a question above its other statements. */
const fitStatements = (cases: readonly ReaderCase[], { statement }: Reader): Model =>
  fitModel(
    cases.flatMap(({ statements, isLabelled, weight }) => {
      const options = statements.map(({ features }) => features);
      return isLabelled.includes(true) ? [{ options, isRight: isLabelled, weight }] : [];
    }),
    statement,
    penalties.statement,
  );

/** Learns to score a right answer above 0, the score of a refusal. */
const fitAnswers = (picked: readonly Picked[], { answer }: Reader): Model =>
  fitModel(
    picked.flatMap(({ case: { weight }, features, isRight }) =>
      features ? [{ options: [features, refusal], isRight: [isRight, !isRight], weight }] : [],
    ),
    answer,
    penalties.answer,
  );

/**
 * Fits a conditional logit model by gradient descent (Adam) on standardised features: the probability of an option is the softmax of the
 * scores. Starts from known weights, and from 0 for new features. Deterministic: the same choices give the same weights.
 */
function fitModel(choices: readonly Choice[], start: Model, penalty: number): Model {
  const names = Object.keys(choices[0]?.options[0] ?? {});
  const examples = choices.flatMap(({ options }) => options.filter((option) => option !== refusal));
  const means = names.map((name) => sum(examples.map((features) => features[name] ?? 0)) / examples.length);
  const scales = names.map((name, at) => {
    const variance = sum(examples.map((features) => ((features[name] ?? 0) - (means[at] ?? 0)) ** 2)) / examples.length;
    return Math.sqrt(variance) || 1;
  });
  const bias = names.length;
  const toRow = (features: Features) => {
    if (features === refusal) return new Float64Array(bias + 1);
    const row = names.map((name, at) => ((features[name] ?? 0) - (means[at] ?? 0)) / (scales[at] ?? 1));
    return Float64Array.from([...row, 1]);
  };
  const rows = choices.map(({ options }) => options.map(toRow));
  const total = sum(choices.map(({ weight }) => weight));
  const known = names.map((name, at) => (start.weights[name] ?? 0) * (scales[at] ?? 1));
  const startBias = start.bias + sum(names.map((name, at) => (start.weights[name] ?? 0) * (means[at] ?? 0)));
  const weights = Float64Array.from([...known, startBias]);
  const mean = new Float64Array(bias + 1);
  const square = new Float64Array(bias + 1);
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const gradient = weights.map((weight, at) => (at < bias ? penalty * (weight - (known[at] ?? 0)) : 0));
    for (const [index, { isRight, weight }] of choices.entries()) {
      const options = rows[index] ?? [];
      const odds = options.map((row) =>
        Math.exp(row.reduce((score, value, at) => score + value * (weights[at] ?? 0), 0)),
      );
      const all = sum(odds);
      const right = sum(odds.filter((_, at) => isRight[at]));
      for (const [option, row] of options.entries()) {
        const odd = odds[option] ?? 0;
        const error = ((odd / all - (isRight[option] ? odd / right : 0)) * weight) / total;
        for (const [at, value] of row.entries()) gradient[at] = (gradient[at] ?? 0) + error * value;
      }
    }
    for (const [at, slope] of gradient.entries()) {
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * slope ** 2;
      const step = (mean[at] ?? 0) / (1 - 0.9 ** iteration);
      weights[at] =
        (weights[at] ?? 0) - (learningRate * step) / (Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** iteration)) + 1e-8);
    }
  }
  // Weights for the original, unstandardised features.
  const plain = names.map((_, at) => (weights[at] ?? 0) / (scales[at] ?? 1));
  const round = (value: number) => Number(value.toPrecision(4));
  return {
    bias: round((weights[bias] ?? 0) - sum(plain.map((weight, at) => weight * (means[at] ?? 0)))),
    weights: Object.fromEntries(names.map((name, at) => [name, round(plain[at] ?? 0)])),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
