import { setTimeout } from "node:timers/promises";
import PQueue from "p-queue";
import { expect, test } from "vitest";
import { Batcher } from "./batcher.ts";

const clients = 8;
const rounds = 5;
const workMs = 100;

/** A batcher with the sizes of the batches that it has worked on. */
function createBatcher() {
  const sizes: number[] = [];
  const work = async (items: number[]) => {
    sizes.push(items.length);
    await setTimeout(workMs);
    return items;
  };
  return { sizes, batcher: new Batcher({ queue: new PQueue({ concurrency: 1 }), maxGatherMs: workMs, work }) };
}

test("items of clients that got their results together share the next batch, also with the one that comes first", async () => {
  const { batcher, sizes } = createBatcher();
  const client = async (number: number) => {
    for (let round = 0; round < rounds; round += 1) {
      await setTimeout(number);
      expect(await batcher.add(number)).toBe(number);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(clients * rounds);
  // The first item of all has a batch of its own, and so may the last ones. Without gathering each round takes two.
  expect(sizes.length).toBeLessThanOrEqual(rounds + 3);
});

test("two groups of clients that took turns share their batches after a while", async () => {
  const { batcher, sizes } = createBatcher();
  const client = async (number: number) => {
    // The second group's first items arrive during the first group's batch.
    await setTimeout(number % 2 === 0 ? 0 : workMs / 2);
    for (let round = 0; round < rounds; round += 1) await batcher.add(number);
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  expect(sizes.filter((size) => size === clients).length).toBeGreaterThanOrEqual(rounds - 2);
});
