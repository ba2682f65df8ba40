import { listingActions } from "@agent-backends/contract";
import type { Features } from "./features.ts";
import { bucketCount } from "./features.ts";
import trained from "./weights.json" with { type: "json" };

/** What the model tells apart: the actions, and messages that only change what was asked for before them. */
export const classes = [...listingActions, "follow_up"] as const;
export type Class = (typeof classes)[number];

const weights = new Int8Array(Buffer.from(trained.weights, "base64"));

/** How likely each class is, in the order of {@link classes}. */
export function classify(features: Features): number[] {
  return toProbabilities(score(weights, features).map((sum) => sum * trained.scale));
}

/** The sum of the weights of the features, for each class. */
export function score(table: Int8Array | Float64Array, { indices, values }: Features): number[] {
  const sums: number[] = classes.map(() => 0);
  for (let index = 0; index < indices.length; index++) {
    const row = (indices[index] as number) * sums.length;
    const value = values[index] as number;
    for (let column = 0; column < sums.length; column++)
      sums[column] = (sums[column] as number) + (table[row + column] as number) * value;
  }
  return sums;
}

export function toProbabilities(sums: readonly number[]): number[] {
  const highest = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

export const weightCount = bucketCount * classes.length;
