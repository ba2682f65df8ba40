import { randomUUID } from "node:crypto";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { flushPath, ignoreMissing, listEntries } from "../../files.ts";
import { draftPrefix } from "./schema.ts";

/** Prefix of the folders of deleted tables. */
const deletedPrefix = `${draftPrefix}removed-`;

/** Moves a new table to its final folder. @returns false if another table is already there */
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
 * Empties the folder of a table without any version, whose writer died before it could commit. Another process may publish its table
 * there in the meantime. Therefore versions are checked last, and only the files listed before are removed, one by one. No two tables
 * share a file name.
 */
async function removeRemnant(folder: string): Promise<void> {
  const entries = await listEntries(folder);
  const names = [...entries, ...(await listEntries(folder))].map(({ name }) => name);
  if (names.some((name) => name.endsWith(".manifest"))) return;
  const toPath = (entry: (typeof entries)[number]) => join(entry.parentPath, entry.name);
  for (const file of entries.filter((entry) => !entry.isDirectory())) await rm(toPath(file), { force: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(toPath);
  // Remove the deepest folders first. A folder that is in use again stays.
  for (const inner of folders.sort().reverse()) await rmdir(inner).catch(() => undefined);
}

/**
 * Whether a table has rows but no data files. Another process leaves such a table if it commits a change, such as an index it was
 * building, to a table that was deleted in the meantime.
 */
export async function isRemnant(table: Table, folder: string): Promise<boolean> {
  // The files of rows that are counted now already exist, unless a later commit removes them.
  const version = await table.version();
  if ((await table.countRows()) === 0) return false;
  const files = (await readdir(join(folder, "data")).catch(ignoreMissing)) ?? [];
  return files.length === 0 && (await table.version()) === version;
}

/**
 * Deletes a table's folder in one step, and then its files. Anyone who opens the table in the meantime, or after this process was
 * killed, finds all of it or nothing.
 *
 * @returns whether the table existed
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

/** Removes what processes left behind that died while they deleted a table. */
export async function removeDeletedTables(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    // Ignore errors: nobody sees the folder any more, and the next call may be able to remove it.
    if (name.startsWith(deletedPrefix)) await removeFolder(join(store, name)).catch(() => undefined);
  }
}

const removeFolder = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
