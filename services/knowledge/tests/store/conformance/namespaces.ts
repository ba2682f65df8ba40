import { expect, it } from "vitest";
import { EmbeddingMismatchError, NamespaceGoneError } from "../../../store/errors.ts";
import { buildDocument, findMatching, findNearest, toLetterVector } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

export function testNamespaces({ open }: StoreUnderTest): void {
  const lookalikes = [
    "a",
    "A",
    "a ",
    " a",
    "\ufeffa",
    "\ufeff\ufeffa",
    "\u202ea",
    "é",
    "e\u0301",
    "ａ",
    "а",
    "a/b",
    "a\\b",
    "%61",
    "a.lance",
    "ns:1",
    "東京",
    "'; --",
  ];

  it("never shares data with another, whatever their spelling", async () => {
    const store = open();
    for (const name of lookalikes) await store.add(name, buildDocument(`the secret of «${name}»`));
    for (const name of lookalikes) {
      const documents = await store.listDocuments(name, { limit: 100 });
      expect(documents.map(({ id }) => id)).toEqual([buildDocument(`the secret of «${name}»`).id]);
    }
    expect(await store.listNamespaces()).toEqual([...lookalikes].sort());
    expect(await store.getEmbedding("a\u00a0")).toBeUndefined();
  });

  it("may have a name of 128 characters of any kind", async () => {
    const store = open();
    const [one, other] = ["漢".repeat(128), `${"漢".repeat(127)}字`];
    await store.add(one, buildDocument("content"));
    expect(await store.getEmbedding(one)).toEqual({ model: "letters", dimension: 26 });
    expect(await store.getEmbedding(other)).toBeUndefined();
  });

  it("is empty and no error when it is unknown", async () => {
    const store = open();
    expect(await findNearest(store, "nobody", { model: "any", vector: new Float32Array(3) }, { limit: 5 })).toEqual([]);
    expect(await findMatching(store, "nobody", "words", { limit: 5 })).toEqual([]);
    expect(await store.listDocuments("nobody", { limit: 5 })).toEqual([]);
    expect(await store.deleteNamespace("nobody")).toBe(false);
    expect([await store.listNamespaces(), await store.describeNamespace("nobody")]).toEqual([[], undefined]);
  });

  it("is still listed, with its model, after its last document was deleted", async () => {
    const store = open();
    const document = buildDocument("the only content");
    await store.add("emptied", document);
    expect(await store.deleteDocument("emptied", document.id)).toBe(true);
    expect(await store.listNamespaces()).toEqual(["emptied"]);
    expect(await store.getEmbedding("emptied")).toEqual({ model: "letters", dimension: 26 });
    expect(await store.describeNamespace("emptied")).toMatchObject({ documents: 0, chunks: 0 });
  });

  it("leaves nothing behind when it is deleted, also for a store that has it open", async () => {
    const [one, other] = [open(), open()];
    await one.add("gone", buildDocument("content of the old one"));
    expect(await other.getEmbedding("gone")).toEqual({ model: "letters", dimension: 26 });
    expect(await one.deleteNamespace("gone")).toBe(true);
    expect(await other.getEmbedding("gone")).toBeUndefined();
    expect(await findMatching(other, "gone", "content", { limit: 5 })).toEqual([]);
    expect(await other.add("gone", buildDocument("content of the new one", { embeddingModel: "another" }))).toBe(true);
    expect((await one.listDocuments("gone", { limit: 5 })).map(({ id }) => id)).toEqual([
      buildDocument("content of the new one").id,
    ]);
  });

  it("is not created again for a writer that knows it, once it was deleted elsewhere", async () => {
    const [writer, other] = [open(), open()];
    await writer.add("left", buildDocument("content"));
    const addMore = () => writer.add("left", buildDocument("more content"), () => false);
    expect([await addMore(), await other.deleteNamespace("left")]).toEqual([true, true]);
    await expect(addMore()).rejects.toThrow(NamespaceGoneError);
    expect(await other.listNamespaces()).toEqual([]);
  });

  it("refuses vectors of another model or dimension", async () => {
    const store = open();
    await store.add("default", buildDocument("content"));
    await expect(store.add("default", buildDocument("other content", { embeddingModel: "another" }))).rejects.toThrow(
      EmbeddingMismatchError,
    );
    const search = findNearest(
      store,
      "default",
      { model: "letters", vector: new Float32Array(3).fill(1) },
      { limit: 5 },
    );
    await expect(search).rejects.toThrow(/letters \(26 dimensions\).*KNOWLEDGE_EMBEDDING_MODEL/);
    expect(await store.listDocuments("default", { limit: 10 })).toHaveLength(1);
  });

  it("that several writers create at the same moment keeps what each of them stores", async () => {
    for (let round = 0; round < 5; round += 1) {
      const namespace = `round ${round}`;
      const writers = Array.from({ length: 6 }, () => open());
      const contents = writers.map((_, writer) => `content of writer ${writer}`);
      await Promise.all(writers.map((store, writer) => store.add(namespace, buildDocument(contents[writer] ?? ""))));
      expect(await writers[0]?.listDocuments(namespace, { limit: 100 })).toHaveLength(writers.length);
    }
  });

  it("that was made anew, with as many changes as before, is searched as it is now", async () => {
    const [writer, reader] = [open(), open()];
    const vector = toLetterVector("zebra");
    const find = () => findNearest(reader, "zoo", { model: "letters", vector }, { limit: 50 });
    for (const animal of ["zebra", "lion", "elephant"]) {
      await writer.add("zoo", buildDocument(animal));
      for (const found of [await find(), await find()]) expect(found.map(({ chunk }) => chunk.text)).toEqual([animal]);
      await writer.deleteNamespace("zoo");
    }
    expect(await find()).toEqual([]);
  });
}
