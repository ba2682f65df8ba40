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

test("cross-validation: messages that were no part of the training get their class", () => {
  const folds = 4;
  let right = 0;
  for (let fold = 0; fold < folds; fold++) {
    const table = train(examples.filter((_example, index) => index % folds !== fold));
    const unseen = examples.filter((_example, index) => index % folds === fold);
    right += unseen.filter(({ label, features }) => mostLikely(score(table, features)) === label).length;
  }
  expect(right / examples.length).toBeGreaterThan(0.92);
}, 60_000);

function mostLikely(sums: readonly number[]): Class | undefined {
  return classes[sums.indexOf(Math.max(...sums))];
}
