import type { NamespaceSummary } from "../knowledge-store.ts";
import { FolderStamps, getVersionsFolder } from "./search/folder-stamps.ts";

const maxSummaries = 20_000;

/** What namespaces hold, counted again only after a change by this or another process. Always counted again on an object store. */
export class NamespaceSummaries {
  readonly #folder: string | undefined;
  readonly #stamps = new FolderStamps();
  /** Those counted first are forgotten first. */
  readonly #known = new Map<string, { stamp: string; summary: NamespaceSummary }>();

  /** @param folder the folder of the tables; absent on an object store */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  async get(
    namespace: string,
    count: () => Promise<NamespaceSummary | undefined>,
  ): Promise<NamespaceSummary | undefined> {
    // Read first: a version that is committed meanwhile then has another stamp.
    const stamp = this.#folder && (await this.#stamps.read(getVersionsFolder(this.#folder, namespace)));
    const known = this.#known.get(namespace);
    if (known && known.stamp === stamp) return known.summary;
    this.#known.delete(namespace);
    const summary = await count();
    if (summary && stamp) this.#known.set(namespace, { stamp, summary });
    const [first] = this.#known.keys();
    if (first !== undefined && this.#known.size > maxSummaries) this.#known.delete(first);
    return summary;
  }
}
