import type { Dirent } from "node:fs";
import { mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A large store has many files: within this time the last measurement is returned again. */
const minMeasurementIntervalMs = 30_000;

/**
 * Everything in a folder and below it. A folder that disappears meanwhile counts as empty, as in a table that is being tidied up;
 * `readdir` with `recursive` would fail.
 *
 * @throws when the folder itself can't be read
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

/** The paths of all files in a folder and below it. @throws as `listEntries` */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await listEntries(folder);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Makes a function that measures a folder with everything in it, in bytes. */
export function folderMeter(folder: string): () => Promise<number> {
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

/** Distinguishes a folder from an earlier one of the same name; `undefined` when there is none. */
export async function getFolderIdentity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(ignoreMissing);
  return found && `${found.ino} ${found.birthtimeNs}`;
}

/** Creates a folder and its missing parents durably. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await flushPath(dirname(made));
}

/** Flushes a file or folder to the disk. One that was deleted meanwhile needs no flush. */
export async function flushPath(path: string): Promise<void> {
  try {
    await using file = await open(path, "r");
    await file.sync();
  } catch (error) {
    ignoreMissing(error);
  }
}

/** @throws any other error than that a file or folder does not exist */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
