import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { patience } from "@agent-backends/testing";
import { connect } from "@lancedb/lancedb";
import { expect, it, vi } from "vitest";
import { MemoryTable } from "../../../store/lance/search/memory-table.ts";
import { buildDocument, findMatching, findNearest, toLetterVector } from "../documents.ts";
import { folder, open, useStores } from "./lance-stores.ts";

useStores();

const animals = ["zebra", "lion", "elephant", "mouse", "giraffe", "ant"];
const toQuestionVector = (text: string) => ({ model: "letters", vector: toLetterVector(text) });
const all = { limit: 50 };

it("searches at the same time read a namespace once for all", async () => {
  const [writer, reader] = [open(), open()];
  await writer.add("zoo", buildDocument("zebra"));
  const reading = vi.spyOn(MemoryTable, "read");
  const found = await Promise.all(animals.map(() => findNearest(reader, "zoo", toQuestionVector("zebra"), all)));
  expect(found.map(([nearest]) => nearest?.chunk.text)).toEqual(animals.map(() => "zebra"));
  expect(reading).toHaveBeenCalledTimes(1);
  reading.mockRestore();
});

it("a client's first search of a namespace does not wait for those of another client", async () => {
  const [writer, reader] = [open(), open()];
  for (const zoo of [...animals, "small"]) await writer.add(zoo, buildDocument("zebra"));
  const { promise: hostileMayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const read = MemoryTable.read;
  const reading = vi.spyOn(MemoryTable, "read").mockImplementationOnce(async (...table) => {
    await hostileMayGoOn;
    return read(...table);
  });
  const searchAs = (client: string, zoo: string) => findMatching(reader, zoo, "zebra", { ...all, caller: { client } });
  const hostile = animals.map((zoo) => searchAs("hostile", zoo));
  await vi.waitFor(() => expect(reading).toHaveBeenCalled(), patience);
  expect(await searchAs("small", "small")).toHaveLength(1);
  expect(reading).toHaveBeenCalledTimes(2);
  goOn();
  expect(await Promise.all(hostile)).toHaveLength(animals.length);
  reading.mockRestore();
});

it("while a large namespace is read, searches of the same client in small ones don't wait for it", async () => {
  const [writer, reader] = [open(), open()];
  const pieces = Array.from({ length: 600 }, (_, index) => `zebra ${index}`);
  await writer.add("large", buildDocument("zebra", { pieces }));
  await writer.add("small", buildDocument("lion"));
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const read = MemoryTable.read;
  const reading = vi.spyOn(MemoryTable, "read").mockImplementationOnce(async (...table) => {
    await mayGoOn;
    return read(...table);
  });
  const searchAs = (zoo: string, words: string) =>
    findMatching(reader, zoo, words, { ...all, caller: { client: "one" } });
  expect(await searchAs("large", "zebra")).toHaveLength(all.limit);
  expect(await searchAs("small", "lion")).toHaveLength(1);
  expect(reading).toHaveBeenCalledTimes(2);
  goOn();
  await reading.mock.results[0]?.value;
  reading.mockRestore();
});

it("a large namespace is read after its first search, and what came meanwhile right after that", async () => {
  const [writer, reader] = [open(), open()];
  const addLarge = (name: string) =>
    writer.add("zoo", buildDocument(name, { pieces: Array.from({ length: 600 }, (_, index) => `${name} ${index}`) }));
  await addLarge("zebra");
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const read = MemoryTable.read;
  const reading = vi.spyOn(MemoryTable, "read").mockImplementationOnce(async (...table) => {
    const found = await read(...table);
    await mayGoOn;
    return found;
  });
  const search = () => findMatching(reader, "zoo", "zebra", all);
  expect(await search()).toHaveLength(all.limit);
  expect(reading).toHaveBeenCalledTimes(1);
  await addLarge("lion");
  await search();
  expect(reading).toHaveBeenCalledTimes(1);
  // The longer the whole table takes to read, the longer a second reading of it would have to wait.
  await setTimeout(1_000);
  goOn();
  await reading.mock.results[0]?.value;
  await vi.waitFor(() => search().then(() => expect(reading).toHaveBeenCalledTimes(2)), { timeout: 3_000 });
  expect((await findMatching(reader, "zoo", "lion", all)).length).toBeGreaterThan(0);
  reading.mockRestore();
});

it("a very large namespace in memory answers at once with what is added, and without what was deleted", async () => {
  const [writer, reader] = [open(), open()];
  const pieces = Array.from({ length: 8_200 }, (_, index) => `zebra ${index}`);
  await writer.add("zoo", buildDocument("zebra", { pieces }));
  const ranking = vi.spyOn(MemoryTable.prototype, "rank");
  const search = (words: string) => findMatching(reader, "zoo", words, all);
  await vi.waitFor(() => search("zebra").then(() => expect(ranking).toHaveBeenCalled()), patience);
  for (const animal of animals.slice(1)) {
    const document = buildDocument(animal);
    await writer.add("zoo", document);
    ranking.mockClear();
    expect((await search(animal)).map(({ text }) => text)).toEqual([animal]);
    await writer.deleteDocument("zoo", document.id);
    await writer.add("zoo", buildDocument("yak"));
    expect(await search(animal)).toEqual([]);
    expect(ranking).toHaveBeenCalledTimes(2);
  }
  ranking.mockRestore();
});

it("a search goes on while chunks are merged and moved under it", async () => {
  const store = open();
  for (const animal of animals) await store.add("zoo", buildDocument(animal));
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  const table = await connection.openTable(name);
  const searches = Promise.all(
    animals.map(async (animal) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const chunks = await findMatching(store, "zoo", animal, all);
        const [nearest] = await findNearest(store, "zoo", toQuestionVector(animal), {
          ...all,
          filter: { source: "text:0" },
        });
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

it("purged text is no longer found by searches", async () => {
  const store = open();
  await store.add("zoo", buildDocument("zebra"));
  expect(await findMatching(store, "zoo", "zebra", all)).toHaveLength(1);
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  await rm(join(folder, `${name}.lance`), { recursive: true });
  expect(await findMatching(store, "zoo", "zebra", all)).toEqual([]);
});
