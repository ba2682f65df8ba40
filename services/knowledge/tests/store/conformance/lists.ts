import { expect, it } from "vitest";
import type { DocumentConditions, KnowledgeStore } from "../../../store/knowledge-store.ts";
import { addSource } from "../../../store/sources.ts";
import { buildDocument, findMatching } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;
const documents = [
  buildDocument("zebra", { source: "file:it's/a.txt", ingestedAt: day(1), metadata: { tags: ["striped", "large"] } }),
  buildDocument("tiger", { source: "file:b.txt", ingestedAt: day(2), metadata: { tags: ["striped"], year: 2026 } }),
  buildDocument("mouse", { source: "file:c.txt", ingestedAt: day(3) }),
];
const hashes = documents.map(({ hash }) => hash);
const [zebra, tiger, mouse] = documents.map(({ id }) => id);

export function testLists({ open }: StoreUnderTest): void {
  const fill = async (): Promise<KnowledgeStore> => {
    const store = open();
    for (const document of documents) await store.add("zoo", document);
    await addSource(store, "zoo", documents[2]?.hash ?? "", { source: "file:b.txt", title: "Another" });
    return store;
  };
  const list = async (store: KnowledgeStore, where: DocumentConditions) =>
    (await store.listDocuments("zoo", { limit: 10, where })).map(({ id }) => id);

  it("hold the documents that meet all conditions: source, fields and time of ingest", async () => {
    const store = await fill();
    expect(await list(store, {})).toEqual([zebra, tiger, mouse]);
    expect(await list(store, { source: "file:it's/a.txt" })).toEqual([zebra]);
    expect(await list(store, { source: "file:b.txt" })).toEqual([tiger, mouse]);
    expect(await list(store, { source: "file:b.txt", filter: { tags: "striped" } })).toEqual([tiger]);
    expect(await list(store, { source: "file:b" })).toEqual([]);
    expect(await list(store, { filter: { tags: ["large", "small"] } })).toEqual([zebra]);
    expect(await list(store, { ingestedAfter: day(1) })).toEqual([tiger, mouse]);
    expect(await list(store, { ingestedAfter: day(1), ingestedBefore: day(3) })).toEqual([tiger]);
    const where = { filter: { tags: "striped" } };
    const [first] = await store.listDocuments("zoo", { limit: 1, where });
    expect(await store.listDocuments("zoo", { limit: 5, where, after: first })).toMatchObject([{ id: tiger }]);
  });

  it("of documents are deleted at once, those that exist", async () => {
    const store = await fill();
    expect(await store.deleteDocuments("zoo", [])).toBe(0);
    expect(await store.deleteDocuments("zoo", [hashes[0] ?? "", "0".repeat(64), hashes[2] ?? "", "it's none"])).toBe(2);
    expect(await list(open(), {})).toEqual([tiger]);
    expect(await findMatching(store, "zoo", "zebra mouse tiger", { limit: 10 })).toHaveLength(1);
    expect(await store.deleteDocuments("nowhere", hashes)).toBe(0);
  });

  it.each([
    ["at once", 10],
    ["in parts", 3],
  ])("of the chunks of a document that was stored %s go from one to the next", async (_how, partSize) => {
    const store = open();
    const pieces = Array.from({ length: 10 }, (_, number) => `Piece ${number}.`);
    const document = buildDocument("", { pieces, partSize });
    await store.add("zoo", document);
    const chunks = (await store.readChunks("zoo", document.id, { from: 0, limit: 100 })) ?? [];
    expect(chunks.map(({ text }) => text)).toEqual(pieces);
    const some = await store.readChunks("zoo", document.id, { from: 8, limit: 2 });
    expect(some).toMatchObject([{ index: 8 }, { index: 9, text: "Piece 9.", document: { id: document.id } }]);
    expect(await store.readChunks("zoo", document.id, { from: 10, limit: 1 })).toEqual([]);
    expect(await store.readChunks("zoo", "0".repeat(32), { from: 0, limit: 1 })).toBeUndefined();
    expect(await store.readChunks("nowhere", document.id, { from: 0, limit: 1 })).toBeUndefined();
  });
}
