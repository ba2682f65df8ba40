import { createHash } from "node:crypto";
import { pick } from "../../packages/llm/offline/reader/answer.ts";
import type { Features } from "../../packages/llm/offline/reader/features.ts";
import type { Model } from "../../packages/llm/offline/reader/model.ts";
import { score } from "../../packages/llm/offline/reader/model.ts";
import type { ReaderCase } from "./cases.ts";

/** The other statements of a question together, relative to the labelled ones together. */
const othersWeight = 4;
/** L2 penalties. The second model has one example for each question, the first one has dozens. */
const penalties = { statement: 3e-3, answer: 0.15 };
const iterations = 300;
const learningRate = 0.05;
const folds = 5;

interface Example {
  features: Features;
  isRight: boolean;
  weight: number;
}

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

function fitStatements(cases: readonly ReaderCase[]): Model {
  const examples = cases.flatMap(({ statements, isLabelled, weight }) => {
    const right = isLabelled.filter(Boolean).length;
    return statements.map(({ features }, at): Example => {
      const isRight = isLabelled[at] === true;
      return { features, isRight, weight: weight * (isRight ? 1 / right : othersWeight / (statements.length - right)) };
    });
  });
  return fitModel(examples, penalties.statement);
}

const fitAnswers = (picked: readonly Picked[]): Model =>
  fitModel(
    picked.flatMap(({ case: { weight }, features, isRight }) => (features ? [{ features, isRight, weight }] : [])),
    penalties.answer,
  );

/** Logistic regression by gradient descent (Adam) on standardised features. The same examples give the same weights. */
function fitModel(examples: readonly Example[], penalty: number): Model {
  const names = Object.keys(examples[0]?.features ?? {});
  const rows = examples.map(({ features }) => Float64Array.from(names, (name) => features[name] ?? 0));
  const means = names.map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length);
  const scales = names.map((_, at) => {
    const variance = rows.reduce((sum, row) => sum + ((row[at] ?? 0) - (means[at] ?? 0)) ** 2, 0) / rows.length;
    return Math.sqrt(variance) || 1;
  });
  for (const row of rows)
    for (const at of names.keys()) row[at] = ((row[at] ?? 0) - (means[at] ?? 0)) / (scales[at] ?? 1);
  const size = names.length + 1;
  const weights = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  for (let iteration = 1; iteration <= iterations; iteration++) {
    const gradient = new Float64Array(size);
    for (const [index, row] of rows.entries()) {
      const { isRight, weight } = examples[index] as Example;
      let logit = weights[names.length] ?? 0;
      for (let at = 0; at < row.length; at++) logit += (weights[at] ?? 0) * (row[at] ?? 0);
      const error = ((1 / (1 + Math.exp(-logit)) - Number(isRight)) * weight) / total;
      for (let at = 0; at < row.length; at++) gradient[at] = (gradient[at] ?? 0) + error * (row[at] ?? 0);
      gradient[names.length] = (gradient[names.length] ?? 0) + error;
    }
    for (let at = 0; at < size; at++) {
      const slope = (gradient[at] ?? 0) + (at < names.length ? penalty * (weights[at] ?? 0) : 0);
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      square[at] = 0.999 * (square[at] ?? 0) + 0.001 * slope ** 2;
      const step = (mean[at] ?? 0) / (1 - 0.9 ** iteration);
      weights[at] =
        (weights[at] ?? 0) - (learningRate * step) / (Math.sqrt((square[at] ?? 0) / (1 - 0.999 ** iteration)) + 1e-8);
    }
  }
  // On features as they are, without the standardising.
  const plain = names.map((_, at) => (weights[at] ?? 0) / (scales[at] ?? 1));
  const bias = (weights[names.length] ?? 0) - plain.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  const round = (value: number) => Number(value.toPrecision(4));
  return { bias: round(bias), weights: Object.fromEntries(names.map((name, at) => [name, round(plain[at] ?? 0)])) };
}
