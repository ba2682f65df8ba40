import { createHash } from "node:crypto";
import { pick } from "../../packages/llm/offline/reader/answer.ts";
import type { Features } from "../../packages/llm/offline/reader/features.ts";
import type { Model } from "../../packages/llm/offline/reader/model.ts";
import { score } from "../../packages/llm/offline/reader/model.ts";
import type { ReaderCase } from "./cases.ts";

/** L2 penalties. The second model has one example for each question, the first one has dozens. */
const penalties = { statement: 0.03, answer: 0.15 };
const iterations = 300;
const learningRate = 0.05;
const folds = 5;

/** Options of which one or several are right. */
interface Choice {
  options: readonly Features[];
  isRight: readonly boolean[];
  weight: number;
}

/** The option to say nothing. It has no features, and its score is 0. */
const refusal: Features = {};

export interface Reader {
  statement: Model;
  answer: Model;
}

/** The answer of a reader to a case that it wasn't trained on. */
export interface Outcome {
  case: ReaderCase;
  /** The logarithm of the odds. */
  confidence: number;
  isRight: boolean;
}

/** The second model learns from what the first one picks for questions that it wasn't trained on. */
export function train(cases: readonly ReaderCase[]): Reader {
  const picked = crossPick(cases);
  return { statement: fitStatements(cases), answer: fitAnswers(picked) };
}

/** Trains on four fifths of the documents and answers the questions about the others. */
export function crossValidate(cases: readonly ReaderCase[]): Outcome[] {
  const picked = crossPick(cases);
  return split(picked, ({ case: one }) => one).flatMap(({ training, tested }) => {
    const model = fitAnswers(training);
    return tested.map(({ case: one, features, isRight }) => {
      return { case: one, confidence: features ? score(model, features) : -Infinity, isRight };
    });
  });
}

interface Picked {
  case: ReaderCase;
  features: Features | undefined;
  isRight: boolean;
}

function crossPick(cases: readonly ReaderCase[]): Picked[] {
  return split(cases, (one) => one).flatMap(({ training, tested }) => {
    const model = fitStatements(training);
    return tested.map((one) => {
      const best = pick(one.statements, model);
      return { case: one, features: best?.features, isRight: best?.statements.some(one.isRight) === true };
    });
  });
}

/** By document, so that no question is answered with what its neighbours taught. */
function split<Item>(items: readonly Item[], caseOf: (item: Item) => ReaderCase) {
  const foldOf = (item: Item) => {
    const { documents, id } = caseOf(item).question;
    return (
      (createHash("sha256")
        .update(documents[0] ?? id)
        .digest()[0] ?? 0) % folds
    );
  };
  return Array.from({ length: folds }, (_, fold) => ({
    training: items.filter((item) => foldOf(item) !== fold),
    tested: items.filter((item) => foldOf(item) === fold),
  }));
}

/** Learns to score the labelled statements of a question above its other ones. */
const fitStatements = (cases: readonly ReaderCase[]): Model =>
  fitModel(
    cases.flatMap(({ statements, isLabelled, weight }) => {
      const options = statements.map(({ features }) => features);
      return isLabelled.includes(true) ? [{ options, isRight: isLabelled, weight }] : [];
    }),
    penalties.statement,
  );

/** Learns to score an answer that is right above 0, the score of a refusal. */
const fitAnswers = (picked: readonly Picked[]): Model =>
  fitModel(
    picked.flatMap(({ case: { weight }, features, isRight }) =>
      features ? [{ options: [features, refusal], isRight: [isRight, !isRight], weight }] : [],
    ),
    penalties.answer,
  );

/**
 * A conditional logit model by gradient descent (Adam) on standardised features: the probability of an option is the softmax of the
 * scores. The same choices give the same weights.
 */
function fitModel(choices: readonly Choice[], penalty: number): Model {
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
  const weights = new Float64Array(bias + 1);
  const mean = new Float64Array(bias + 1);
  const square = new Float64Array(bias + 1);
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const gradient = weights.map((weight, at) => (at < bias ? penalty * weight : 0));
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
  // On features as they are, without the standardising.
  const plain = names.map((_, at) => (weights[at] ?? 0) / (scales[at] ?? 1));
  const round = (value: number) => Number(value.toPrecision(4));
  return {
    bias: round((weights[bias] ?? 0) - sum(plain.map((weight, at) => weight * (means[at] ?? 0)))),
    weights: Object.fromEntries(names.map((name, at) => [name, round(plain[at] ?? 0)])),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
