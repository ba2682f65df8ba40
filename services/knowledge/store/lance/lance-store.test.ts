import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import { describe, expect, it } from "vitest";
import { lettersOf, readWhole } from "../../tests/store/documents.ts";
import { findMatching, findNearest } from "../../tests/store/searches.ts";
import { folder, logger, open, useStores } from "../../tests/store/stores-of-a-test.ts";
import type { NewDocument } from "../document.ts";
import { EmbeddingMismatchError } from "../errors.ts";
import { LanceStore } from "./lance-store.ts";

useStores();

function document(content: string, options: { pieces?: number; title?: string; model?: string; at?: string } = {}) {
  const title = options.title ?? "A title";
  const size = Math.ceil(content.length / Math.min(options.pieces ?? 2, content.length));
  const hash = createHash("sha256").update(content).digest("hex");
  const chunks = Array.from({ length: Math.ceil(content.length / size) }, (_, index) => {
    const [start, end] = [index * size, Math.min(content.length, (index + 1) * size)];
    const text = content.slice(start, end);
    return { index, start, end, searchText: `${title}\n${text}`, vector: lettersOf(text) };
  });
  return {
    id: hash.slice(0, 32),
    hash,
    title,
    source: "text:0",
    ingestedAt: options.at ?? "2026-01-01T00:00:00.000Z",
    embeddingModel: options.model ?? "letters",
    chunkCount: chunks.length,
    parts: () => [{ text: content, chunks }],
  } satisfies NewDocument;
}

describe("a document", () => {
  it("is read back whole, and found by its vectors and by its words", async () => {
    const store = open();
    const content = "Refunds are paid within 30 days. Shipping to Zürich — 東京 takes a week. 😀 end";
    await store.add("default", { ...document(content, { pieces: 3 }), url: "https://example.com/a" });
    const id = document(content).id;
    expect(await readWhole(store, "default", id)).toMatchObject({
      text: content,
      chunks: 3,
      url: "https://example.com/a",
    });
    const nearest = await findNearest(
      store,
      "default",
      { model: "letters", vector: lettersOf(content) },
      { limit: 10 },
    );
    expect(nearest).toHaveLength(3);
    for (const { chunk, similarity } of nearest) {
      expect(chunk.text).toBe(content.slice(chunk.start, chunk.end));
      expect(similarity).toBeLessThanOrEqual(1.000001);
    }
    const [found] = await findMatching(store, "default", "when is a refund paid?", { limit: 10 });
    expect(found?.text).toContain("Refunds");
    expect((await findMatching(store, "default", "東京", { limit: 10 })).map((chunk) => chunk.document.id)).toEqual([
      id,
    ]);
    expect(await findMatching(store, "default", "elephants", { limit: 10 })).toEqual([]);
  });

  it("is told from duplicates in the same commit while the namespace is in use", async () => {
    const store = open();
    const texts = Array.from({ length: 200 }, (_, number) => `content ${number}`);
    // Half of each commit is stored already, which reads the table's state before the commit.
    await Promise.all(texts.slice(100).map((text) => store.add("busy", document(text))));
    let isOver = false;
    const use = async () => {
      while (!isOver) await findMatching(store, "busy", "content", { limit: 1 });
    };
    const users = Array.from({ length: 8 }, use);
    const added = await Promise.all(texts.map((text) => store.add("busy", document(text)))).finally(() => {
      isOver = true;
    });
    await Promise.all(users);
    expect(added).toEqual(texts.map((_, number) => number < 100));
  });

  it("is stored once, by one of many writers at the same moment, with all its own chunks and nobody else's", async () => {
    const [one, other] = [open(), open()];
    const content = "the same content that everybody brings at the same time";
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, writer) =>
        (writer % 2 ? one : other).add(
          "race",
          document(content, { pieces: 1 + (writer % 7), title: `Writer ${writer}` }),
        ),
      ),
    );
    expect(added.filter(Boolean)).toHaveLength(1);
    const winner = added.indexOf(true);
    const stored = await readWhole(one, "race", document(content).id);
    expect(stored).toMatchObject({ title: `Writer ${winner}`, chunks: 1 + (winner % 7) });
    const chunks = await findNearest(one, "race", { model: "letters", vector: lettersOf(content) }, { limit: 50 });
    expect(chunks.map(({ chunk }) => chunk.document.title)).toEqual(
      Array.from({ length: 1 + (winner % 7) }, () => `Writer ${winner}`),
    );
  });

  it("is still known when the store is opened again", async () => {
    const content = "what was there before the restart";
    const before = open();
    expect(await before.add("default", document(content))).toBe(true);
    await before.close();
    const after = open();
    expect(await after.sourcesOf("default", document(content).hash)).toMatchObject({ hasMore: false });
    expect(await after.add("default", document(content))).toBe(false);
    expect(await after.listDocuments("default", { limit: 10 })).toHaveLength(1);
  });

  it("is gone for every reader once it is deleted, and can come again", async () => {
    const [one, other] = [open(), open()];
    const [first, second] = [document("first content"), document("second content")];
    await one.add("default", first);
    await one.add("default", second);
    expect(await other.deleteDocument("default", first.id)).toBe(true);
    expect(await other.deleteDocument("default", first.id)).toBe(false);
    expect(await readWhole(one, "default", first.id)).toBeUndefined();
    expect(await findMatching(one, "default", "first", { limit: 10 })).toEqual([]);
    expect((await one.listDocuments("default", { limit: 10 })).map(({ id }) => id)).toEqual([second.id]);
    expect(await one.add("default", first)).toBe(true);
    expect(await one.deleteDocument("default", "it's no id")).toBe(false);
  });

  it("is listed page by page, in the order of coming", async () => {
    const store = open();
    const all = ["d", "b", "a", "c", "e"].map((name, position) =>
      document(`content ${name}`, { at: `2026-01-0${1 + Math.floor(position / 2)}T00:00:00.000Z` }),
    );
    for (const one of all) await store.add("default", one);
    const seen: string[] = [];
    let after: { ingestedAt: string; id: string } | undefined;
    do {
      const page = await store.listDocuments("default", { limit: 2, ...(after && { after }) });
      seen.push(...page.map(({ id }) => id));
      after = page.length === 2 ? page[1] : undefined;
    } while (after);
    const inOrder = [...all].sort((x, y) => (x.ingestedAt + x.id < y.ingestedAt + y.id ? -1 : 1));
    expect(seen).toEqual(inOrder.map(({ id }) => id));
  });

  it("is listed once when others come and go between the pages, also such that began to come before", async () => {
    const store = open();
    const at = (second: number) => ({ at: `2026-01-01T00:00:0${second}.000Z` });
    const there = [1, 3, 5, 7].map((second) => document(`content ${second}`, at(second)));
    for (const one of there) await store.add("default", one);
    const first = await store.listDocuments("default", { limit: 2 });
    const [, last] = first;
    // Embedding it took long: it began to come before all that was listed, and was stored after it.
    await store.add("default", document("content slow", at(0)));
    await store.add("default", document("content new", at(9)));
    await store.deleteDocument("default", first[0]?.id ?? "");
    const second = await store.listDocuments("default", { limit: 5, ...(last && { after: last }) });
    const idOf = (content: string, time: number) => document(content, at(time)).id;
    expect([...first, ...second].map(({ id }) => id)).toEqual([...there.map(({ id }) => id), idOf("content new", 9)]);
    const again = await store.listDocuments("default", { limit: 9 });
    expect(again.map(({ id }) => id).slice(0, 2)).toEqual([idOf("content slow", 0), there[1]?.id]);
    expect(again).toHaveLength(5);
  });
});

it("many small documents are tidied together, and every one is still there and found", async () => {
  const store = open();
  const all = Array.from({ length: 66 }, (_, number) => document(`content of number${number}`, { pieces: 1 }));
  await Promise.all(all.map((one) => store.add("default", one)));
  const connection = await connect(folder);
  const [name = ""] = (await connection.listTables()).tables;
  const fragments = async () => (await (await connection.openTable(name)).stats()).fragmentStats.numFragments;
  await expect.poll(fragments).toBeLessThan(20);
  expect((await store.listDocuments("default", { limit: 100 })).map(({ id }) => id).sort()).toEqual(
    all.map(({ id }) => id).sort(),
  );
  expect((await findMatching(store, "default", "number65", { limit: 5 })).map(({ text }) => text)).toEqual([
    "content of number65",
  ]);
  expect(await store.add("default", document("content of number3", { pieces: 1 }))).toBe(false);
});

describe("a namespace", () => {
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
    for (const name of lookalikes) await store.add(name, document(`the secret of «${name}»`));
    for (const name of lookalikes) {
      const documents = await store.listDocuments(name, { limit: 100 });
      expect(documents.map(({ id }) => id)).toEqual([document(`the secret of «${name}»`).id]);
    }
    expect(await store.namespaces()).toEqual([...lookalikes].sort());
    expect(await store.embeddingOf("a\u00a0")).toBeUndefined();
  });

  it("may have a name of 128 characters of any kind", async () => {
    const store = open();
    const [one, other] = ["漢".repeat(128), `${"漢".repeat(127)}字`];
    await store.add(one, document("content"));
    expect(await store.embeddingOf(one)).toEqual({ model: "letters", dimension: 26 });
    expect(await store.embeddingOf(other)).toBeUndefined();
  });

  it("is empty and no error when it is unknown", async () => {
    const store = open();
    expect(await findNearest(store, "nobody", { model: "any", vector: new Float32Array(3) }, { limit: 5 })).toEqual([]);
    expect(await findMatching(store, "nobody", "words", { limit: 5 })).toEqual([]);
    expect(await store.listDocuments("nobody", { limit: 5 })).toEqual([]);
    expect(await store.deleteNamespace("nobody")).toBe(false);
    expect([await store.namespaces(), await store.describeNamespace("nobody")]).toEqual([[], undefined]);
  });

  it("leaves nothing behind when it is deleted, also for a store that has it open", async () => {
    const [one, other] = [open(), open()];
    await one.add("gone", document("content of the old one", { model: "letters" }));
    expect(await other.embeddingOf("gone")).toEqual({ model: "letters", dimension: 26 });
    expect(await one.deleteNamespace("gone")).toBe(true);
    expect(await readdir(folder)).toEqual([]);
    expect(await other.embeddingOf("gone")).toBeUndefined();
    expect(await findMatching(other, "gone", "content", { limit: 5 })).toEqual([]);
    expect(await other.add("gone", document("content of the new one", { model: "another" }))).toBe(true);
    expect((await one.listDocuments("gone", { limit: 5 })).map(({ id }) => id)).toEqual([
      document("content of the new one").id,
    ]);
  });

  it("refuses vectors of another model or dimension", async () => {
    const store = open();
    await store.add("default", document("content"));
    await expect(store.add("default", document("other content", { model: "another" }))).rejects.toThrow(
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
});

it("a store whose folder can't be used says so", async () => {
  await writeFile(join(folder, "file"), "");
  const store = new LanceStore({ folder: join(folder, "file", "store") }, { logger });
  await expect(store.check()).rejects.toThrow(/ENOTDIR/);
});
