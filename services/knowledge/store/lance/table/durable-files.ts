import { dirname } from "node:path";
import { flushPath, listFiles } from "../../files.ts";

/**
 * Makes the files of a table survive a loss of power. The engine never calls fsync: without this, a commit that was acknowledged
 * may be gone or half there afterwards. Files that were flushed before are left out.
 */
export class DurableFiles {
  readonly #folder: string;
  #flushed = new Set<string>();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when everything is durable that was in the folder at the time of the call. Concurrent calls share one run. */
  flush(): Promise<void> {
    this.#next ??= this.#flushAfter(this.#running);
    return this.#next;
  }

  // A run that has started may have listed the folder before this caller's files were in it.
  async #flushAfter(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => undefined);
    this.#running = this.#next;
    this.#next = undefined;
    await this.#flushNew();
  }

  async #flushNew(): Promise<void> {
    const files = await listFiles(this.#folder);
    const newestManifest = files.filter((path) => path.endsWith(".manifest")).sort()[0];
    // Names of data files are never used twice. A manifest's name is, when a namespace is deleted and made anew, and the version
    // hint (.json) is overwritten.
    const waiting = files.filter(
      (path) => !this.#flushed.has(path) || path === newestManifest || path.endsWith(".json"),
    );
    const folders = new Set(waiting.map((path) => dirname(path)));
    for (const folder of [...folders]) folders.add(dirname(folder));
    for (const path of [...waiting, ...folders, this.#folder, dirname(this.#folder)]) await flushPath(path);
    this.#flushed = new Set(files);
  }
}
