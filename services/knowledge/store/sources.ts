import { isDeepStrictEqual } from "node:util";
import type { DocumentSource } from "./document.ts";
import { maxOtherSources, toSource } from "./document.ts";
import type { ChangedDocument, SourceStore } from "./knowledge-store.ts";

type Store = Pick<SourceStore, "changeSources">;

/**
 * Keeps content for one more source. Adding a source that the content already has changes nothing.
 *
 * @returns false when the namespace doesn't hold the content
 */
export async function addSource(
  store: Store,
  namespace: string,
  hash: string,
  added: DocumentSource,
): Promise<boolean> {
  const result = await store.changeSources(namespace, { hash }, (sources) => {
    const { shown, others, hasMore } = sources;
    if (hasMore || [shown, ...others].some(({ source }) => source === added.source)) return undefined;
    const isFull = others.length >= maxOtherSources;
    return isFull ? { ...sources, hasMore: true } : { ...sources, others: [...others, toSource(added)] };
  });
  return typeof result === "object";
}

/**
 * Removes a source from a document. The document then shows another one of its sources, and is deleted with the last.
 *
 * @returns whether it was deleted
 */
export async function removeSource(store: Store, namespace: string, id: string, removed: string): Promise<boolean> {
  const result = await store.changeSources(namespace, { id }, (sources) => {
    const { shown, others, hasMore } = sources;
    if (shown.source !== removed) {
      const left = others.filter(({ source }) => source !== removed);
      return left.length === others.length ? undefined : { ...sources, others: left };
    }
    const [next, ...left] = others;
    if (next) return { ...sources, shown: next, others: left };
    return hasMore ? undefined : "none";
  });
  return result === "deleted";
}

/**
 * Changes what a document has from a source, its title or fields; without `source` from the one it shows.
 *
 * @returns undefined when there is no such document, or it does not have the source
 */
export async function changeSource(
  store: Store,
  namespace: string,
  id: string,
  change: (current: DocumentSource) => DocumentSource,
  source?: string,
): Promise<ChangedDocument | undefined> {
  let isKnown = false;
  const result = await store.changeSources(namespace, { id }, (sources) => {
    const wanted = source ?? sources.shown.source;
    const apply = (one: DocumentSource) => (one.source === wanted ? toSource(change(one)) : one);
    isKnown = [sources.shown, ...sources.others].some((one) => one.source === wanted);
    const changed = { ...sources, shown: apply(sources.shown), others: sources.others.map(apply) };
    return isDeepStrictEqual(changed, sources) ? undefined : changed;
  });
  return isKnown && typeof result === "object" ? result : undefined;
}
