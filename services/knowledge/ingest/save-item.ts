import { isDeepStrictEqual } from "node:util";
import type { IngestResponse, ItemProgress } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { Embedder } from "../search/hybrid-search.ts";
import type { DocumentChanges, DocumentPart, DocumentSource } from "../store/document.ts";
import { getGiven, toDocumentId, withChanges } from "../store/document.ts";
import { EmbeddingMismatchError } from "../store/errors.ts";
import type { DocumentStore, NamespaceStore, SourceStore } from "../store/knowledge-store.ts";
import { addSource, changeSource } from "../store/sources.ts";
import { embedPart } from "./embed.ts";
import { embedParts } from "./large/embed-parts.ts";
import { countChunks } from "./prepared-document.ts";
import type { ReadItem, UnchangedItem } from "./read-items.ts";
import { isKeptFor } from "./replace.ts";
import type { TargetNamespace } from "./target-namespace.ts";

/**
 * Maximum number of attempts for an item if, at the same time, other writers store and remove its content, or its namespace gets
 * another model.
 */
const maxAttempts = 5;

/** A document of several parts takes tens of megabytes while it is embedded and stored. */
const largeDocumentQueue = new FairQueue({
  concurrency: knowledgeLimits.largeDocuments,
  concurrencyPerClient: knowledgeLimits.largeDocumentsPerClient,
});

export interface SaveDependencies {
  store: DocumentStore & SourceStore & NamespaceStore;
  embedder: Embedder;
  now(): Date;
}

/** Stores one item durably. Content that is already stored also gets this source. */
export function saveItem(needs: SaveDependencies, about: ItemToSave): Promise<SavedItem | StoredBefore> {
  const save = () => saveUnlessStored(needs, about);
  const isLarge = "readPart" in about.item.document;
  return isLarge ? largeDocumentQueue.add(about.client, save, about.signal) : save();
}

async function saveUnlessStored(needs: SaveDependencies, about: ItemToSave): Promise<SavedItem | StoredBefore> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const before = await keepStored(needs.store, about);
    if (before) return before;
    try {
      const saved = await saveNew(needs, about);
      // Otherwise another writer stored the same content first, and may have removed it again.
      if (saved) return saved;
    } catch (error) {
      // The namespace was reindexed after its model had been looked up.
      if (!(error instanceof EmbeddingMismatchError) || attempt > 1) throw error;
    }
  }
  throw new Error("Other requests store and delete the same content at the same time.");
}

/** Adds the item's source to stored content, or updates it. Resolves with undefined if the content isn't stored. */
async function keepStored(store: SourceStore, { item, namespace }: ItemToSave): Promise<StoredBefore | undefined> {
  const { source, document, changes, url, validators } = item;
  const { hash } = document;
  const known = await store.getSources(namespace, hash);
  if (!known) return undefined;
  if (!isKeptFor(source, known)) {
    return (await addSource(store, namespace, hash, toDocumentSource(item))) ? { isUpdated: false } : undefined;
  }
  if (!known.sources.includes(source)) return { isUpdated: false };
  const fetched = validators && { url, validators };
  return changeStored(store, namespace, { source, hash, changes, ...(fetched && { fetched }) });
}

/** Changes a source of stored content. Resolves with undefined if another writer has just removed the content or the source. */
async function changeStored(
  store: SourceStore,
  namespace: string,
  { source, hash, changes, fetched }: Omit<UnchangedItem, "title"> & { fetched?: Partial<DocumentSource> },
): Promise<StoredBefore | undefined> {
  if (Object.keys({ ...changes, ...fetched }).length === 0) return { isUpdated: false };
  let isUpdated = false;
  const change = (current: DocumentSource) => {
    const changed = withChanges(current, changes);
    isUpdated = !isDeepStrictEqual(changed, current);
    return { ...changed, ...fetched };
  };
  return (await changeSource(store, namespace, toDocumentId(hash), change, source)) && { isUpdated };
}

/** Stores the fields sent with an unchanged page. @throws if its content has just been removed */
export async function keepUnchanged(store: SourceStore, namespace: string, item: UnchangedItem): Promise<StoredBefore> {
  const known = await store.getSources(namespace, item.hash);
  const kept = known?.sources.includes(item.source) ? await changeStored(store, namespace, item) : undefined;
  if (!kept) throw new Error("The page's content was removed while the page was checked.");
  return kept;
}

/**
 * Copies the fields that a client gave to a source's old content to its new content. Fields sent with the new content take precedence.
 *
 * @returns these fields of the new content
 */
export async function inheritGiven(
  store: SourceStore,
  namespace: string,
  { item, hash, from }: { item: ReadItem | UnchangedItem; hash: string; from: DocumentSource },
): Promise<DocumentChanges> {
  const inherited = getGiven(from);
  let given = {};
  if (Object.keys(inherited).every((name) => name in item.changes)) return given;
  const change = (current: DocumentSource) => {
    given = { ...inherited, ...getGiven(current), ...item.changes };
    return withChanges(current, given);
  };
  await changeSource(store, namespace, toDocumentId(hash), change, item.source);
  return given;
}

function toDocumentSource(item: ReadItem): DocumentSource {
  const { source, title, url, filename, validators, metadata, document, changes } = item;
  const given = changes.title === undefined ? undefined : { isTitleGiven: true as const };
  return { source, title, ...given, contentType: document.contentType, url, filename, validators, metadata };
}

type SavedItem = IngestResponse["saved"][number];

interface StoredBefore {
  /** Whether the stored title or metadata changed. */
  isUpdated: boolean;
}

interface ItemToSave {
  item: ReadItem;
  namespace: string;
  target: TargetNamespace;
  client: string;
  signal: AbortSignal;
  onProgress(progress: ItemProgress): void;
}

async function saveNew(
  { store, embedder, now }: SaveDependencies,
  { item, namespace, target, client, signal, onProgress }: ItemToSave,
): Promise<SavedItem | undefined> {
  const { document, source, title } = item;
  const { hash } = document;
  // A namespace that isn't reindexed yet keeps the model of its vectors.
  const { model } = (await store.getEmbedding(namespace)) ?? embedder;
  const id = toDocumentId(hash);
  const chunkCount = countChunks(document);
  const onEmbedding = (done: number) => onProgress({ stage: "embedding", progress: { done, total: chunkCount } });
  const onStoring = () => onProgress({ stage: "storing" });
  const embedding = { embedder, model, title, client };
  let parts: () => Iterable<DocumentPart> | AsyncIterable<DocumentPart>;
  if ("readPart" in document) {
    parts = () => embedParts(embedding, document, signal, { onEmbedding, onStoring });
  } else {
    const readPart = () => {
      onEmbedding(0);
      return document;
    };
    const part = await embedPart(embedding, readPart, signal);
    onStoring();
    parts = () => [part];
  }
  const header = { ...toDocumentSource(item), id, hash, ingestedAt: now().toISOString(), embeddingModel: model };
  const isNew = await target.add({ ...header, chunkCount, parts });
  const warning = document.warning === undefined ? undefined : { warning: document.warning };
  return isNew ? { title, hash, source, namespace, document_id: id, chunks: chunkCount, ...warning } : undefined;
}
