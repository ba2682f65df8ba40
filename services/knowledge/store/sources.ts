import { isDeepStrictEqual } from "node:util";
import type { DocumentSource } from "./document.ts";
import { maxOtherSources, toSource } from "./document.ts";
import type { ChangedDocument, SourceStore } from "./knowledge-store.ts";

type Store = Pick<SourceStore, "changeSources">;

/**
 * Adds a source to stored content. Adding a source that the content already has changes nothing.
 *
 * @returns false if the namespace doesn't contain the content
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
 * Removes a source from a document. The document then shows another of its sources. With its last source, the document is deleted.
 *
 * @returns whether the document was deleted
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
 * Changes the title or fields that a document has from a source; without `source`, those of the shown source.
 *
 * @returns undefined if the document is unknown or doesn't have the source
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
