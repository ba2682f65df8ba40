import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ignoreMissing, listFiles } from "../../files.ts";

/**
 * Removes data and index files that no version of a table refers to. Writes that failed, lost against another writer or died with their
 * process leave them behind, with the text of their rows. The engine itself keeps such files for seven days, because they may belong to
 * an uncommitted write, but a commit of this service takes seconds.
 *
 * A manifest names its data files and contains the 16 bytes of each index's id (Lance's `table.proto`: `DataFile.path`, `UUID.uuid`).
 *
 * @param folder the table's folder
 * @returns whether there are files that are too young to be removed
 */
export async function removeUnreferencedFiles(folder: string | undefined, minAgeMs: number): Promise<boolean> {
  if (folder === undefined) return false;
  // List the files before reading the manifests: a file that is committed in between is then referenced.
  const files = await listFiles(folder);
  const manifests = await Promise.all(
    files.filter((path) => path.endsWith(".manifest")).map((path) => readFile(path).catch(ignoreMissing)),
  );
  const isReferenced = (id: Buffer | string) => manifests.some((manifest) => manifest?.includes(id));
  const dataFolder = join(folder, "data");
  const indexFolder = join(folder, "_indices");
  const data = files.filter((path) => path.startsWith(dataFolder) && !isReferenced(basename(path)));
  const indices = files.map(dirname).filter((path) => dirname(path) === indexFolder && !isReferenced(parseUuid(path)));
  // Without a manifest, the table is being created or deleted.
  if (!manifests.some((manifest) => manifest !== undefined)) return true;
  let hasYoung = false;
  for (const path of [...data, ...new Set(indices)]) {
    if (Date.now() - (await readChangeTime(path)) < minAgeMs) hasYoung = true;
    else await rm(path, { recursive: true, force: true });
  }
  return hasYoung;
}

/** The time of the last change of a file, or of the newest file in a folder. 0 if it is gone. */
async function readChangeTime(path: string): Promise<number> {
  const names = await readdir(path).catch(() => []);
  const found = await Promise.all(
    [path, ...names.map((name) => join(path, name))].map((one) => stat(one).catch(ignoreMissing)),
  );
  return Math.max(...found.map((one) => one?.mtimeMs ?? 0));
}

const parseUuid = (path: string): Buffer => Buffer.from(basename(path).replaceAll("-", ""), "hex");
