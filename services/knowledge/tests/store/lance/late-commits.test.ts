import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { connect, Index } from "@lancedb/lancedb";
import { expect, it, onTestFinished } from "vitest";
import { buildDocument, describeAll, findMatching, toLetterVector } from "../documents.ts";
import { folder, open, useStores } from "./lance-stores.ts";

useStores();

it("a deleted namespace stays deleted when another process, which was building its index, commits that afterwards", async () => {
  const [store, other] = [open(), open()];
  await store.add("zoo", buildDocument("zebra"));
  expect(await findMatching(other, "zoo", "zebra", { limit: 5 })).toHaveLength(1);
  const [name = ""] = await readdir(folder);
  // All that such a commit writes, in the state in which it leaves the table.
  const committed = await createTemporaryFolder(onTestFinished);
  for (const part of ["_versions", "_transactions", "_indices"]) {
    await cp(join(folder, name, part), join(committed, part), { recursive: true });
  }
  expect(await store.deleteNamespace("zoo")).toBe(true);
  await cp(committed, join(folder, name), { recursive: true });
  for (const reader of [other, store, open()]) {
    expect(await findMatching(reader, "zoo", "zebra", { limit: 5 })).toEqual([]);
    expect(await describeAll(reader)).toEqual([]);
  }
  expect(await other.add("zoo", buildDocument("lion"))).toBe(true);
  expect((await store.listDocuments("zoo", { limit: 5 })).map(({ id }) => id)).toEqual([buildDocument("lion").id]);
});

it("a namespace may be deleted while another process builds its index", async () => {
  const store = open();
  const pieces = Array.from({ length: 3_000 }, (_, number) => `animal ${number}`);
  await store.add(
    "zoo",
    buildDocument("", {
      pieces,
      toVector: (text) => toLetterVector(text).map((count, at) => count + Math.sin(at * Number(text.slice(7)))),
    }),
  );
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  const table = await connection.openTable(name);
  const column = (await table.schema()).fields.find((field) => field.name.startsWith("vector_"))?.name ?? "";
  const config = Index.ivfRq({ distanceType: "cosine", numPartitions: 2 });
  // The engine may notice that the table is gone, or not.
  const building = table.createIndex(column, { config }).catch(() => undefined);
  expect(await store.deleteNamespace("zoo")).toBe(true);
  await building;
  expect(await describeAll(store)).toEqual([]);
  expect(await store.add("zoo", buildDocument("lion"))).toBe(true);
  expect(await findMatching(open(), "zoo", "lion", { limit: 5 })).toHaveLength(1);
});
