import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { NewDocument } from "../../../store/document.ts";
import { buildDocument, findMatching, findNearest, readWhole, toLetterVector } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

/** A document whose chunks are adjacent, and whose title is searched too. */
function document(
  content: string,
  { pieces = 2, title = "A title", model = "letters", at = "2026-01-01T00:00:00.000Z" } = {},
) {
  const size = Math.ceil(content.length / Math.min(pieces, content.length));
  const hash = createHash("sha256").update(content).digest("hex");
  const chunks = Array.from({ length: Math.ceil(content.length / size) }, (_, index) => {
    const [start, end] = [index * size, Math.min(content.length, (index + 1) * size)];
    const text = content.slice(start, end);
    return { index, start, end, searchText: `${title}\n${text}`, vector: toLetterVector(text) };
  });
  const header = { id: hash.slice(0, 32), hash, title, source: "text:0", ingestedAt: at, embeddingModel: model };
  return { ...header, chunkCount: chunks.length, parts: () => [{ text: content, chunks }] } satisfies NewDocument;
}

export function testDocuments({ open }: StoreUnderTest): void {
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
      { model: "letters", vector: toLetterVector(content) },
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
    const chunks = await findNearest(one, "race", { model: "letters", vector: toLetterVector(content) }, { limit: 50 });
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
    expect(await after.getSources("default", document(content).hash)).toMatchObject({ hasMore: false });
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
    const toId = (content: string, time: number) => document(content, at(time)).id;
    expect([...first, ...second].map(({ id }) => id)).toEqual([...there.map(({ id }) => id), toId("content new", 9)]);
    const again = await store.listDocuments("default", { limit: 9 });
    expect(again.map(({ id }) => id).slice(0, 2)).toEqual([toId("content slow", 0), there[1]?.id]);
    expect(again).toHaveLength(5);
  });

  it("is known to be stored or not by each of many writers who bring different ones at the same time", async () => {
    const store = open();
    await store.add("default", buildDocument("number 3"));
    const numbers = Array.from({ length: 60 }, (_, number) => number % 40);
    const added = await Promise.all(numbers.map((number) => store.add("default", buildDocument(`number ${number}`))));
    // Which of two writers is first is not said.
    const stored = numbers.filter((_, position) => added[position]).sort((one, other) => one - other);
    expect(stored).toEqual([...new Set(numbers)].filter((number) => number !== 3).sort((one, other) => one - other));
    expect(await store.listDocuments("default", { limit: 100 })).toHaveLength(40);
  });
}
