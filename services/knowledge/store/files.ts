import type { Dirent } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Within this time, the last measurement is returned again, because a large store has many files. */
const minMeasurementIntervalMs = 30_000;

/**
 * Lists everything in a folder, recursively. A folder that disappears in the meantime counts as empty, for example while a table is
 * compacted. `readdir` with `recursive` would fail.
 *
 * @throws if the folder itself can't be read
 */
export async function listEntries(folder: string): Promise<Dirent[]> {
  const found: Dirent[] = [];
  const waiting = [await readdir(folder, { withFileTypes: true })];
  for (let entries = waiting.pop(); entries; entries = waiting.pop()) {
    found.push(...entries);
    for (const inner of entries.filter((entry) => entry.isDirectory())) {
      const entriesOfInner = readdir(join(inner.parentPath, inner.name), { withFileTypes: true });
      waiting.push((await entriesOfInner.catch(ignoreMissing)) ?? []);
    }
  }
  return found;
}

/** The paths of all files in a folder, recursively. @throws like `listEntries` */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await listEntries(folder);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Creates a function that measures the size of a folder with everything in it, in bytes. */
export function createFolderMeter(folder: string): () => Promise<number> {
  const measure = async () => {
    let bytes = 0;
    for (const path of await listFiles(folder).catch(() => [])) {
      const found = await stat(path).catch(() => undefined);
      bytes += found?.size ?? 0;
    }
    return bytes;
  };
  let last: { at: number; bytes: Promise<number> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > minMeasurementIntervalMs)
      last = { at: performance.now(), bytes: measure() };
    return last.bytes;
  };
}

/** Distinguishes a folder from an earlier one of the same name. `undefined` if there is none. */
export async function getFolderIdentity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(ignoreMissing);
  return found && `${found.ino} ${found.birthtimeNs}`;
}

/**
 * Creates a folder and its missing parents durably, one after the other: Node's recursive `mkdir` reports a read-only disk as ENOENT,
 * and never ends below /proc.
 */
export async function makeDurableFolders(path: string): Promise<void> {
  const parent = dirname(path);
  if ((await stat(parent).catch(ignoreMissing)) === undefined) await makeDurableFolders(parent);
  await makeDurableFolder(path);
}

/** Creates a folder durably. @throws if its parent is missing */
export async function makeDurableFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
    await flushPath(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Flushes a file or folder to the disk. Ignores one that was deleted in the meantime. */
export async function flushPath(path: string): Promise<void> {
  try {
    await using file = await open(path, "r");
    await file.sync();
  } catch (error) {
    ignoreMissing(error);
  }
}

/** @throws any error other than that a file or folder doesn't exist */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
