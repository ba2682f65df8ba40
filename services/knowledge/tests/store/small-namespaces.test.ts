import { rm } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import { expect, it, vi } from "vitest";
import { SmallTable } from "../../store/lance/search/small-table.ts";
import { documentOf, lettersOf } from "./documents.ts";
import { findMatching, findNearest } from "./searches.ts";
import { folder, open, useStores } from "./stores-of-a-test.ts";

useStores();

const animals = ["zebra", "lion", "elephant", "mouse", "giraffe", "ant"];
const vectorOf = (text: string) => ({ model: "letters", vector: lettersOf(text) });
const all = { limit: 50 };

it("a search finds what another process stored just before, and nothing of what it deleted", async () => {
  const [writer, reader] = [open(), open()];
  const near = async () =>
    (await findNearest(reader, "zoo", vectorOf("zebra"), all)).map(({ chunk }) => chunk.text).sort();
  const named = async (word: string) => (await findMatching(reader, "zoo", word, all)).map(({ text }) => text);
  const stored: string[] = [];
  for (const animal of animals) {
    await writer.add("zoo", documentOf(animal));
    stored.push(animal);
    expect([await near(), await named(animal)]).toEqual([[...stored].sort(), [animal]]);
  }
  for (const animal of animals) {
    await writer.deleteDocument("zoo", documentOf(animal).id);
    stored.shift();
    expect([await near(), await named(animal)]).toEqual([[...stored].sort(), []]);
  }
});

it("a namespace that another process made anew, with as many changes as before, is searched as it is now", async () => {
  const [writer, reader] = [open(), open()];
  const found = async () => (await findNearest(reader, "zoo", vectorOf("zebra"), all)).map(({ chunk }) => chunk.text);
  for (const animal of animals) {
    await writer.add("zoo", documentOf(animal));
    expect([await found(), await found()]).toEqual([[animal], [animal]]);
    await writer.deleteNamespace("zoo");
  }
  expect(await found()).toEqual([]);
});

it("searches at the same time read a namespace once for all", async () => {
  const [writer, reader] = [open(), open()];
  await writer.add("zoo", documentOf("zebra"));
  const reading = vi.spyOn(SmallTable, "read");
  const found = await Promise.all(animals.map(() => findNearest(reader, "zoo", vectorOf("zebra"), all)));
  expect(found.map(([nearest]) => nearest?.chunk.text)).toEqual(animals.map(() => "zebra"));
  expect(reading).toHaveBeenCalledTimes(1);
  reading.mockRestore();
});

it("the nearest are the same, in the same order and as similar, as those of an exact search", async () => {
  const store = open();
  const vectorOfWords = (text: string) =>
    Float32Array.from({ length: 64 }, (_, place) => Math.sin((place + 2) * Number(text)));
  const pieces = Array.from({ length: 400 }, (_, number) => String(number + 1));
  await store.add("zoo", documentOf("", { pieces, vectorOf: vectorOfWords }));
  const vector = vectorOfWords("7.3");
  const found = await findNearest(store, "zoo", { model: "letters", vector }, { limit: 10 });
  const filtered = await findNearest(
    store,
    "zoo",
    { model: "letters", vector },
    { limit: 10, filter: { source: "text:0" } },
  );
  expect(found.map(({ chunk }) => chunk)).toEqual(filtered.map(({ chunk }) => chunk));
  for (const [place, { similarity }] of found.entries()) {
    expect(similarity).toBeCloseTo(filtered[place]?.similarity ?? Number.NaN, 2);
  }
});

it("a search goes on while chunks are merged and moved under it", async () => {
  const store = open();
  for (const animal of animals) await store.add("zoo", documentOf(animal));
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  const table = await connection.openTable(name);
  const searches = Promise.all(
    animals.map(async (animal) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const chunks = await findMatching(store, "zoo", animal, all);
        const [nearest] = await findNearest(store, "zoo", vectorOf(animal), { ...all, filter: { source: "text:0" } });
        expect([chunks.map(({ text }) => text), nearest?.chunk.text]).toEqual([[animal], animal]);
      }
    }),
  );
  for (let turn = 0; turn < 4; turn += 1) {
    const source_json = JSON.stringify({ source: "text:0", title: `Title ${turn}` });
    await table.update({ where: "true", values: { source_json } });
    await table.optimize({ cleanupOlderThan: new Date(0) });
  }
  await searches;
  expect((await findMatching(store, "zoo", "lion", all))[0]?.document.title).toBe("Title 3");
});

it("what is gone from the disk is not searched any more", async () => {
  const store = open();
  await store.add("zoo", documentOf("zebra"));
  expect(await findMatching(store, "zoo", "zebra", all)).toHaveLength(1);
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  await rm(join(folder, `${name}.lance`), { recursive: true });
  expect(await findMatching(store, "zoo", "zebra", all)).toEqual([]);
});
