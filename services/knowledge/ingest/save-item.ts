import type { IngestResponse } from "@agent-backends/contract";
import type { Embedder } from "../search/hybrid-search.ts";
import type { DocumentSource } from "../store/document.ts";
import { EmbeddingMismatchError } from "../store/errors.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { chunksOfPart, embeddedPart, embeddedParts } from "./embedded-parts.ts";
import { chunkCount } from "./prepared-chunks.ts";
import { isKeptFor } from "./replace.ts";
import type { LoadedItem } from "./sources.ts";

/** Of an item whose content others store and remove, or whose namespace gets another model, at the same time. */
const attemptsAtMost = 5;

export interface SaveDependencies {
  store: KnowledgeStore;
  embedder: Embedder;
  now(): Date;
}

/** Stores one item for good; `undefined` when its content is there already, which is then kept for this source as well. */
export async function saveItem(needs: SaveDependencies, about: ItemToSave): Promise<SavedItem | undefined> {
  for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
    if (await isThereFor(needs.store, about)) return undefined;
    try {
      const saved = await saveNew(needs, about);
      // Somebody else may have brought its content first, and may have taken it away again.
      if (saved) return saved;
    } catch (error) {
      // The namespace was reindexed after its model had been looked up.
      if (!(error instanceof EmbeddingMismatchError) || attempt > 1) throw error;
    }
  }
  throw new Error("The content is stored and removed by others at the same time.");
}

async function isThereFor(store: KnowledgeStore, { item, namespace }: ItemToSave): Promise<boolean> {
  const { hash } = item.document;
  const known = await store.sourcesOf(namespace, hash);
  if (!known || isKeptFor(item.source, known)) return known !== undefined;
  return store.addSource(namespace, hash, sourceOf(item));
}

function sourceOf({ source, title, url, filename, metadata, document }: ItemToSave["item"]): DocumentSource {
  return {
    source,
    title,
    contentType: document.contentType,
    ...(url !== undefined && { url }),
    ...(filename !== undefined && { filename }),
    ...(metadata !== undefined && { metadata }),
  };
}

type SavedItem = IngestResponse["saved"][number];

interface ItemToSave {
  item: Exclude<LoadedItem, { error: string }>;
  namespace: string;
  client: string;
  signal: AbortSignal;
  onStage(stage: "chunking" | "embedding" | "storing"): void;
}

async function saveNew(
  { store, embedder, now }: SaveDependencies,
  { item, namespace, client, signal, onStage }: ItemToSave,
): Promise<SavedItem | undefined> {
  const { document, source, title } = item;
  const { hash } = document;
  onStage("chunking");
  // A namespace that is not reindexed yet keeps to the model that it has.
  const { model } = (await store.embeddingOf(namespace)) ?? embedder;
  const id = hash.slice(0, 32);
  const count = chunkCount(document);
  const newDocument = {
    ...sourceOf(item),
    id,
    hash,
    ingestedAt: now().toISOString(),
    embeddingModel: model,
  };
  const embedding = { embedder, document, title, model, client, signal, onStage };
  let isNew: boolean;
  if (count > chunksOfPart) {
    const parts = () => embeddedParts(embedding);
    isNew = await store.add(namespace, { ...newDocument, chunkCount: count, parts });
  } else {
    onStage("embedding");
    const { part, release } = await embeddedPart(embedding, 0, count);
    onStage("storing");
    isNew = await store.add(namespace, { ...newDocument, chunkCount: count, parts: () => [part] });
    release();
  }
  return isNew ? { title, hash, source, namespace, document_id: id, chunks: count } : undefined;
}
