import { expect, it } from "vitest";
import type { DocumentSource } from "../../../store/document.ts";
import { addSource, changeSource, removeSource } from "../../../store/sources.ts";
import { buildDocument, findMatching, readWhole } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const pieces = ["Zebras are striped.", "Zebras eat grass.", "It's said that zebras sleep."];
const shown = { source: "file:it's.txt", title: "Old", filename: "it's.txt", metadata: { tags: ["old"], year: 2025 } };
const url = "https://b.example/";
const other: DocumentSource = { source: `url:${url}`, title: "Other", isTitleGiven: true, url };
const retitle = (title: string) => (current: DocumentSource) => ({ ...current, title });

export function testChanges({ open }: StoreUnderTest): void {
  it.each([
    ["at once", pieces.length],
    ["in parts", 2],
  ])("of a document that was stored %s are seen at once, in all of its chunks", async (_how, partSize) => {
    const [one, reader] = [open(), open()];
    const document = buildDocument("", { pieces, partSize, ...shown });
    await one.add("zoo", document);
    const found = async (filter: Record<string, string>) =>
      (await findMatching(reader, "zoo", "zebras", { limit: 10, filter })).map(({ document: { title } }) => title);
    expect(await found({ tags: "old" })).toHaveLength(3);
    const metadata = { tags: ["it's new", "x"] };
    const changed = await changeSource(one, "zoo", document.id, (current) => ({ ...current, title: "New", metadata }));
    expect(changed).toMatchObject({ isChanged: true, document: { ...shown, title: "New", metadata, chunks: 3 } });
    expect(await found({ tags: "it's new" })).toEqual(["New", "New", "New"]);
    expect([await found({ tags: "old" }), await found({ title: "Old" })]).toEqual([[], []]);
    expect(await readWhole(reader, "zoo", document.id)).toEqual({ ...changed?.document, text: pieces.join("\n") });
    const again = await changeSource(reader, "zoo", document.id, retitle("New"), shown.source);
    expect(again).toEqual({ isChanged: false, document: changed?.document });
  });

  it("of a document of thousands of chunks reach all of them", async () => {
    const store = open();
    const many = Array.from({ length: 2_100 }, (_, number) => `Zebra ${number}.`);
    const document = buildDocument("", { pieces: many, partSize: 1_000, ...shown });
    await store.add("zoo", document);
    expect(await changeSource(store, "zoo", document.id, retitle("New"))).toMatchObject({ isChanged: true });
    for (const from of [0, 1_000, 2_000]) {
      const chunks = (await store.readChunks("zoo", document.id, { from, limit: 1_000 })) ?? [];
      expect(new Set(chunks.map((chunk) => chunk.document.title))).toEqual(new Set(["New"]));
    }
  });

  it("of a source that the document doesn't show are seen once it does", async () => {
    const store = open();
    const { id, hash } = buildDocument("", { pieces });
    await store.add("zoo", buildDocument("", { pieces, ...shown }));
    await addSource(store, "zoo", hash, other);
    const changed = await changeSource(store, "zoo", id, retitle("Another"), other.source);
    expect(changed).toMatchObject({ isChanged: true, document: { title: "Old" } });
    await removeSource(store, "zoo", id, shown.source);
    expect(await readWhole(store, "zoo", id)).toMatchObject({ ...other, title: "Another" });
  });

  it("of what isn't there change nothing", async () => {
    const store = open();
    await store.add("zoo", buildDocument("", { pieces, ...shown }));
    const { id } = buildDocument("", { pieces });
    expect(await changeSource(store, "zoo", id, retitle("New"), "file:another.txt")).toBeUndefined();
    expect(await changeSource(store, "zoo", "0".repeat(32), retitle("New"))).toBeUndefined();
    for (const part of ["", id.slice(0, 8)])
      expect(await changeSource(store, "zoo", part, retitle("New"))).toBeUndefined();
    expect(await changeSource(store, "nowhere", id, retitle("New"))).toBeUndefined();
  });

  it("by several processes at the same time are all made", async () => {
    const stores = [open(), open(), open()];
    const { id } = buildDocument("", { pieces });
    await stores[0]?.add("zoo", buildDocument("", { pieces, ...shown }));
    const add = (name: string) => (current: DocumentSource) => ({
      ...current,
      metadata: { ...current.metadata, [name]: true },
    });
    const names = Array.from({ length: 9 }, (_, number) => `field ${number}`);
    await Promise.all(names.map((name, number) => changeSource(stores[number % 3] ?? open(), "zoo", id, add(name))));
    const found = await findMatching(open(), "zoo", "zebras", { limit: 10 });
    for (const { document } of found) expect(Object.keys(document.metadata ?? {})).toHaveLength(2 + names.length);
  }, 60_000);
}
