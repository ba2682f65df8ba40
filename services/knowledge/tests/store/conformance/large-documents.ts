import { expect, it } from "vitest";
import type { NewDocument } from "../../../store/document.ts";
import { EmbeddingMismatchError } from "../../../store/errors.ts";
import type { KnowledgeStore } from "../../../store/knowledge-store.ts";
import {
  buildDocument,
  describeAll,
  findMatching,
  findNearest,
  readWhole,
  toLastLetterVector,
  toLetterVector,
} from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const sentences = Array.from({ length: 10 }, (_, index) => `Zebra number ${index} is at the zoo.`);
const text = sentences.join("\n");
const partSize = 3;

/** A document in four parts. `beforePart` is awaited before each. */
export const largeDocument = (beforePart?: (part: number) => Promise<void>, at?: string) =>
  buildDocument(text, {
    pieces: sentences,
    title: "Zoo",
    partSize,
    ...(beforePart && { beforePart }),
    ...(at && { ingestedAt: at }),
  });

/** A document that pauses at its third part, the first time, until `goOn` is called. */
export function pausedDocument(at?: string) {
  const reached = Promise.withResolvers<void>();
  const { promise, resolve: goOn, reject: fail } = Promise.withResolvers<void>();
  const document = largeDocument(async (part) => {
    if (part !== 2) return;
    reached.resolve();
    await promise;
  }, at);
  return { document, reached: reached.promise, goOn, fail };
}

const query = { model: "letters", vector: toLetterVector("Zebra zoo") };
const { hash, id } = largeDocument();

/** All places where a part of the large document is visible. */
export async function findTraces(store: KnowledgeStore, limit = 50): Promise<string[]> {
  const isOfIt = (chunk: { document: { hash: string } }) => chunk.document.hash === hash;
  const near = await findNearest(store, "zoo", query, { limit });
  const matching = await findMatching(store, "zoo", "zebra", { limit });
  const listed = await store.listDocuments("zoo", { limit: 10 });
  return [
    ...near.filter(({ chunk }) => isOfIt(chunk)).map(() => "near"),
    ...matching.filter(isOfIt).map(() => "matching"),
    ...listed.filter((document) => document.hash === hash).map(() => "listed"),
    ...((await store.getSources("zoo", hash)) ? ["there"] : []),
    ...((await readWhole(store, "zoo", id)) ? ["readable"] : []),
    ...(await store.findBySource("zoo", "text:0"))
      .filter((document) => document.hash === hash)
      .map(() => "of a source"),
  ];
}

export function testLargeDocuments({ open, countChunks }: StoreUnderTest): void {
  /** Waits until the store contains chunks of an incomplete document. */
  const holdsParts = async () => {
    if (countChunks) await expect.poll(countChunks).toBeGreaterThan(4);
  };
  const holdsOnly = async (count: number) => {
    if (countChunks) expect(await countChunks()).toBe(count);
  };

  it("is found, listed, read and deleted like any other", async () => {
    const store = open();
    await store.add("zoo", buildDocument("An elephant.", { source: "text:1" }));
    expect(await store.add("zoo", largeDocument())).toBe(true);
    expect(await store.add("zoo", largeDocument())).toBe(false);
    const [hit] = await findNearest(
      store,
      "zoo",
      { ...query, vector: toLetterVector(sentences[7] ?? "") },
      { limit: 20 },
    );
    expect(hit?.chunk.document).toMatchObject({ hash, id, title: "Zoo", source: "text:0" });
    const chunks = await findMatching(store, "zoo", "zebra", { limit: 20 });
    expect(chunks.map((chunk) => chunk.index).sort()).toEqual(sentences.map((_, index) => index));
    for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
    expect(await readWhole(store, "zoo", id)).toMatchObject({ id, hash, text, chunks: sentences.length });
    expect(await describeAll(store)).toMatchObject([{ documents: 2, chunks: sentences.length + 1 }]);
    const [first] = await store.listDocuments("zoo", { limit: 1 });
    const rest = await store.listDocuments("zoo", { limit: 5, ...(first && { after: first }) });
    expect([first?.id, ...rest.map((document) => document.id)]).toContain(id);
    expect(rest).toHaveLength(1);
    expect(await store.deleteDocument("zoo", id)).toBe(true);
    expect(await store.deleteDocument("zoo", id)).toBe(false);
    expect(await findTraces(store)).toEqual([]);
    await holdsOnly(1);
  });

  it("may use the memory of one part for the next", async () => {
    const store = open();
    const document = buildDocument("", { pieces: ["aa", "bb", "cc", "dd"], partSize: 2 });
    const vectors = [new Float32Array(26), new Float32Array(26)];
    async function* parts() {
      for await (const part of document.parts()) {
        for (const [place, { vector }] of part.chunks.entries()) vectors[place]?.set(vector);
        yield {
          ...part,
          chunks: part.chunks.map((chunk, place) => ({ ...chunk, vector: vectors[place] ?? chunk.vector })),
        };
      }
    }
    await store.add("zoo", { ...document, parts });
    for (const text of ["aa", "dd"]) {
      const [nearest] = await findNearest(store, "zoo", { ...query, vector: toLetterVector(text) }, { limit: 1 });
      expect(nearest?.chunk.text).toBe(text);
    }
  });

  it("is not seen before all of it is there, and takes nobody's place", async () => {
    const [store, other] = [open(), open()];
    await store.add("zoo", buildDocument("An ox, which is no zebra."));
    const { document, reached, goOn } = pausedDocument();
    const stored = store.add("zoo", document);
    await reached;
    await holdsParts();
    for (const reader of [store, other]) {
      expect(await findTraces(reader)).toEqual([]);
      expect(await findNearest(reader, "zoo", query, { limit: 1 })).toHaveLength(1);
      expect(await findMatching(reader, "zoo", "zebra", { limit: 1 })).toHaveLength(1);
      expect(await describeAll(reader)).toMatchObject([{ documents: 1, chunks: 1 }]);
      expect(await reader.deleteDocument("zoo", id)).toBe(false);
    }
    goOn();
    expect(await stored).toBe(true);
    for (const reader of [store, other]) expect(new Set(await findTraces(reader)).size).toBe(6);
  });

  it("is stored once when two writers bring it at the same time", async () => {
    const first = open();
    const writers = [first, open(), open()];
    const stored = await Promise.all(writers.map((store) => store.add("zoo", largeDocument())));
    expect(stored.filter(Boolean)).toHaveLength(1);
    await holdsOnly(sentences.length);
    expect(await readWhole(first, "zoo", id)).toMatchObject({ text });
  });

  it("leaves nothing when making one of its parts fails", async () => {
    const store = open();
    const { document, reached, fail } = pausedDocument();
    const stored = store.add("zoo", document);
    await reached;
    fail(new Error("The provider is gone."));
    await expect(stored).rejects.toThrow("The provider is gone.");
    await holdsOnly(0);
    expect(await store.add("zoo", largeDocument())).toBe(true);
  });

  it("is refused when its namespace has got vectors of another model meanwhile", async () => {
    const store = open();
    await store.add("zoo", buildDocument("An ox."));
    const { document, reached, goOn } = pausedDocument();
    const stored = store.add("zoo", document);
    await reached;
    const embed = async (texts: string[]) => texts.map(toLastLetterVector);
    await open().reembed("zoo", { model: "last letters", dimension: 8, embed });
    goOn();
    await expect(stored).rejects.toThrow(EmbeddingMismatchError);
    await holdsOnly(1);
  });

  it("does not keep its namespace from vectors of another model while its parts are stored", async () => {
    const store = open();
    await store.add("zoo", buildDocument("An ox."));
    const isDone = Promise.withResolvers<void>();
    const document = largeDocument();
    const { value: part } = await document.parts().next();
    const { chunks, text } = part ?? { chunks: [], text: "" };
    const commitsMeanwhile = 6;
    const long: NewDocument = {
      ...document,
      async *parts() {
        for (let part = 0; ; part++) {
          if (part > commitsMeanwhile) await isDone.promise;
          const offset = part * text.length;
          const moved = chunks.map((chunk, position) => ({
            ...chunk,
            index: part * chunks.length + position,
            start: offset + chunk.start,
            end: offset + chunk.end,
          }));
          yield { text, chunks: moved };
        }
      },
    };
    const refused = store.add("zoo", long).catch((error: Error) => error);
    const embed = async (texts: string[]) => texts.map(toLastLetterVector);
    await open().reembed("zoo", { model: "last letters", dimension: 8, embed });
    isDone.resolve();
    expect(await refused).toBeInstanceOf(EmbeddingMismatchError);
    await holdsOnly(1);
  });

  it("gets its vectors, too, when it comes while its namespace is given those of another model", async () => {
    const store = open();
    await store.add("zoo", buildDocument("An ox."));
    const asked = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const embed = async (texts: string[]) => {
      asked.resolve();
      await stored.promise;
      return texts.map(toLastLetterVector);
    };
    const reembedded = open().reembed("zoo", { model: "last letters", dimension: 8, embed });
    await asked.promise;
    expect(await store.add("zoo", largeDocument())).toBe(true);
    expect(await findNearest(store, "zoo", query, { limit: 20 })).toHaveLength(sentences.length + 1);
    stored.resolve();
    await reembedded;
    const another = { model: "last letters", vector: toLastLetterVector("Zebra zoo") };
    expect(await findNearest(store, "zoo", another, { limit: 20 })).toHaveLength(sentences.length + 1);
  });

  it("is whole or not there when its namespace is deleted, or deleted and made anew, meanwhile", async () => {
    for (const isMadeAnew of [false, true]) {
      const [store, other] = [open(), open()];
      const { document, reached, goOn } = pausedDocument();
      const stored = store.add("zoo", document).catch((error: Error) => error.name);
      await reached;
      await holdsParts();
      await other.deleteNamespace("zoo");
      if (isMadeAnew) await other.add("zoo", buildDocument("An ox, which is no zebra."));
      goOn();
      const result = await stored;
      const read = await readWhole(other, "zoo", id);
      if (result === true) expect(read).toMatchObject({ text, chunks: sentences.length });
      else {
        expect(read).toBeUndefined();
        await holdsOnly(1);
      }
      expect(await other.add("zoo", largeDocument())).toBe(result !== true);
      await other.deleteNamespace("zoo");
    }
  });
}
