import { connect } from "@lancedb/lancedb";
import { describe, expect, it } from "vitest";
import type { LanceStore } from "../../../store/lance/lance-store.ts";
import { addSource, removeSource } from "../../../store/sources.ts";
import { buildDocument } from "../documents.ts";
import { folder, open, useStores } from "./lance-stores.ts";

useStores();

const pieces = ["Zebras are striped.", "Zebras eat grass.", "It's said that zebras sleep."];
const first = { source: "url:https://b.example/", title: "B" };
const second = { source: "file:it's.txt", title: "Another one" };
const zebras = buildDocument("", { pieces, ...first });
const { id, hash } = zebras;

/** Writes what a document's first row says of its other sources. */
async function setOthers(text: string) {
  const connection = await connect(folder, { readConsistencyInterval: 0 });
  const [name = ""] = await connection.tableNames();
  const table = await connection.openTable(name);
  await table.update({ where: "chunk = 0", values: { other_sources: text } });
  return table;
}

describe("a document of several sources", () => {
  it.each([
    ["brings it again", async (store: LanceStore) => expect(await store.getSources("zoo", hash)).toBe(undefined)],
    [
      "takes that source away",
      async (store: LanceStore) => expect(await removeSource(store, "zoo", id, first.source)).toBe(true),
    ],
    ["deletes it", async (store: LanceStore) => expect(await store.deleteDocument("zoo", id)).toBe(true)],
  ])("whose last source a process took away as it died is gone for good for whoever %s", async (_what, meet) => {
    const store = open();
    await store.add("zoo", zebras);
    const table = await setOthers("none");
    expect(await addSource(store, "zoo", hash, second)).toBe(false);
    await meet(store);
    expect(await table.countRows()).toBe(0);
    expect(await store.add("zoo", zebras)).toBe(true);
  });
});
