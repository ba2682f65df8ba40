import { listingActions } from "@agent-backends/contract";
import type { Features } from "./features.ts";
import { bucketCount, toValue } from "./features.ts";
import trained from "./weights.json" with { type: "json" };

/** Classes of the model: the actions, and messages that only change the previous request. */
export const classes = [...listingActions, "follow_up"] as const;
export type Class = (typeof classes)[number];

/** Each weight is one printable character. This is the character code for 0. */
export const zero = 79;
const weights = new Int8Array(Buffer.from(trained.weights, "latin1")).map((unit) => unit - zero);

/** Probability of each class. */
export function classify(features: Features): Record<Class, number> {
  const likely = toProbabilities(score(weights, features).map((sum) => sum * trained.scale));
  return Object.fromEntries(classes.map((name, at) => [name, likely[at]])) as Record<Class, number>;
}

/** The sum of the weights of the features, for each class. */
export function score(table: Int8Array | Float64Array, features: Features): number[] {
  const sums = new Float64Array(classes.length);
  const group = new Float64Array(classes.length);
  for (const indices of features) {
    group.fill(0);
    for (const index of indices) {
      const row = index * classes.length;
      for (let column = 0; column < classes.length; column++)
        group[column] = (group[column] as number) + (table[row + column] as number);
    }
    const value = toValue(indices);
    for (const [column, sum] of group.entries()) sums[column] = (sums[column] as number) + sum * value;
  }
  return [...sums];
}

export function toProbabilities(sums: readonly number[]): number[] {
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

export const weightCount = bucketCount * classes.length;
