import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Everything in a folder and in those below it. A folder that goes away meanwhile, as in a table that is being tidied up, counts
 * as empty; `readdir` with `recursive` would fail.
 *
 * @throws when the folder itself can't be read
 */
export async function entriesBelow(folder: string): Promise<Dirent[]> {
  const found: Dirent[] = [];
  const waiting = [await readdir(folder, { withFileTypes: true })];
  for (let entries = waiting.pop(); entries; entries = waiting.pop()) {
    found.push(...entries);
    for (const inner of entries.filter((entry) => entry.isDirectory())) {
      waiting.push(await readdir(join(inner.parentPath, inner.name), { withFileTypes: true }).catch(emptyWhenGone));
    }
  }
  return found;
}

/** The paths of all files in a folder and in those below it. @throws as `entriesBelow` */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await entriesBelow(folder);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function emptyWhenGone(error: unknown): Dirent[] {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  return [];
}
