import { randomUUID } from "node:crypto";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { flushPath, ignoreMissing, listEntries } from "../../files.ts";
import { draftPrefix } from "./schema.ts";

/** Prefix of the folders of deleted tables. */
const deletedPrefix = `${draftPrefix}removed-`;

/** Gives a new table its folder. @returns false when another one has it */
export async function publishTable(draftFolder: string, folder: string): Promise<boolean> {
  if (await moveFolder(draftFolder, folder)) return true;
  // Another process may be removing the same remnant.
  await removeRemnant(folder).catch(() => undefined);
  return moveFolder(draftFolder, folder);
}

async function moveFolder(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  }
}

/**
 * Empties the folder of a table without any version: its writer died before it could commit. Another process may publish its table
 * there meanwhile. Therefore versions are looked for last, and only the files listed before are removed, one by one: no two tables
 * share a file name.
 */
async function removeRemnant(folder: string): Promise<void> {
  const entries = await listEntries(folder);
  const names = [...entries, ...(await listEntries(folder))].map(({ name }) => name);
  if (names.some((name) => name.endsWith(".manifest"))) return;
  const toPath = (entry: (typeof entries)[number]) => join(entry.parentPath, entry.name);
  for (const file of entries.filter((entry) => !entry.isDirectory())) await rm(toPath(file), { force: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(toPath);
  // Deepest first. A folder that is in use again stays.
  for (const inner of folders.sort().reverse()) await rmdir(inner).catch(() => undefined);
}

/**
 * Whether a table has rows but no data files. Another process leaves that when it commits a change of a table that was deleted
 * meanwhile, such as an index that it was building.
 */
export async function isRemnant(table: Table, folder: string): Promise<boolean> {
  // Files of rows that are counted now exist already, unless a later commit removes them.
  const version = await table.version();
  if ((await table.countRows()) === 0) return false;
  const files = (await readdir(join(folder, "data")).catch(ignoreMissing)) ?? [];
  return files.length === 0 && (await table.version()) === version;
}

/**
 * Deletes a table's folder in one step, and then its files: whoever opens the table meanwhile, or after this process was killed,
 * finds all of it or nothing.
 *
 * @returns whether it was there
 */
export async function deleteTableFolder(folder: string): Promise<boolean> {
  const deleted = join(dirname(folder), `${deletedPrefix}${randomUUID()}.lance`);
  try {
    await rename(folder, deleted);
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
  await flushPath(dirname(folder));
  await removeFolder(deleted);
  return true;
}

/** Removes what processes left that died while they deleted a table. */
export async function removeDeletedTables(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    // Nobody sees it any more; what can't be removed now may be removed next time.
    if (name.startsWith(deletedPrefix)) await removeFolder(join(store, name)).catch(() => undefined);
  }
}

const removeFolder = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
