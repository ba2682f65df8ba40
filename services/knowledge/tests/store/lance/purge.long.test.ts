import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "@lancedb/lancedb";
import { expect, it } from "vitest";
import { listFiles } from "../../../store/files.ts";
import { buildDocument, findMatching } from "../documents.ts";
import { folder, onlyTable, open, useStores } from "./lance-stores.ts";

useStores();

/** Only the purge compacts and removes. */
const never = { quietMs: 600_000, maxDelayMs: 600_000, settleMs: 600_000 };
const soonMs = 200;

/** A word that no compression shortens, so that it can be found in the files that hold it. */
const makeWord = () => `q${randomBytes(12).toString("hex")}`;

async function isOnDisk(word: string): Promise<boolean> {
  const contents = await Promise.all((await listFiles(folder)).map((path) => readFile(path).catch(() => Buffer.of())));
  return contents.some((content) => content.includes(word) || content.includes(Buffer.from(word, "utf16le")));
}

/** Documents in one file of the table, so that deleting one of them deletes far less than a tenth of the file. */
async function fill(count: number): Promise<{ word: string; id: string }[]> {
  const store = open(never);
  const all = Array.from({ length: count }, () => {
    const word = makeWord();
    return { word, ...buildDocument(`Animal ${word} lives in the forest.`) };
  });
  await Promise.all(all.map((one) => store.add("zoo", one)));
  await (await onlyTable()).optimize({ cleanupOlderThan: new Date() });
  await store.close();
  return all;
}

it("a document that is deleted from a large file is off the disk soon, and the others are still found", async () => {
  const [deleted, ...others] = await fill(60);
  const store = open(never, soonMs);
  expect(await isOnDisk(deleted?.word ?? "")).toBe(true);
  await store.deleteDocument("zoo", deleted?.id ?? "");
  await expect.poll(() => isOnDisk(deleted?.word ?? "")).toBe(false);
  for (const { word } of others.slice(0, 5)) {
    expect(await findMatching(store, "zoo", word, { limit: 5 })).toHaveLength(1);
    expect(await isOnDisk(word)).toBe(true);
  }
  expect(await store.listDocuments("zoo", { limit: 100 })).toHaveLength(others.length);
});

it("what was deleted before a restart is purged after it, also in a namespace without requests", async () => {
  const [deleted] = await fill(30);
  const dying = open(never);
  await dying.deleteDocument("zoo", deleted?.id ?? "");
  await dying.close();
  expect(await isOnDisk(deleted?.word ?? "")).toBe(true);
  open(never, soonMs);
  await expect.poll(() => isOnDisk(deleted?.word ?? "")).toBe(false);
});

it("a document that was deleted while old versions were being removed is off the disk soon", async () => {
  const [deleted] = await fill(60);
  const dying = open(never);
  await dying.deleteDocument("zoo", deleted?.id ?? "");
  await dying.close();
  await (await onlyTable()).optimize({ cleanupOlderThan: new Date() });
  expect(await (await onlyTable()).listVersions()).toHaveLength(1);
  expect(await isOnDisk(deleted?.word ?? "")).toBe(true);
  open(never, soonMs);
  await expect.poll(() => isOnDisk(deleted?.word ?? "")).toBe(false);
});

it("a purge on request removes at once what was deleted", async () => {
  const [deleted, kept] = await fill(60);
  const store = open(never);
  await store.deleteDocument("zoo", deleted?.id ?? "");
  expect(await isOnDisk(deleted?.word ?? "")).toBe(true);
  await store.purge("zoo");
  expect(await isOnDisk(deleted?.word ?? "")).toBe(false);
  expect(await isOnDisk(kept?.word ?? "")).toBe(true);
});

it("a large document whose upload failed, or died with its process, is off the disk soon; one that goes on is not touched", async () => {
  const store = open(never, 2_000);
  const [failed, dead, slow] = [makeWord(), makeWord(), makeWord()];
  const upload = (word: string, beforePart: (part: number) => Promise<void>) =>
    store.add(
      "zoo",
      buildDocument("", { pieces: Array.from({ length: 6 }, (_, n) => `${word} ${n}`), partSize: 2, beforePart }),
    );

  const refuse = async (part: number) => {
    if (part !== 2) return;
    await expect.poll(() => isOnDisk(failed)).toBe(true);
    throw new Error("no more");
  };
  await expect(upload(failed, refuse)).rejects.toThrow("no more");

  const program = fork(new URL("dying-upload.ts", import.meta.url), [folder, dead]);
  await expect.poll(() => isOnDisk(dead)).toBe(true);
  program.kill("SIGKILL");
  const bothAreGone = async () => !(await isOnDisk(failed)) && !(await isOnDisk(dead));
  const waitUntilGone = async (part: number) => {
    if (part === 2) await expect.poll(bothAreGone).toBe(true);
  };
  expect(await upload(slow, waitUntilGone)).toBe(true);
  expect(await findMatching(store, "zoo", slow, { limit: 10 })).toHaveLength(6);
}, 60_000);

it("files of a write that was never committed are removed once they are old, never those in use", async () => {
  const [one] = await fill(10);
  const word = makeWord();
  // Two that compact at the same time: one loses, and leaves what it wrote.
  const store = open(never, 600);
  await store.add("zoo", buildDocument(`Animal ${word}`));
  const connection = await connect(folder);
  const [name = ""] = await connection.tableNames();
  const tables = await Promise.all([
    connection.openTable(name),
    connection.openTable(name),
    connection.openTable(name),
  ]);
  await Promise.allSettled(tables.map((table) => table.optimize()));
  const countData = async () => (await listFiles(folder)).filter((path) => path.includes("/data/")).length;
  await expect.poll(countData).toBe(1);
  expect(await findMatching(store, "zoo", word, { limit: 5 })).toHaveLength(1);
  expect(await findMatching(store, "zoo", one?.word ?? "", { limit: 5 })).toHaveLength(1);
});
