import { expect, test } from "vitest";
import type { Class } from "./classifier.ts";
import { classes, score } from "./classifier.ts";
import { readExamples } from "./examples.ts";
import { pack, train } from "./train.ts";
import weights from "./weights.json" with { type: "json" };

const examples = readExamples();

test("the weights are those that training gives", () => {
  expect(pack(train(examples)).weights === weights.weights, "run npm run train:routing").toBe(true);
});

// Each of these files was written by someone who had not seen the routing.
const writers = [..."cdefg"].map((letter) => `unseen-${letter}.txt`);

test("cross-validation: messages of writers who were no part of the training get their class", () => {
  let right = 0;
  for (const writer of writers) {
    const table = train(
      examples.filter(({ file }) => file !== writer),
      1,
    );
    right += examples.filter(
      ({ file, label, features }) => file === writer && mostLikely(score(table, features)) === label,
    ).length;
  }
  expect(right / examples.filter(({ file }) => writers.includes(file)).length).toBeGreaterThan(0.95);
}, 60_000);

function mostLikely(sums: readonly number[]): Class | undefined {
  return classes[sums.indexOf(Math.max(...sums))];
}
