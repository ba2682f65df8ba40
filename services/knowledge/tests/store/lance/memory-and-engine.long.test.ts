import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnowledgeStore, RankedChunk, SearchScope } from "../../../store/knowledge-store.ts";
import { changeSource } from "../../../store/sources.ts";
import { testSearch } from "../conformance/search.ts";
import { buildDocument } from "../documents.ts";
import { onlyTable, open, openEngine, useStores } from "./lance-stores.ts";

useStores();

describe("a search by the engine alone", () => testSearch({ open: openEngine }));

/** Words with digits are the same terms in every language: short texts are taken for Indonesian or Finnish. */
const vocabulary = "ada bee cat dog elk fox gnu hen ibis jay kiwi lynx"
  .split(" ")
  .map((word, index) => `${word}${index}`);
/** Words that are rare and ones that are frequent, often several times. */
const wordsSchema = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom(1, 2, 12)), { minLength: 1, maxLength: 30 })
  .map((picked) => picked.map(([number, range]) => vocabulary[number % range] ?? "").join(" "));
const fields = fc.record(
  { team: fc.constantFrom("legal", "sales"), tags: fc.subarray(["a", "b", 1, true], { minLength: 1 }) },
  { requiredKeys: [] },
);
const corpusSchema = fc.array(fc.tuple(fc.array(wordsSchema, { minLength: 1, maxLength: 12 }), fields), {
  minLength: 2,
  maxLength: 6,
});
const filters: SearchScope["filter"][] = [
  undefined,
  { team: "legal" },
  { tags: ["b", 1] },
  { team: "sales", tags: true },
];

/** BM25 by the book, of chunks with these texts. */
function scoreAll(chunks: readonly string[], question: string): Map<string, number> {
  const averageLength = chunks.reduce((sum, chunk) => sum + chunk.split(" ").length, 0) / chunks.length;
  const scores = chunks.map((chunk) => {
    const words = chunk.split(" ");
    const terms = [...new Set(question.split(" "))].map((term) => {
      const holding = chunks.filter((other) => other.split(" ").includes(term)).length;
      const frequency = words.filter((word) => word === term).length;
      const idf = Math.log(1 + (chunks.length - holding + 0.5) / (holding + 0.5));
      return (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * words.length) / averageLength));
    });
    return [chunk, terms.reduce((sum, score) => sum + score, 0)] as const;
  });
  return new Map(scores);
}

async function rank(store: KnowledgeStore, words: string, filter: SearchScope["filter"]) {
  const vector = Float32Array.from(vocabulary, (word) => words.split(" ").filter((one) => one === word).length);
  const read = (pick: "byWords" | "byMeaning") =>
    store.search<RankedChunk>(
      "zoo",
      { words, getVector: async () => vector },
      { limit: 8, filter },
      (found) => found[pick],
    );
  const [byWords, byMeaning] = await Promise.all([read("byWords"), read("byMeaning")]);
  return {
    texts: byWords.map(({ chunk }) => chunk.text),
    titles: new Map([...byWords, ...byMeaning].map(({ chunk }) => [chunk.text, chunk.document.title])),
    similarities: byMeaning.map(({ chosen }) => chosen.similarity ?? 0),
  };
}

it("memory and the engine rank the chunks of any documents alike, with filters and after deletions", async () => {
  const property = fc.asyncProperty(corpusSchema, wordsSchema, async (corpus, question) => {
    const [store, engine] = [open(), openEngine()];
    await store.deleteNamespace("zoo");
    const documents = corpus.map(([pieces, metadata], number) =>
      buildDocument("", {
        pieces: pieces.map((piece, at) => `${piece} d${number}c${at}`),
        metadata,
        toVector: countWords,
      }),
    );
    for (const document of documents) await store.add("zoo", document);
    const [deleted, ...kept] = documents;
    await store.deleteDocument("zoo", deleted?.id ?? "");
    const table = await onlyTable();
    await table.optimize({ cleanupOlderThan: new Date(0) });
    const scores = scoreAll(
      kept.flatMap(({ text }) => text.split("\n")),
      question,
    );
    for (const filter of filters) {
      const [inMemory, byEngine] = await Promise.all([rank(store, question, filter), rank(engine, question, filter)]);
      const scored = (texts: string[]) => texts.map((text) => scores.get(text)?.toFixed(3));
      expect(scored(inMemory.texts)).toEqual(scored(byEngine.texts));
      // Memory rounds vectors to bytes.
      const similarities = byEngine.similarities.map((similarity) => expect.closeTo(similarity, 1));
      expect(inMemory.similarities).toEqual(similarities);
    }
  });
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
});

const never = { quietMs: 600_000, maxDelayMs: 600_000, settleMs: 600_000 };
const changeSchema = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("add" as const),
      pieces: fc.array(wordsSchema, { minLength: 1, maxLength: 12 }),
      metadata: fields,
      partSize: fc.constantFrom(2, 100),
    }),
  },
  fc.record({ kind: fc.constantFrom("delete" as const, "rename" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("compact" as const) }),
);

it("memory that follows a table through its changes answers like memory that reads the whole table, and like the engine", async () => {
  const property = fc.asyncProperty(
    fc.array(changeSchema, { minLength: 8, maxLength: 12 }),
    wordsSchema,
    async (changes, question) => {
      // The test compacts the table itself.
      const [writer, follower, engine] = [open(never), open(never), openEngine(never)];
      await writer.deleteNamespace("zoo");
      const stored: ReturnType<typeof buildDocument>[] = [];
      // With a word of the vocabulary: the engine leaves out vectors of zeros, which are similar to nothing.
      const first = buildDocument("", { pieces: [question, "yak lynx11"], toVector: countWords });
      await writer.add("zoo", first);
      stored.push(first);
      const table = await onlyTable();
      const compare = async (other: KnowledgeStore, precision: number) => {
        const scores = scoreAll(
          stored.flatMap(({ text }) => text.split("\n")),
          question,
        );
        const scored = (texts: string[]) => texts.map((text) => scores.get(text)?.toFixed(3));
        for (const filter of filters) {
          const [followed, expected] = await Promise.all([
            rank(follower, question, filter),
            rank(other, question, filter),
          ]);
          expect(scored(followed.texts)).toEqual(scored(expected.texts));
          for (const [text, title] of followed.titles)
            expect([text, expected.titles.get(text) ?? title]).toEqual([text, title]);
          expect(followed.similarities).toEqual(expected.similarities.map((one) => expect.closeTo(one, precision)));
        }
      };
      for (const [number, change] of changes.entries()) {
        const which = "which" in change ? change.which % stored.length : 0;
        const { id = "" } = stored[which] ?? {};
        if (change.kind === "add") {
          const pieces = change.pieces.map((piece, at) => `${piece} d${number}c${at}`);
          const document = buildDocument("", { ...change, pieces, toVector: countWords });
          await writer.add("zoo", document);
          stored.push(document);
        } else if (change.kind === "delete" && stored.length > 1) {
          await writer.deleteDocument("zoo", id);
          stored.splice(which, 1);
        } else if (change.kind === "rename") {
          await changeSource(writer, "zoo", id, (source) => ({ ...source, title: `Title ${number}` }));
        } else if (change.kind === "compact") await table.optimize({ cleanupOlderThan: new Date(0) });
        await compare(open(never), 5);
      }
      await writer.purge("zoo");
      await table.optimize({ cleanupOlderThan: new Date(0) });
      await compare(engine, 1);
    },
  );
  await fc.assert(property, { numRuns: 2, endOnFailure: true });
});

it("searches find what is stored, and nothing of what is deleted, while several writers change the table", async () => {
  const [reader, ...writers] = [open(), open(), open()];
  await writers[0]?.add("zoo", buildDocument("yak"));
  await Promise.all(
    writers.map(async (writer, number) => {
      for (const turn of [1, 2, 3, 4]) {
        const word = `word${number}${turn}`;
        const document = buildDocument(word);
        const find = () => reader.search<RankedChunk>("zoo", { words: word }, { limit: 5 }, ({ byWords }) => byWords);
        await writer.add("zoo", document);
        expect((await find()).map(({ chunk }) => chunk.text)).toEqual([word]);
        await writer.deleteDocument("zoo", document.id);
        expect(await find()).toEqual([]);
      }
    }),
  );
});

const countWords = (text: string) =>
  Float32Array.from(vocabulary, (word) => text.split(" ").filter((one) => one === word).length);
