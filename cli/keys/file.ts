import { constants } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { KeyEntry } from "@agent-backends/kit/auth";
import { parseKeyFile } from "@agent-backends/kit/auth";
import { CommandError } from "../command.ts";

const ownerOnly = 0o600;
const maxLockWaitMs = 5_000;
const lockPollMs = 50;

/** The keys of a file, or none if the file doesn't exist. @throws KeyFileError */
export async function readKeys(path: string): Promise<KeyEntry[]> {
  try {
    return parseKeyFile(await readFile(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Changes a key file atomically: readers see the old or the new file. The new file is created exclusively and so serves as a lock
 * between concurrent changes.
 */
export async function changeKeys(path: string, change: (keys: KeyEntry[]) => KeyEntry[]): Promise<void> {
  const next = `${path}.next`;
  await mkdir(dirname(path), { recursive: true });
  const file = await openExclusively(next);
  try {
    const keys = change(await readKeys(path));
    const text = `${JSON.stringify({ keys }, undefined, 2)}\n`;
    // A file that services can't read must not replace one that they can.
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

async function openExclusively(path: string) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  for (let waitedMs = 0; ; waitedMs += lockPollMs) {
    try {
      return await open(path, flags, ownerOnly);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (waitedMs >= maxLockWaitMs) {
        throw new CommandError(`Another change of the keys is under way. If it is not, delete ${path} and try again.`);
      }
      await delay(lockPollMs);
    }
  }
}
