import { constants } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { KeyEntry } from "@agent-backends/kit/auth";
import { parseKeyFile } from "@agent-backends/kit/auth";
import { UsageError } from "./commands.ts";

const ownerOnly = 0o600;
const waitAtMostMs = 5_000;
const waitMs = 50;

/** The keys of a file; none when there is no such file. @throws KeyFileError */
export async function readKeys(path: string): Promise<KeyEntry[]> {
  try {
    return parseKeyFile(await readFile(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Changes a file of keys. A reader sees it as it was or as it will be, nothing in between, and of two changes at the same
 * time none is lost: the new file, which only one of them can make, is their lock.
 */
export async function changeKeys(path: string, change: (keys: KeyEntry[]) => KeyEntry[]): Promise<void> {
  const next = `${path}.next`;
  await mkdir(dirname(path), { recursive: true });
  const file = await openAlone(next);
  try {
    const keys = change(await readKeys(path));
    const text = `${JSON.stringify({ keys }, undefined, 2)}\n`;
    // What services would not read must not take the place of what they do.
    parseKeyFile(text);
    await file.writeFile(text);
    await file.sync();
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function openAlone(path: string) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  for (let waitedMs = 0; ; waitedMs += waitMs) {
    try {
      return await open(path, flags, ownerOnly);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (waitedMs >= waitAtMostMs) {
        throw new UsageError(`Another change of the keys is under way. If it is not, delete ${path} and try again.`);
      }
      await delay(waitMs);
    }
  }
}
