import type { NamespaceSummary } from "../knowledge-store.ts";
import { FolderStamps, getVersionsFolder } from "./table/folder-stamps.ts";
import { getTableFolder } from "./table/schema.ts";

const maxSummaries = 20_000;

/** Summaries of namespaces, recomputed only after a change by this or another process. On an object store, they are always recomputed. */
export class NamespaceSummaries {
  readonly #folder: string | undefined;
  readonly #stamps = new FolderStamps();
  /** In order of computation. The oldest ones are evicted first. */
  readonly #cache = new Map<string, { stamp: string; summary: NamespaceSummary }>();

  /** @param folder the folder of the tables; absent on an object store */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  async get(
    namespace: string,
    count: () => Promise<NamespaceSummary | undefined>,
  ): Promise<NamespaceSummary | undefined> {
    // Read the stamp first: a version that is committed in the meantime then has another stamp.
    const stamp = this.#folder && (await this.#stamps.read(getVersionsFolder(getTableFolder(this.#folder, namespace))));
    const known = this.#cache.get(namespace);
    if (known && known.stamp === stamp) return known.summary;
    this.#cache.delete(namespace);
    const summary = await count();
    if (summary && stamp) this.#cache.set(namespace, { stamp, summary });
    const [first] = this.#cache.keys();
    if (first !== undefined && this.#cache.size > maxSummaries) this.#cache.delete(first);
    return summary;
  }
}
