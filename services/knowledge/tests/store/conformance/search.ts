import type { SearchFilter } from "@agent-backends/contract";
import { expect, it } from "vitest";
import type { KnowledgeStore } from "../../../store/knowledge-store.ts";
import { buildDocument, findMatching, findNearest, toLetterVector } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const animals = ["zebra", "lion", "elephant", "mouse", "giraffe", "ant"];
const toQuestionVector = (text: string) => ({ model: "letters", vector: toLetterVector(text) });
const all = { limit: 50 };

const hostile = [
  "plain",
  "it's",
  "' OR 1=1 --",
  "'; DROP TABLE x; --",
  `"quoted"`,
  "back\\slash",
  "%_*?",
  `","team":"other`,
  `x","team":"legal`,
  "new\nline",
  "東京 😀",
  "}",
  `"}`,
  ",",
  "x,",
  `x",`,
  "x",
  "x\\",
  `x\\"`,
  `x","`,
  "",
];

/** The texts found with this filter, which must be the same by meaning and by words. */
async function found(store: KnowledgeStore, filter: SearchFilter): Promise<string[]> {
  const scope = { limit: 50, filter };
  const vector = toLetterVector("content");
  const [byMeaning, byWords] = await Promise.all([
    findNearest(store, "default", { model: "letters", vector }, scope),
    findMatching(store, "default", "content", scope),
  ]);
  const texts = byWords.map(({ text }) => text).sort();
  expect(byMeaning.map(({ chunk }) => chunk.text).sort()).toEqual(texts);
  return texts;
}

export function testSearch({ open }: Pick<StoreUnderTest, "open">): void {
  it("finds what another process stored just before, and nothing of what it deleted", async () => {
    const [writer, reader] = [open(), open()];
    const near = async () =>
      (await findNearest(reader, "zoo", toQuestionVector("zebra"), all)).map(({ chunk }) => chunk.text).sort();
    const named = async (word: string) => (await findMatching(reader, "zoo", word, all)).map(({ text }) => text);
    const stored: string[] = [];
    for (const animal of animals) {
      await writer.add("zoo", buildDocument(animal));
      stored.push(animal);
      expect([await near(), await named(animal)]).toEqual([[...stored].sort(), [animal]]);
    }
    for (const animal of animals) {
      await writer.deleteDocument("zoo", buildDocument(animal).id);
      stored.shift();
      expect([await near(), await named(animal)]).toEqual([[...stored].sort(), []]);
    }
  });

  it("finds the nearest, in the same order and as similar, with and without a filter that all pass", async () => {
    const store = open();
    const vectorOfWords = (text: string) =>
      Float32Array.from({ length: 64 }, (_, place) => Math.sin((place + 2) * Number(text)));
    const pieces = Array.from({ length: 400 }, (_, number) => String(number + 1));
    await store.add("zoo", buildDocument("", { pieces, toVector: vectorOfWords }));
    const vector = vectorOfWords("7.3");
    const found = await findNearest(store, "zoo", { model: "letters", vector }, { limit: 10 });
    const filtered = await findNearest(
      store,
      "zoo",
      { model: "letters", vector },
      { limit: 10, filter: { source: "text:0" } },
    );
    expect(found.map(({ chunk }) => chunk)).toEqual(filtered.map(({ chunk }) => chunk));
    for (const [place, { similarity }] of found.entries()) {
      expect(similarity).toBeCloseTo(filtered[place]?.similarity ?? Number.NaN, 2);
    }
  });

  it("ranks the chunks with rarer words, more of them and less text around them higher", async () => {
    const store = open();
    const common = Array.from({ length: 30 }, (_, number) => `animal number ${number}`);
    const pieces = [
      ...common,
      "animal zebra",
      "zebra lion",
      "zebra animal and much else that is said about it at length",
      "lion",
    ];
    await store.add("zoo", buildDocument("", { pieces }));
    const ranked = (await findMatching(store, "zoo", "zebra animal", all)).map(({ text }) => text);
    expect(ranked.slice(0, 3)).toEqual([pieces[30], pieces[31], pieces[32]]);
    expect(ranked.slice(3).sort()).toEqual([...common].sort());
  });

  it("finds a chunk without a language of its own, such as a row of a table, by the words of its document's", async () => {
    const store = open();
    const pieces = ["Die Kunden und ihre Verträge stehen in dieser Liste.", "Kunden; 12; 40"];
    await store.add("zoo", buildDocument("", { pieces }));
    const found = await findMatching(store, "zoo", "Wer ist der Kunde?", all);
    expect(found.map(({ text }) => text).sort()).toEqual([...pieces].sort());
  });

  it("tells how similar an ordinary chunk of the namespace is", async () => {
    const store = open();
    const toVector = (text: string) =>
      Float32Array.from({ length: 26 }, (_, place) => 1 + 0.2 * Math.sin(place * Number(text)));
    const pieces = Array.from({ length: 200 }, (_, number) => String(number + 1));
    await store.add("zoo", buildDocument("", { pieces, toVector }));
    const ordinary: number[] = [];
    const question = { getVector: async () => toVector("7.3") };
    await store.search("zoo", question, { limit: 5 }, ({ ordinarySimilarity }) => {
      ordinary.push(ordinarySimilarity);
      return [];
    });
    expect(ordinary.at(-1)).toBeGreaterThan(0.9);
    expect(ordinary.at(-1)).toBeLessThan(0.999);
  });

  it("with a filter finds the documents that have the field with exactly this value, whatever the value holds", async () => {
    const store = open();
    for (const [position, value] of hostile.entries()) {
      const fields = {
        source: value,
        title: value,
        metadata: { team: value, number: position, [value || "_"]: "named" },
      };
      await store.add("default", buildDocument(`content ${position}`, fields));
    }
    for (const [position, value] of hostile.entries()) {
      const only = [`content ${position}`];
      expect(await found(store, { team: value })).toEqual(only);
      expect(await found(store, { team: [value, "nobody", 7] })).toEqual(only);
      expect(await found(store, { source: [value, "nobody"] })).toEqual(only);
      expect(await found(store, { [value || "_"]: ["unnamed", "named"] })).toEqual(only);
      expect(await found(store, { source: value })).toEqual(only);
      expect(await found(store, { title: value })).toEqual(only);
      expect(await found(store, { [value || "_"]: "named" })).toEqual(only);
      expect(await found(store, { number: position, team: value })).toEqual(only);
      expect(await found(store, { number: String(position) })).toEqual([]);
      expect(await found(store, { team: value, source: "nothing like it" })).toEqual([]);
    }
    expect(await found(store, { number: [1, 3] })).toEqual(["content 1", "content 3"]);
    expect(await found(store, { number: ["1", "3"] })).toEqual([]);
    expect(await found(store, { "no such field": [true, ""] })).toEqual([]);
    expect(await found(store, { "no such field": true })).toEqual([]);
    expect(await found(store, { content_type: "text/html" })).toEqual([]);
  });

  it("with a filter finds the documents that have the value among those of a list", async () => {
    const store = open();
    for (const [position, value] of hostile.entries()) {
      const metadata = { tags: [`only ${position}`, value, position], [`${value},`]: [value, "shared"], empty: [] };
      await store.add("default", buildDocument(`content ${position}`, { metadata }));
    }
    for (const [position, value] of hostile.entries()) {
      const only = [`content ${position}`];
      expect(await found(store, { tags: value })).toEqual(only);
      expect(await found(store, { tags: [value, "nobody"], [`${value},`]: ["unshared", "shared"] })).toEqual(only);
      expect(await found(store, { tags: String(position) })).toEqual([]);
    }
    expect(await found(store, { tags: ["only 1", 1, hostile[3] ?? ""] })).toEqual(["content 1", "content 3"]);
    expect(await found(store, { tags: 7 })).toEqual(["content 7"]);
    expect(await found(store, { empty: ["", "x"] })).toEqual([]);
  });
}
