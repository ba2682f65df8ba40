import { expect, test } from "vitest";
import { readCosts } from "./costs.ts";
import { defaultUsage, planCapacity } from "./plan.ts";

const costs = readCosts();

test("twice the users need twice the cores and streams, and no more storage", () => {
  const once = planCapacity(defaultUsage, costs);
  const twice = planCapacity({ ...defaultUsage, users: 2 * defaultUsage.users }, costs);
  expect(twice.relay.cores).toBeCloseTo(2 * once.relay.cores);
  expect(twice.openStreams).toBeCloseTo(2 * once.openStreams);
  expect(twice.storeBytes).toBe(once.storeBytes);
});

test("an agent that nobody asks needs nothing", () => {
  const plan = planCapacity({ ...defaultUsage, listingShare: 0 }, costs);
  expect(plan.listing).toMatchObject({ cores: 0, processes: 0, memoryBytes: 0 });
});

test("documents that change cost CPU even if nobody asks", () => {
  const quiet = { ...defaultUsage, users: 0, docs: 1_000_000 };
  const changing = planCapacity({ ...quiet, changedDocsPerDay: 0.5 }, costs);
  expect(changing.knowledge.cores).toBeGreaterThan(planCapacity(quiet, costs).knowledge.cores);
});
