import { connect } from "@lancedb/lancedb";
import { expect, it, vi } from "vitest";
import type { LanceStore } from "../../../store/lance/lance-store.ts";
import { MemoryTable } from "../../../store/lance/search/memory-table.ts";
import { minUnindexedRows } from "../../../store/lance/upkeep/index-upkeep.ts";
import { getMaxDeltaIndices } from "../../../store/lance/upkeep/vector-index.ts";
import { buildDocument, findMatching, findNearest } from "../documents.ts";
import { folder, open, useStores } from "./lance-stores.ts";

useStores();

/** No moment is quiet, and nothing is old. */
const never = { quietMs: 600_000, maxDelayMs: 600_000, settleMs: 600_000 };
const soon = { ...never, quietMs: 1, maxDelayMs: 1, settleMs: 1 };

/** A vector index wants a dimension that is a multiple of 8. */
const toVector = (text: string) => Float32Array.from({ length: 8 }, (_, place) => Math.sin((place + 1) * Number(text)));
const documentOfNumbers = (first: number, count: number) =>
  buildDocument("", { pieces: Array.from({ length: count }, (_, place) => String(first + place)), toVector });
const nearest = async (store: LanceStore, number: number) => {
  const vector = toVector(String(number));
  const found = await findNearest(store, "zoo", { model: "letters", vector }, { limit: 10 });
  return found.map(({ chunk }) => chunk.text);
};
const matching = async (store: LanceStore, number: number) =>
  (await findMatching(store, "zoo", String(number), { limit: 10 })).map(({ text }) => text);

/** Rows that an index doesn't have yet, and the pieces of an index; the most of all indices. */
async function indices(): Promise<{ count: number; unindexed: number; pieces: number }> {
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  const all = await (await connection.openTable(name)).listIndices();
  const most = (values: (number | undefined)[]) => Math.max(...values.map((value) => value ?? 0));
  return {
    count: all.length,
    unindexed: most(all.map(({ numUnindexedRows }) => numUnindexedRows)),
    pieces: most(all.map(({ numSegments }) => numSegments)),
  };
}
const unindexed = async () => (await indices()).unindexed;

/** Searches until the table is in memory. */
async function searchInMemory(search: () => Promise<unknown>): Promise<void> {
  const ranking = vi.spyOn(MemoryTable.prototype, "rank");
  await expect.poll(search).toSatisfy(() => ranking.mock.calls.length > 0);
  ranking.mockRestore();
}

/** A namespace of which an eighth is far more than what comes later. */
async function fillLargeNamespace(): Promise<void> {
  const store = open(soon);
  await store.add("zoo", documentOfNumbers(0, 5_100));
  await expect.poll(indices).toMatchObject({ count: 2, unindexed: 0 });
  await store.close();
}

it("what comes to a large namespace is indexed soon: while more comes, from several writers, and after a restart", async () => {
  await fillLargeNamespace();
  // A writer that is never quiet; few rows may wait until it is.
  const busy = open({ ...never, maxDelayMs: 1 });
  for (let first = 10_000; first < 10_400; first += 10) await busy.add("zoo", documentOfNumbers(first, 10));
  await expect.poll(unindexed).toBeLessThan(minUnindexedRows);

  const writers = [open(soon), open(soon)];
  const batches = Array.from({ length: 20 }, (_, batch) => 20_000 + 10 * batch);
  await Promise.all(batches.map((first, batch) => writers[batch % 2]?.add("zoo", documentOfNumbers(first, 10))));
  await expect.poll(unindexed).toBe(0);
  expect(await writers[0]?.deleteDocument("zoo", documentOfNumbers(20_000, 10).id)).toBe(true);
  await Promise.all([...writers, busy].map((store) => store.close()));

  const dying = open(never);
  await dying.add("zoo", documentOfNumbers(30_000, 10));
  expect(await unindexed()).toBeGreaterThan(0);
  const restarted = open(soon);
  // The engine ranks vectors that are nearly equal by their rough forms.
  await searchInMemory(() => nearest(restarted, 30_003));
  const before = [await nearest(restarted, 30_003), await matching(restarted, 30_003)];
  expect(before.map(([first]) => first)).toEqual(["30003", "30003"]);
  await expect.poll(unindexed).toBe(0);
  await searchInMemory(() => nearest(restarted, 30_003));
  // What is indexed is found as it was before.
  expect([await nearest(restarted, 30_003), await matching(restarted, 30_003)]).toEqual(before);
  for (const number of [7, 10_255, 20_199]) {
    expect((await nearest(restarted, number))[0]).toBe(String(number));
    expect(await matching(restarted, number)).toEqual([String(number)]);
  }
  expect([await matching(restarted, 20_005), await nearest(restarted, 20_005)].flat()).not.toContain("20005");
});

it("a vector index that has grown by many pieces becomes one again", async () => {
  await fillLargeNamespace();
  const store = open(soon);
  for (let round = 0; round <= getMaxDeltaIndices(5_100); round += 1) {
    await store.add("zoo", documentOfNumbers(10_000 + 10 * round, 10));
    await expect.poll(unindexed).toBe(0);
  }
  await expect.poll(async () => (await indices()).pieces).toBe(1);
});
