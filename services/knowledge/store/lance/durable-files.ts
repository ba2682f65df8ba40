import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { filesBelow } from "../entries-below.ts";

/** Makes a folder and the missing ones above it, for good. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await flushPath(dirname(made));
}

/**
 * Makes what a table's folder holds survive a loss of power, which the engine leaves to its user: without it a commit
 * that was acknowledged may be gone or half there after one. Files that were flushed before are left out.
 */
export class DurableFiles {
  readonly #folder: string;
  #flushed = new Set<string>();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when everything is durable that was in the folder at the time of the call. Calls share their work. */
  flush(): Promise<void> {
    this.#next ??= this.#flushAfter(this.#running);
    return this.#next;
  }

  // A run that has begun may have listed the folder before this caller's files were in it.
  async #flushAfter(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    await this.#flushNew();
  }

  async #flushNew(): Promise<void> {
    const files = await filesBelow(this.#folder);
    const newestManifest = files.filter((path) => path.endsWith(".manifest")).sort()[0];
    const waiting = files.filter(
      // The names of data are never used twice. A manifest's name is, when a namespace is deleted and made anew; and
      // the hint is written over.
      (path) => !this.#flushed.has(path) || path === newestManifest || path.endsWith(".json"),
    );
    const folders = new Set(waiting.map((path) => dirname(path)));
    for (const folder of [...folders]) folders.add(dirname(folder));
    for (const path of [...waiting, ...folders, this.#folder, dirname(this.#folder)]) await flushPath(path);
    this.#flushed = new Set(files);
  }
}

/** Flushes one file or folder. */
export async function flushPath(path: string): Promise<void> {
  try {
    await using file = await open(path, "r");
    await file.sync();
  } catch (error) {
    // Cleaning up may delete an old file between listing and opening it.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
