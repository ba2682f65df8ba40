import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StoreUnreachableError } from "../../../store/errors.ts";
import { listFiles } from "../../../store/files.ts";
import { LanceStore } from "../../../store/lance/lance-store.ts";
import { buildDocument, findMatching, findNearest } from "../documents.ts";
import { folder, logger, onlyTable, open, useStores } from "./lance-stores.ts";

useStores();

it("documents that are added at the same time share commits", async () => {
  const store = open();
  await store.add("default", buildDocument("number 3"));
  const versionBefore = await (await onlyTable()).version();
  const numbers = Array.from({ length: 60 }, (_, number) => number % 40);
  await Promise.all(numbers.map((number) => store.add("default", buildDocument(`number ${number}`))));
  expect((await (await onlyTable()).version()) - versionBefore).toBeLessThan(20);
});

it("a namespace that is deleted, or made by several writers, leaves no other files behind", async () => {
  const writers = Array.from({ length: 6 }, () => open());
  await Promise.all(writers.map((store, writer) => store.add("zoo", buildDocument(`content of writer ${writer}`))));
  expect((await readdir(folder)).filter((name) => name.startsWith("draft"))).toEqual([]);
  expect(await writers[0]?.deleteNamespace("zoo")).toBe(true);
  expect(await readdir(folder)).toEqual([]);
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

  it("before its first commit doesn't block others", async () => {
    await leave(`${createHash("sha256").update("zoo").digest("hex")}.lance`);
    const writers = [open(), open(), open()];
    expect(await writers[0]?.deleteNamespace("zoo")).toBe(false);
    await Promise.all(writers.map((store, writer) => store.add("zoo", buildDocument(`Animal ${writer}`))));
    expect(await writers[0]?.listDocuments("zoo", { limit: 10 })).toHaveLength(writers.length);
    expect(await readdir(folder)).toHaveLength(1);
  });
});

it("a change of the embedding model that was given up leaves no vectors of it", async () => {
  const store = open();
  await store.add("default", buildDocument("content"));
  const never = () => Promise.reject(new Error("no"));
  await expect(store.reembed("default", { model: "last letters", dimension: 8, embed: never })).rejects.toThrow("no");
  expect(await store.reembed("default", { model: "letters", dimension: 26, embed: never })).toBe(true);
  const columns = (await (await onlyTable()).schema()).fields.filter(({ name }) => name.startsWith("vector_"));
  expect(columns).toHaveLength(1);
});

it("many small documents are tidied together, and every one is still there and found", async () => {
  const store = open();
  const all = Array.from({ length: 66 }, (_, number) => buildDocument(`content of number${number}`));
  await Promise.all(all.map((one) => store.add("default", one)));
  const fragments = async () => (await (await onlyTable()).stats()).fragmentStats.numFragments;
  await expect.poll(fragments).toBeLessThan(20);
  expect((await store.listDocuments("default", { limit: 100 })).map(({ id }) => id).sort()).toEqual(
    all.map(({ id }) => id).sort(),
  );
  expect((await findMatching(store, "default", "number65", { limit: 5 })).map(({ text }) => text)).toEqual([
    "content of number65",
  ]);
  expect(await store.add("default", buildDocument("content of number3"))).toBe(false);
});

it("a large namespace gets a vector index, and still finds the nearest, also of what came later", async () => {
  const store = open({ quietMs: 10 });
  const randomVector = (seed: number) => {
    let state = seed + 1;
    return Float32Array.from({ length: 32 }, () => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      return ((state >>> 8) & 0xffff) / 0xffff - 0.5;
    });
  };
  const toVector = (text: string) => randomVector(Number(text));
  const numbers = Array.from({ length: 5_200 }, (_, number) => String(number));
  await store.add("default", buildDocument("", { pieces: numbers, toVector }));
  await expect.poll(async () => (await (await onlyTable()).listIndices()).length).toBe(2);
  await store.add("default", buildDocument("", { pieces: ["99999"], toVector }));
  for (const wanted of ["7", "2500", "5199", "99999"]) {
    const nearest = await findNearest(store, "default", { model: "letters", vector: toVector(wanted) }, { limit: 10 });
    expect(nearest[0]?.chunk.text).toBe(wanted);
  }
});

it("many small documents that come and go leave a store that is not much larger than what is in it", async () => {
  const store = open({ quietMs: 20 }, 500);
  for (let round = 0; round < 50; round += 1) {
    const document = buildDocument(`Round ${round}. ${"Words that take some room. ".repeat(20)}`);
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

it("a store whose folder can't be used says so", async () => {
  await writeFile(join(folder, "file"), "");
  const store = new LanceStore({ folder: join(folder, "file", "store") }, { logger });
  await expect(store.check()).rejects.toMatchObject({ cause: { code: "ENOTDIR" } });
});

it("a store whose folder disappears while it is used says so, and doesn't look empty", async () => {
  const disk = join(folder, "disk");
  const store = new LanceStore({ folder: disk }, { logger });
  await store.add("default", buildDocument("zebra"));
  await rm(disk, { recursive: true });
  await expect(store.listNamespaces()).rejects.toThrow(StoreUnreachableError);
  await expect(findMatching(store, "default", "zebra", { limit: 1 })).rejects.toThrow(StoreUnreachableError);
  await expect(store.add("default", buildDocument("lion"))).rejects.toThrow(StoreUnreachableError);
  await expect(readdir(disk)).rejects.toThrow("ENOENT");
  await store.close();
});
