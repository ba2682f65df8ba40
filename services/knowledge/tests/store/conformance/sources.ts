import { expect, it } from "vitest";
import type { KnowledgeStore } from "../../../store/knowledge-store.ts";
import { addSource, removeSource } from "../../../store/sources.ts";
import { buildDocument, findMatching, readWhole } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const pieces = ["Zebras are striped.", "Zebras eat grass.", "It's said that zebras sleep."];
const first = {
  source: "url:https://b.example/",
  title: "B",
  url: "https://b.example/",
  contentType: "text/html",
  metadata: { team: "b" },
};
const zebras = buildDocument("", { pieces, ...first });
const { id, hash } = zebras;
const second = { source: "file:it's.txt", title: `A "quoted" one`, filename: "it's.txt" };

const storeInParts = (store: KnowledgeStore) => store.add("zoo", buildDocument("", { pieces, ...first, partSize: 2 }));

const shown = async (store: KnowledgeStore) => {
  const chunks = await findMatching(store, "zoo", "zebras", { limit: 10 });
  return chunks.map(({ document: { source, title, url, filename, contentType, metadata } }) => {
    return { source, title, url, filename, contentType, metadata };
  });
};

export function testSources({ open }: StoreUnderTest): void {
  it.each([
    ["at once", (store: KnowledgeStore) => store.add("zoo", zebras)],
    ["in parts", storeInParts],
  ])("that was stored %s shows another one when the first goes, and goes with the last", async (_how, store) => {
    const [one, other] = [open(), open()];
    expect(await addSource(one, "zoo", hash, second)).toBe(false);
    expect(await store(one)).toBe(true);
    for (const writer of [one, other]) expect(await addSource(writer, "zoo", hash, second)).toBe(true);
    expect(await one.getSources("zoo", hash)).toEqual({ sources: [first.source, second.source], hasMore: false });
    expect(await shown(other)).toEqual(pieces.map(() => expect.objectContaining(first)));
    for (const { source } of [first, second])
      expect(await one.findBySource("zoo", source)).toMatchObject([{ id, source: first.source }]);

    expect(await removeSource(other, "zoo", id, "file:another.txt")).toBe(false);
    expect(await removeSource(other, "zoo", id, first.source)).toBe(false);
    expect(await one.getSources("zoo", hash)).toEqual({ sources: [second.source], hasMore: false });
    const now = { ...second, url: undefined, contentType: undefined, metadata: undefined };
    expect(await shown(one)).toEqual(pieces.map(() => now));
    expect(await one.findBySource("zoo", first.source)).toEqual([]);
    expect(await readWhole(one, "zoo", id)).toMatchObject({ ...second, text: pieces.join("\n") });
    expect(await findMatching(one, "zoo", "zebras", { limit: 10, filter: { source: second.source } })).toHaveLength(3);

    expect(await removeSource(one, "zoo", id, second.source)).toBe(true);
    expect(await removeSource(other, "zoo", id, second.source)).toBe(false);
    expect([await one.getSources("zoo", hash), await shown(other)]).toEqual([undefined, []]);
    expect(await other.add("zoo", zebras)).toBe(true);
  });

  it("keeps the others when one that it does not show goes, and has none any more after it was deleted", async () => {
    const store = open();
    await store.add("zoo", zebras);
    await addSource(store, "zoo", hash, second);
    expect(await removeSource(store, "zoo", id, second.source)).toBe(false);
    expect(await store.getSources("zoo", hash)).toEqual({ sources: [first.source], hasMore: false });
    await addSource(store, "zoo", hash, second);
    expect(await store.deleteDocument("zoo", id)).toBe(true);
    await store.add("zoo", { ...zebras, ...second });
    expect(await store.getSources("zoo", hash)).toEqual({ sources: [second.source], hasMore: false });
  });

  it("stays until it is deleted when it has had more than are remembered", async () => {
    const store = open();
    const others = Array.from({ length: 63 }, (_, number) => ({ source: `file:${number}.txt`, title: "Z" }));
    await store.add("zoo", { ...zebras, others: { others } });
    for (const source of ["file:last.txt", "file:one more.txt"])
      expect(await addSource(store, "zoo", hash, { source, title: "Z" })).toBe(true);
    const known = await store.getSources("zoo", hash);
    expect(known).toMatchObject({ hasMore: true });
    expect(known?.sources).toHaveLength(65);
    expect(known?.sources.at(-1)).toBe("file:last.txt");

    await store.deleteDocument("zoo", id);
    await store.add("zoo", { ...zebras, others: { others: others.slice(0, 1), hasMore: true } });
    for (const source of [first.source, "file:0.txt"]) expect(await removeSource(store, "zoo", id, source)).toBe(false);
    expect(await readWhole(store, "zoo", id)).toMatchObject({ source: "file:0.txt", text: pieces.join("\n") });
    expect(await store.deleteDocument("zoo", id)).toBe(true);
  });

  it("is found by the name of a file in NFC and NFD, whichever was stored", async () => {
    const store = open();
    const [stored, asked] = ["file:Zürich.txt".normalize("NFD"), "file:Zürich.txt".normalize("NFC")];
    await store.add("zoo", zebras);
    await addSource(store, "zoo", hash, { source: stored, title: "Z" });
    for (const source of [stored, asked]) {
      expect(await store.findBySource("zoo", source)).toMatchObject([{ id }]);
      expect(await store.listDocuments("zoo", { limit: 10, where: { source } })).toMatchObject([{ id }]);
    }
  });

  it("is there or known to be gone for whoever brings it while another process takes its last source away", async () => {
    const [one, other] = [open(), open()];
    for (let round = 0; round < 8; round++) {
      await one.add("zoo", zebras);
      const [isDeleted, isKept] = await Promise.all([
        removeSource(one, "zoo", id, first.source),
        addSource(other, "zoo", hash, second),
      ]);
      expect(isKept).toBe(!isDeleted);
      const left = isKept ? { sources: [second.source], hasMore: false } : undefined;
      expect(await one.getSources("zoo", hash)).toEqual(left);
      await other.deleteDocument("zoo", id);
    }
  }, 60_000);
}
