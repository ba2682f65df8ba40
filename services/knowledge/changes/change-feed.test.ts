import { describe, expect, it } from "vitest";
import type { ChangeLog, ChangeRecord } from "../store/change-log.ts";
import type { StoredDocument } from "../store/document.ts";
import { buildDocument } from "../tests/store/documents.ts";
import { open, useStores } from "../tests/store/lance/lance-stores.ts";
import type { ChangeCursor } from "./change-feed.ts";
import { ChangeFeed, initialCursor } from "./change-feed.ts";

/** A client of one namespace, with the documents that it knows of. */
class Reader {
  cursor: ChangeCursor = initialCursor;
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

const animals = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ ...buildDocument(`animal ${number}`), chunks: 1 }));

/** One namespace in memory: an engine would take minutes for a long log. */
class MemoryLog implements ChangeLog {
  readonly documents = new Map<string, StoredDocument>();
  #records: ChangeRecord[] = [];

  add(document: StoredDocument): void {
    this.documents.set(document.hash, document);
  }

  delete({ hash }: StoredDocument): void {
    this.documents.delete(hash);
  }

  async getVersion(): Promise<string> {
    return [...this.documents.keys()].join();
  }

  async mapDocuments<Result>(_namespace: string, map: (document: StoredDocument) => Result): Promise<Result[]> {
    return [...this.documents.values()].map(map);
  }

  async readRecords(_namespace: string, { from, limit }: { from: number; limit: number }): Promise<ChangeRecord[]> {
    return this.#records.filter(({ number }) => number >= from).slice(0, limit);
  }

  async appendRecord(_namespace: string, record: ChangeRecord): Promise<boolean> {
    if (this.#records.some(({ number }) => number === record.number)) return false;
    this.#records.push(record);
    return true;
  }

  async removeRecords(_namespace: string, before: number): Promise<void> {
    this.#records = this.#records.filter(({ number }) => number >= before);
  }
}

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

  it("lose the log of a deleted namespace", async () => {
    const store = open();
    const feed = new ChangeFeed(store);
    const reader = new Reader();
    for (const document of animals(2)) await store.add("zoo", document);
    await reader.read(feed);
    await store.deleteNamespace("zoo");
    await expect(reader.read(feed)).rejects.toMatchObject({ code: "gone" });
    expect(await new Reader().read(feed)).toEqual([]);
    await store.add("zoo", buildDocument("zebra"));
    await expect(reader.read(feed)).rejects.toMatchObject({ code: "gone" });
    expect(await new Reader().read(feed)).toHaveLength(1);
  });
});

describe("a long log", () => {
  it("is shortened without a client noticing it", async () => {
    const store = new MemoryLog();
    const [one, other] = [new ChangeFeed(store), new ChangeFeed(store)];
    const [often, seldom] = [new Reader(), new Reader()];
    const [zebra, tiger] = animals(2);
    if (!zebra || !tiger) throw new Error("There are no animals.");
    store.add(tiger);
    await seldom.read(other);
    for (let round = 0; round < 600; round += 1) {
      store.add(zebra);
      await often.read(one);
      store.delete(zebra);
      await often.read(one);
    }
    expect((await store.readRecords("zoo", { from: 1, limit: 10_000 })).length).toBeLessThan(300);
    expect(await seldom.read(other)).toEqual([]);
    expect(await seldom.read(new ChangeFeed(store))).toEqual([`deleted ${zebra.hash.slice(0, 8)}`]);
    expect([often.told.length, often.hashes, seldom.hashes]).toEqual([1_201, seldom.hashes, new Set([tiger.hash])]);
  });

  it("forgets the oldest deletions, and refuses cursors from before them", async () => {
    const store = new MemoryLog();
    const feed = new ChangeFeed(store, 1);
    const before = new Reader();
    const all = animals(5);
    for (const document of all) store.add(document);
    await before.read(feed);
    const remove = async (documents: StoredDocument[]) => {
      for (const document of documents) store.delete(document);
      await new Reader().read(feed);
    };
    for (const document of all.slice(3)) await remove([document]);
    for (let round = 0; round < 400; round += 1) {
      for (const document of all.slice(0, 3)) store.add(document);
      await new Reader().read(feed);
      await remove(all.slice(1, 3));
    }
    await expect(before.read(new ChangeFeed(store))).rejects.toMatchObject({ code: "gone" });
    const fresh = new Reader();
    expect(await fresh.read(new ChangeFeed(store))).toHaveLength(1);
    await remove(all.slice(0, 1));
    expect(await fresh.read(new ChangeFeed(store))).toEqual([`deleted ${all[0]?.hash.slice(0, 8)}`]);
  });
});
