import { describe, expect, it } from "vitest";
import { documentOf } from "../tests/store/documents.ts";
import { open, useStores } from "../tests/store/lance/lance-stores.ts";
import type { StoreMemory } from "../tests/store/memory-store.ts";
import { MemoryStore } from "../tests/store/memory-store.ts";
import type { ChangeCursor } from "./change-feed.ts";
import { ChangeFeed, ChangesGoneError, start } from "./change-feed.ts";

/** A client of one namespace, with the documents that it knows of. */
class Reader {
  cursor: ChangeCursor = start;
  readonly hashes = new Set<string>();
  readonly told: string[] = [];

  async read(feed: ChangeFeed): Promise<string[]> {
    const { changes, cursor } = await feed.read("zoo", this.cursor);
    this.cursor = cursor;
    for (const { hash, type } of changes) {
      if (type === "deleted") this.hashes.delete(hash);
      else this.hashes.add(hash);
    }
    this.told.push(...changes.map(({ type }) => type));
    return changes.map(({ hash, type }) => `${type} ${hash.slice(0, 8)}`);
  }
}

const animals = (count: number, prefix = "animal") =>
  Array.from({ length: count }, (_, number) => documentOf(`${prefix} ${number}`));

describe("several processes on one store", () => {
  useStores();

  it("number changes that they find at the same time once, and go on after a restart", async () => {
    const stores = [open(), open(), open()];
    const feeds = stores.map((store) => new ChangeFeed(store));
    const readers = feeds.map(() => new Reader());
    const documents = animals(6);
    for (const [round, document] of documents.entries()) {
      await stores[round % 3]?.add("zoo", document);
      if (round % 3 === 2) await stores[0]?.deleteDocument("zoo", documents[round - 1]?.id ?? "");
      // Each reader asks another process every time.
      await Promise.all(readers.map((reader, number) => reader.read(feeds[(round + number) % 3] as ChangeFeed)));
      const cursors = readers.map(({ cursor }) => cursor);
      expect(new Set(cursors.map(({ log }) => log)).size).toBe(1);
    }
    const restarted = new ChangeFeed(open());
    for (const reader of readers) {
      expect(await reader.read(restarted)).toEqual([]);
      expect(reader.hashes.size).toBe(4);
      expect(reader.told.filter((type) => type === "added")).toHaveLength(6);
    }
    const records = await open().readRecords("zoo", { from: 1, limit: 1_000 });
    expect(records).toHaveLength(documents.length);
  });
});

describe("a long log", () => {
  const openMemory = () => {
    const memory: StoreMemory = new Map();
    return { memory, store: new MemoryStore(memory) };
  };

  it("is shortened without a client noticing it", async () => {
    const { store } = openMemory();
    const [one, other] = [new ChangeFeed(store), new ChangeFeed(store)];
    const [often, seldom] = [new Reader(), new Reader()];
    const [zebra, tiger] = animals(2);
    if (!zebra || !tiger) throw new Error("There are no animals.");
    await store.add("zoo", tiger);
    await seldom.read(other);
    for (let round = 0; round < 600; round += 1) {
      await store.add("zoo", zebra);
      await often.read(one);
      await store.deleteDocument("zoo", zebra.id);
      await often.read(one);
    }
    expect((await store.readRecords("zoo", { from: 1, limit: 10_000 })).length).toBeLessThan(300);
    expect(await seldom.read(other)).toEqual([]);
    expect(await seldom.read(new ChangeFeed(store))).toEqual([`deleted ${zebra.hash.slice(0, 8)}`]);
    expect([often.told.length, often.hashes, seldom.hashes]).toEqual([1_201, seldom.hashes, new Set([tiger.hash])]);
  });

  it("forgets the oldest deletions, and refuses cursors from before them", async () => {
    const { store } = openMemory();
    const feed = new ChangeFeed(store, 1);
    const before = new Reader();
    const all = animals(5);
    for (const document of all) await store.add("zoo", document);
    await before.read(feed);
    const remove = async (hashes: string[]) => {
      await store.deleteDocuments("zoo", hashes);
      await new Reader().read(feed);
    };
    for (const document of all.slice(3)) await remove([document.hash]);
    for (let round = 0; round < 400; round += 1) {
      for (const document of all.slice(0, 3)) await store.add("zoo", document);
      await new Reader().read(feed);
      await remove(all.slice(1, 3).map(({ hash }) => hash));
    }
    await expect(before.read(new ChangeFeed(store))).rejects.toThrow(ChangesGoneError);
    const fresh = new Reader();
    expect(await fresh.read(new ChangeFeed(store))).toHaveLength(1);
    await remove([all[0]?.hash ?? ""]);
    expect(await fresh.read(new ChangeFeed(store))).toEqual([`deleted ${all[0]?.hash.slice(0, 8)}`]);
  });

  it("of a deleted namespace is gone", async () => {
    const { store } = openMemory();
    const feed = new ChangeFeed(store);
    const reader = new Reader();
    for (const document of animals(2)) await store.add("zoo", document);
    await reader.read(feed);
    await store.deleteNamespace("zoo");
    await expect(reader.read(feed)).rejects.toThrow(ChangesGoneError);
    expect(await new Reader().read(feed)).toEqual([]);
    await store.add("zoo", documentOf("zebra"));
    await expect(reader.read(feed)).rejects.toThrow(ChangesGoneError);
    expect(await new Reader().read(feed)).toHaveLength(1);
  });
});
