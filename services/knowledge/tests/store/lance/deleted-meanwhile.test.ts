import { cpSync, renameSync, rmSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { buildDocument } from "../documents.ts";
import { folder, onlyTable, open, useStores } from "./lance-stores.ts";

useStores();
const { id } = buildDocument("zebra");

test("a document of a namespace that is deleted and stored again during each attempt counts as deleted", async () => {
  const store = open();
  await store.add("zoo", buildDocument("zebra"));
  const [name = ""] = await readdir(folder);
  const table = join(folder, name);
  let attempts = 0;
  const query = vi.spyOn(Object.getPrototypeOf(await onlyTable()), "query").mockImplementation(() => {
    attempts += 1;
    cpSync(table, join(folder, "copy"), { recursive: true });
    rmSync(table, { recursive: true });
    renameSync(join(folder, "copy"), table);
    throw new Error("Object at location data/1.lance not found");
  });
  try {
    expect(await store.deleteDocument("zoo", id)).toBe(false);
  } finally {
    query.mockRestore();
  }
  expect(attempts).toBeGreaterThan(1);
  expect(await store.deleteDocument("zoo", id)).toBe(true);
});

test("a document of a damaged namespace does not count as deleted", async () => {
  const store = open();
  await store.add("zoo", buildDocument("zebra"));
  const [name = ""] = await readdir(folder);
  const data = join(folder, name, "data");
  for (const file of await readdir(data)) await rm(join(data, file));
  await writeFile(join(data, "another"), "");
  await expect(open().deleteDocument("zoo", id)).rejects.toThrow(/not found/i);
});
