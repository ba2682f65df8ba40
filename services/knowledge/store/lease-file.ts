import { open, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { ignoreMissing } from "./files.ts";
import { hasEnded, processMark } from "./temporary-files.ts";

/**
 * A lease as a file, for the processes that share a folder. It holds the mark of its process, or nothing once it was released. Its time
 * of modification is that of its last renewal.
 */
export class LeaseFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns whether this process has created the file, which only one can */
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

  /** Not created again if it was removed. */
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
 * Takes a lease with numbered files. The file of a holder that died stays. Of those that take over from it, one creates the file of
 * the next number.
 *
 * @returns the number of the file that this process has created, if the latest one isn't held and no other process was first
 */
export async function takeNextLease(
  latest: number,
  open: (number: number) => LeaseFile,
  leaseMs: number,
): Promise<number | undefined> {
  if (await open(latest).isHeld(leaseMs)) return undefined;
  return (await open(latest + 1).create()) ? latest + 1 : undefined;
}
