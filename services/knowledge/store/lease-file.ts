import { open, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { ignoreMissing } from "./files.ts";
import { hasEnded, processMark } from "./temporary-files.ts";

/**
 * A lease as a file, for the processes that share a folder. It contains the mark of its process, or nothing once it has been released.
 * Its modification time is that of the last renewal.
 */
export class LeaseFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns whether this process created the file, which only one process can do */
  async create(): Promise<boolean> {
    try {
      await writeFile(this.#path, processMark, { flag: "wx" });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      ignoreMissing(error);
      return false;
    }
  }

  async isHeld(leaseMs: number): Promise<boolean> {
    const mark = await readFile(this.#path, "utf8").catch(ignoreMissing);
    const found = await stat(this.#path).catch(ignoreMissing);
    if (!mark || found === undefined || hasEnded(mark)) return false;
    return Date.now() - found.mtimeMs <= leaseMs;
  }

  async renew(): Promise<void> {
    const now = new Date();
    await utimes(this.#path, now, now).catch(ignoreMissing);
  }

  /** Doesn't recreate the file if it was removed. */
  async release(): Promise<void> {
    const file = await open(this.#path, "r+").catch(ignoreMissing);
    await file?.truncate();
    await file?.close();
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/**
 * Takes a lease with numbered files. The file of a holder that died stays. Of the processes that try to take over, one creates the file
 * of the next number.
 *
 * @returns the number of the file that this process created, unless the latest one is held or another process was first
 */
export async function takeNextLease(
  latest: number,
  open: (number: number) => LeaseFile,
  leaseMs: number,
): Promise<number | undefined> {
  if (await open(latest).isHeld(leaseMs)) return undefined;
  return (await open(latest + 1).create()) ? latest + 1 : undefined;
}
