import type { Features } from "./features.ts";

/** A logistic regression. */
export interface Model {
  bias: number;
  /** Weights by feature. */
  weights: Record<string, number>;
}

/** The log odds that a statement, or an answer, is right. */
export function score({ bias, weights }: Model, features: Features): number {
  let total = bias;
  for (const name in weights) total += (weights[name] ?? 0) * (features[name] ?? 0);
  return total;
}

/** A statement with its score. */
export interface Scored<Item> {
  item: Item;
  features: Features;
  score: number;
}

/** Input of the second model: the features of the best statement, and how it stands out among the others. */
export function describeBest<Item>(
  best: Scored<Item>,
  second: Scored<Item> | undefined,
  all: readonly Scored<Item>[],
): Features {
  const sum = all.reduce((total, { score }) => total + Math.exp(score), 0);
  return {
    ...best.features,
    few: Number(all.length <= maxFew),
    score: best.score,
    lead: second === undefined ? maxLead : Math.min(maxLead, best.score - second.score),
    total: Math.log(sum),
    share: Math.exp(best.score) / sum,
  };
}

const maxLead = 5;
/** Among this few statements, words are rare by chance, so the features need another model. */
const maxFew = 20;
