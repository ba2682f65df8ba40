import { FairQueue } from "@agent-backends/kit";
import type { StoredDocument } from "../store/document.ts";
import type { KnownSources, SourceStore } from "../store/knowledge-store.ts";
import { listSpellings } from "../store/source-spellings.ts";
import { removeSource } from "../store/sources.ts";

/** Maximum number of attempts to replace a source that other writers replace with different content at the same time. */
const maxAttempts = 5;

/** In this process, replacements of the same source run one after the other. */
const replacementQueue = new FairQueue({ concurrency: Number.POSITIVE_INFINITY, concurrencyPerClient: 1 });

/** Whether a source is only a position in its request. `text:0` of two requests are unrelated and never replace each other. */
export const isPositional = (source: string): boolean => /^(?:text|markdown):\d+$/.test(source);

/** Whether stored content already belongs to this source. Content that was once sent as a text always stays. */
export const isKeptFor = (source: string, { sources, hasMore }: KnownSources): boolean =>
  hasMore || sources.includes(source) || sources.some(isPositional);

/**
 * Saves a document, then removes the source from documents with other contents, and deletes those without another source. The new
 * document is durable before an old one is deleted. A crash in between leaves both, which the next replacement repairs. Writers in
 * other processes may replace the same source at the same time, so a writer that finds its own document gone saves it again.
 *
 * @param hashes hashes of all contents that the source has from now on, including the saved one
 * @param save stores the document; resolves with undefined if its content is already stored
 * @param inherit called with the newest document of other content, before the source is removed from it
 * @returns the result of `save`, and the number of deleted documents, which can be above 0 even if nothing was saved
 */
export async function replaceSource<Saved extends object>(
  store: SourceStore,
  { namespace, source, hash, hashes }: { namespace: string; source: string; hash: string; hashes: ReadonlySet<string> },
  save: () => Promise<Saved | undefined>,
  inherit: (from: StoredDocument) => Promise<void>,
): Promise<{ saved: Saved | undefined; replaced: number }> {
  return replacementQueue.add(JSON.stringify([namespace, source]), async () => {
    let saved = await save();
    let replaced = 0;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const others = (await store.findBySource(namespace, source)).filter((document) => !hashes.has(document.hash));
      const last = others.findLast((document) => document.source === source);
      if (last) await inherit(last);
      for (const { id } of others) {
        for (const name of listSpellings(source)) replaced += Number(await removeSource(store, namespace, id, name));
      }
      const known = await store.getSources(namespace, hash);
      if (known && isKeptFor(source, known)) return { saved, replaced };
      saved = (await save()) ?? saved;
    }
    throw new Error(`Other requests replace the documents of the source ${source} at the same time.`);
  });
}
