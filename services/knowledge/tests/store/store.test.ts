import { createHash } from "node:crypto";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProviderError } from "@agent-backends/llm";
import { connect } from "@lancedb/lancedb";
import { describe, expect, it } from "vitest";
import { listFiles } from "../../store/files.ts";
import { documentOf, lastLettersOf, lettersOf, readWhole } from "./documents.ts";
import { findMatching, findNearest } from "./searches.ts";
import { folder, open, useStores } from "./stores-of-a-test.ts";

useStores();

async function onlyTable() {
  const connection = await connect(folder);
  const [name = ""] = (await connection.listTables()).tables;
  return connection.openTable(name);
}

describe("a filter", () => {
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

  it("finds the documents that have the field with exactly this value, whatever the value holds", async () => {
    const store = open();
    for (const [position, value] of hostile.entries()) {
      const fields = {
        source: value,
        title: value,
        metadata: { team: value, number: position, [value || "_"]: "named" },
      };
      await store.add("default", documentOf(`content ${position}`, fields));
    }
    const found = async (filter: Record<string, string | number | boolean | (string | number | boolean)[]>) => {
      const scope = { limit: 50, filter };
      const vector = lettersOf("content");
      const [byMeaning, byWords] = await Promise.all([
        findNearest(store, "default", { model: "letters", vector }, scope),
        findMatching(store, "default", "content", scope),
      ]);
      const texts = byWords.map(({ text }) => text).sort();
      expect(byMeaning.map(({ chunk }) => chunk.text).sort()).toEqual(texts);
      return texts;
    };
    for (const [position, value] of hostile.entries()) {
      const only = [`content ${position}`];
      expect(await found({ team: value })).toEqual(only);
      expect(await found({ team: [value, "nobody", 7] })).toEqual(only);
      expect(await found({ source: [value, "nobody"] })).toEqual(only);
      expect(await found({ [value || "_"]: ["unnamed", "named"] })).toEqual(only);
      expect(await found({ source: value })).toEqual(only);
      expect(await found({ title: value })).toEqual(only);
      expect(await found({ [value || "_"]: "named" })).toEqual(only);
      expect(await found({ number: position, team: value })).toEqual(only);
      expect(await found({ number: String(position) })).toEqual([]);
      expect(await found({ team: value, source: "nothing like it" })).toEqual([]);
    }
    expect(await found({ number: [1, 3] })).toEqual(["content 1", "content 3"]);
    expect(await found({ number: ["1", "3"] })).toEqual([]);
    expect(await found({ "no such field": [true, ""] })).toEqual([]);
    expect(await found({ "no such field": true })).toEqual([]);
    expect(await found({ content_type: "text/html" })).toEqual([]);
  });
});

describe("writers", () => {
  it("who come at the same time share commits, and each learns what became of its own document", async () => {
    const store = open();
    await store.add("default", documentOf("number 3"));
    const versionBefore = await (await onlyTable()).version();
    const numbers = Array.from({ length: 60 }, (_, number) => number % 40);
    const added = await Promise.all(numbers.map((number) => store.add("default", documentOf(`number ${number}`))));
    const isFirst = numbers.map((number, position) => number !== 3 && numbers.indexOf(number) === position);
    expect(added).toEqual(isFirst);
    expect((await (await onlyTable()).version()) - versionBefore).toBeLessThan(20);
    expect(await store.listDocuments("default", { limit: 100 })).toHaveLength(40);
  });

  it("who create a namespace at the same moment lose nothing to each other", async () => {
    for (let round = 0; round < 5; round += 1) {
      const namespace = `round ${round}`;
      const writers = Array.from({ length: 6 }, () => open());
      const contents = writers.map((_, writer) => `content of writer ${writer}`);
      await Promise.all(writers.map((store, writer) => store.add(namespace, documentOf(contents[writer] ?? ""))));
      expect(await writers[0]?.listDocuments(namespace, { limit: 100 })).toHaveLength(writers.length);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith("draft"))).toEqual([]);
  });
});

describe("what a process left that died", () => {
  const leave = async (name: string) => {
    await mkdir(join(folder, name, "data"), { recursive: true });
    await writeFile(join(folder, name, "data", "a.lance"), "rows");
  };

  it("while it deleted a namespace is removed by the next one", async () => {
    await leave("draft-removed-1.lance");
    await open().check();
    expect(await readdir(folder)).toEqual([]);
  });

  it("before its first commit is in nobody's way", async () => {
    await leave(`${createHash("sha256").update("zoo").digest("hex")}.lance`);
    const writers = [open(), open(), open()];
    expect(await writers[0]?.deleteNamespace("zoo")).toBe(false);
    await Promise.all(writers.map((store, writer) => store.add("zoo", documentOf(`Animal ${writer}`))));
    expect(await writers[0]?.listDocuments("zoo", { limit: 10 })).toHaveLength(writers.length);
    expect(await readdir(folder)).toHaveLength(1);
  });
});

describe("a change of the embedding model", () => {
  const texts = Array.from(
    { length: 40 },
    (_, number) => `Chunk ${number} about ${["tea", "wuxia", "rust"][number % 3]}.`,
  );
  const other = { model: "last letters", dimension: 8 };
  const embed = async (some: string[]) => some.map(lastLettersOf);

  it("goes on where it was interrupted, with the old vectors searched until all new ones are there", async () => {
    const store = open();
    const documents = Array.from({ length: 15 }, (_, number) =>
      documentOf("", { pieces: texts.map((text) => `${text} ${number}`) }),
    );
    for (const document of documents) await store.add("default", document);
    let embedded = 0;
    const interrupted = async (some: string[]) => {
      if (embedded > 0) throw new Error("The power is gone.");
      embedded += some.length;
      return embed(some);
    };
    await expect(store.reembed("default", { ...other, embed: interrupted })).rejects.toThrow("power");
    expect(await store.embeddingOf("default")).toEqual({ model: "letters", dimension: 26 });
    const old = await findNearest(store, "default", { model: "letters", vector: lettersOf("wuxia") }, { limit: 5 });
    expect(old).toHaveLength(5);

    const meanwhile = open();
    const progress: number[] = [];
    let second = 0;
    await store.reembed("default", {
      ...other,
      embed: async (some) => {
        if (second === 0) await meanwhile.add("default", documentOf("Somebody brings this xyz meanwhile."));
        second += some.length;
        return embed(some);
      },
      onProgress: (done) => progress.push(done),
    });
    expect(embedded + second).toBe(15 * 40 + 1);
    expect(progress).toEqual([...progress].sort((one, next) => one - next));
    expect(await store.embeddingOf("default")).toEqual(other);
    const vector = lastLettersOf("xyz");
    const [nearest] = await findNearest(meanwhile, "default", { model: other.model, vector }, { limit: 1 });
    expect(nearest?.chunk.text).toContain("xyz meanwhile");
    expect(await findMatching(store, "default", "rust", { limit: 50 })).toHaveLength(50);
    expect(await readWhole(store, "default", documents[0]?.id ?? "")).toMatchObject({ chunks: 40 });
    await expect(meanwhile.add("default", documentOf("too late"))).rejects.toThrow(/knowledge:reindex/);
    const late = documentOf("in time", { embeddingModel: other.model, vectorOf: lastLettersOf });
    expect(await meanwhile.add("default", late)).toBe(true);
    await expect(
      store.reembed("default", { ...other, embed: () => Promise.reject(new Error("asked again")) }),
    ).resolves.toBe(true);
  });

  it("does not take what the provider says for a table that is gone", async () => {
    const store = open();
    await store.add("default", documentOf("", { pieces: texts }));
    let asked = 0;
    const embed = () => {
      asked += 1;
      return Promise.reject(new ProviderError("http_status", "The model does not exist."));
    };
    await expect(store.reembed("default", { ...other, embed })).rejects.toThrow(ProviderError);
    expect(asked).toBe(1);
  });

  it("that was thought better of leaves nothing of the other model", async () => {
    const store = open();
    await store.add("default", documentOf("", { pieces: texts }));
    const never = () => Promise.reject(new Error("no"));
    await expect(store.reembed("default", { ...other, embed: never })).rejects.toThrow("no");
    expect(await store.reembed("default", { model: "letters", dimension: 26, embed: never })).toBe(true);
    const columns = (await (await onlyTable()).schema()).fields.filter(({ name }) => name.startsWith("vector_"));
    expect(columns).toHaveLength(1);
    expect(await store.reembed("nobody", { ...other, embed })).toBe(false);
  });
});

it("a large namespace gets a vector index, and still finds the nearest, also of what came later", async () => {
  const store = open({ quietMs: 10, oldVersionMs: 60_000 });
  const randomVector = (seed: number) => {
    let state = seed + 1;
    return Float32Array.from({ length: 32 }, () => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
    });
  };
  const vectorOf = (text: string) => randomVector(Number(text));
  const numbers = Array.from({ length: 5_200 }, (_, number) => String(number));
  await store.add("default", documentOf("", { pieces: numbers, vectorOf }));
  await expect.poll(async () => (await (await onlyTable()).listIndices()).length).toBe(2);
  await store.add("default", documentOf("", { pieces: ["99999"], vectorOf }));
  for (const wanted of ["7", "2500", "5199", "99999"]) {
    const nearest = await findNearest(store, "default", { model: "letters", vector: vectorOf(wanted) }, { limit: 10 });
    expect(nearest[0]?.chunk.text).toBe(wanted);
  }
});

it("many small documents that come and go leave a store that is not much larger than what is in it", async () => {
  const store = open({ quietMs: 20, oldVersionMs: 0 });
  for (let round = 0; round < 50; round += 1) {
    const document = documentOf(`Round ${round}. ${"Words that take some room. ".repeat(20)}`);
    await store.add("default", document);
    if (round % 5 !== 0) await store.deleteDocument("default", document.id);
  }
  const files = async () => {
    const paths = await listFiles(folder);
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0));
    return { count: paths.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };
  const isSmall = async () => {
    const { count, bytes } = await files();
    // Fewer commits than are worth merging may be left: 9 of them are 27 files and 0.65 MB. Unmerged, all are 230 and 3.5 MB.
    return count < 60 && bytes < 1_000_000;
  };
  await expect.poll(isSmall).toBe(true);
  expect(await store.listDocuments("default", { limit: 100 })).toHaveLength(10);
}, 60_000);
