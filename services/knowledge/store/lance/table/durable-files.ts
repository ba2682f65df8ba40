import { dirname } from "node:path";
import PQueue from "p-queue";
import { flushPath, listFiles } from "../../files.ts";
import { Batcher } from "./batcher.ts";

/** Number of concurrent flushes per table. The disk writes them together. More would occupy all of Node.js's file threads. */
const flushConcurrency = 3;

/**
 * Makes the files of a table survive a loss of power. The engine never calls fsync, so without this an acknowledged commit may be lost
 * or incomplete afterwards. Files that were flushed before are skipped.
 */
export class DurableFiles {
  readonly #folder: string;
  #flushed = new Set<string>();
  readonly #flushBatcher = new Batcher<undefined, void>({
    queue: new PQueue({ concurrency: 1 }),
    work: async (calls) => {
      await this.#flushNew();
      return calls.map(() => undefined);
    },
  });

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Resolves once everything that was in the folder at the time of the call is durable. Calls that arrive during a flush share the next
   * one, because the running one may have listed the folder before their files were in it.
   */
  flush(): Promise<void> {
    return this.#flushBatcher.add(undefined);
  }

  async #flushNew(): Promise<void> {
    const files = await listFiles(this.#folder);
    const newestManifest = files.filter((path) => path.endsWith(".manifest")).sort()[0];
    // Names of data files are never reused. A manifest's name is reused when a namespace is deleted and recreated, and the version hint
    // (.json) is overwritten.
    const waiting = files.filter(
      (path) => !this.#flushed.has(path) || path === newestManifest || path.endsWith(".json"),
    );
    const folders = new Set(waiting.map((path) => dirname(path)));
    for (const folder of [...folders]) folders.add(dirname(folder));
    const paths = [...waiting, ...folders, this.#folder, dirname(this.#folder)].values();
    const flush = async () => {
      for (const path of paths) await flushPath(path);
    };
    await Promise.all(Array.from({ length: flushConcurrency }, flush));
    this.#flushed = new Set(files);
  }
}
