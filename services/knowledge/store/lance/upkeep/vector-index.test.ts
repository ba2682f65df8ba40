import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { connect } from "@lancedb/lancedb";
import { expect, it, onTestFinished } from "vitest";
import { ensureVectorIndex } from "./vector-index.ts";

const column = { name: "vector_1", model: "waves", dimension: 8 };

/** Vectors that lie all around. */
const buildRows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    return { number, vector_1: Array.from({ length: 8 }, (_, place) => Math.sin((number + 1) * (place + 1) * 0.7)) };
  });

it("an index keeps its partitions when new chunks are taken in, and gets more when the table has grown a lot", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const connection = await connect(folder);
  const table = await connection.createTable("some", buildRows(0, 5_000));
  const indices = async () => (await table.listIndices()).map(({ name }) => name);
  const partitions = async () => {
    const query = table.query().nearestTo([1, 0, 0, 0, 0, 0, 0, 0]).column(column.name).nprobes(1_000).limit(1);
    const plan = await query.analyzePlan();
    // What came later may have an index of its own, with the same partitions.
    return Number(/partitions_ranked=(\d+)/.exec(plan)?.[1]) / Number(/ deltas=(\d+)/.exec(plan)?.[1]);
  };
  await ensureVectorIndex(table, column);
  expect(await indices()).toEqual(["vector_1_1"]);
  await table.add(buildRows(5_000, 17_000));
  await ensureVectorIndex(table, column);
  expect([await indices(), await partitions()]).toEqual([["vector_1_4"], 4]);
  await table.add(buildRows(17_000, 18_000));
  await table.optimize();
  await ensureVectorIndex(table, column);
  expect([await indices(), await partitions()]).toEqual([["vector_1_4"], 4]);
  connection.close();
});
