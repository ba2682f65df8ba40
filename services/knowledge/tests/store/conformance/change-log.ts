import { expect, it } from "vitest";
import type { KnowledgeStore } from "../../../store/knowledge-store.ts";
import { addSource, changeSource, removeSource } from "../../../store/sources.ts";
import { buildDocument } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const zebra = buildDocument("zebra", { source: "file:zebra.txt" });
const tiger = buildDocument("tiger");

export function testChangeLog({ open }: StoreUnderTest): void {
  const readAll = async (store: KnowledgeStore, namespace = "zoo") =>
    (await store.readRecords(namespace, { from: 1, limit: 100 })).map(({ number, text }) => `${number} ${text}`);

  it("gives the namespace another version whenever something else is to be seen of its documents", async () => {
    const [writer, reader] = [open(), open()];
    expect(await reader.getVersion("zoo")).toBeUndefined();
    const changes: (() => Promise<unknown>)[] = [
      () => writer.add("zoo", zebra),
      () => writer.add("zoo", tiger),
      () => changeSource(writer, "zoo", zebra.id, (current) => ({ ...current, title: "New" })),
      () => addSource(writer, "zoo", zebra.hash, { source: "file:renamed.txt", title: "Renamed" }),
      () => removeSource(writer, "zoo", zebra.id, "file:zebra.txt"),
      () => writer.deleteDocument("zoo", zebra.id),
    ];
    let last: string | undefined;
    for (const [step, change] of changes.entries()) {
      await change();
      const version = await reader.getVersion("zoo");
      // A source that isn't shown changes nothing that is seen.
      if (step !== 3) expect(version).not.toBe(last);
      last = version;
    }
    expect(await reader.getVersion("zoo")).toBe(last);
    await writer.deleteNamespace("zoo");
    expect(await reader.getVersion("zoo")).toBeUndefined();
  });

  it("maps all documents of the namespace, each once", async () => {
    const store = open();
    const many = buildDocument("", { pieces: Array.from({ length: 9 }, (_, piece) => `Piece ${piece}.`), partSize: 3 });
    for (const document of [zebra, tiger, many]) await store.add("zoo", document);
    await store.add("another", buildDocument("mouse"));
    const listed = await store.listDocuments("zoo", { limit: 10 });
    const mapped = await open().mapDocuments("zoo", (document) => document);
    const sort = (documents: typeof listed) => documents.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(sort(mapped)).toEqual(sort(listed));
    expect(await store.mapDocuments("nowhere", ({ id }) => id)).toEqual([]);
    const where = { hashes: [tiger.hash, many.hash, "0".repeat(64), "it's none"] };
    const found = await store.listDocuments("zoo", { limit: 10, where });
    expect(found.map(({ id }) => id).sort()).toEqual([tiger.id, many.id].sort());
    expect(await store.listDocuments("zoo", { limit: 10, where: { hashes: [] } })).toEqual([]);
  });

  it("keeps records in the order of their numbers, for each namespace its own", async () => {
    const store = open();
    expect(await readAll(store)).toEqual([]);
    await store.add("zoo", zebra);
    await store.add("it's", tiger);
    for (const number of [1, 2, 11, 10])
      expect(await store.appendRecord("zoo", { number, text: `ü'${number}` })).toBe(true);
    expect(await store.appendRecord("it's", { number: 1, text: "other" })).toBe(true);
    expect(await store.appendRecord("zoo", { number: 2, text: "again" })).toBe(false);
    const other = open();
    expect(await readAll(other)).toEqual(["1 ü'1", "2 ü'2", "10 ü'10", "11 ü'11"]);
    expect(await other.readRecords("zoo", { from: 2, limit: 2 })).toMatchObject([{ number: 2 }, { number: 10 }]);
    await other.removeRecords("zoo", 10);
    expect(await readAll(store)).toEqual(["10 ü'10", "11 ü'11"]);
    expect(await readAll(store, "it's")).toEqual(["1 other"]);
    await other.deleteNamespace("zoo");
    expect(await readAll(store)).toEqual([]);
    expect(await readAll(other, "it's")).toEqual(["1 other"]);
  });

  it("stores one of the records that several processes append with the same number", async () => {
    const stores = Array.from({ length: 4 }, () => open());
    await stores[0]?.add("zoo", zebra);
    for (let number = 1; number <= 5; number += 1) {
      const appended = await Promise.all(
        stores.map((store, writer) => store.appendRecord("zoo", { number, text: String(writer) })),
      );
      expect(appended.filter(Boolean)).toHaveLength(1);
      const [record] = await open().readRecords("zoo", { from: number, limit: 5 });
      expect(record).toEqual({ number, text: String(appended.indexOf(true)) });
    }
  });
}
