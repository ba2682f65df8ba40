import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CommandError } from "../command.ts";
import type { Entry, SyncPair } from "./manifest.ts";
import type { Plan } from "./plan.ts";

type StoredManifest = SyncPair & { entries: Record<string, Entry> };

/**
 * Refuses the first sync of a folder whose files an earlier sync has stored from another folder that is gone, or from this folder under
 * another name. Under new sources the service would skip the files, and nothing would ever delete the old sources.
 *
 * @param path path of this sync's manifest, in the folder of the other manifests
 * @throws CommandError with the options that continue the earlier sync
 */
export async function refuseMovedFolder(plan: Plan, path: string, pair: SyncPair): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((other) => other.endsWith(".json"))) {
    const state = join(folder, name);
    const other = await read(state);
    if (state === path || other?.namespace !== pair.namespace || other.baseUrl !== pair.baseUrl) continue;
    if (existsSync(other.from) && other.from !== pair.from) continue;
    const hashes = new Set(Object.values(other.entries).map(({ hash }) => hash));
    const count = plan.added.filter(({ entry }) => hashes.has(entry.hash)).length;
    if (count === 0 || count < plan.added.length / 2) continue;
    throw new CommandError(
      `${count} of these files are in ${pair.namespace} already, as file:${other.prefix}/…, from ${other.from}. If you moved the folder, continue that sync with --as '${other.prefix}' --state '${state}' from now on; to store the files under a second name, add --as '${pair.prefix}'.`,
    );
  }
}

/** Undefined if the file isn't the manifest of a folder. */
async function read(path: string): Promise<StoredManifest | undefined> {
  try {
    const found = JSON.parse(await readFile(path, "utf8")) as Partial<StoredManifest>;
    const isOfFolder = found.entries !== undefined && found.from?.startsWith("http") === false;
    return isOfFolder ? (found as StoredManifest) : undefined;
  } catch {
    return undefined;
  }
}
