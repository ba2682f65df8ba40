import type { IngestResponse } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { Embedder } from "../search/hybrid-search.ts";
import type { DocumentPart, DocumentSource } from "../store/document.ts";
import { EmbeddingMismatchError } from "../store/errors.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { embedPart } from "./embed.ts";
import { embedParts } from "./large/embed-parts.ts";
import { countChunks } from "./prepared-document.ts";
import type { ReadItem } from "./read-items.ts";
import { isKeptFor } from "./replace.ts";

/** Attempts for an item whose content others store and remove, or whose namespace gets another model, at the same time. */
const maxAttempts = 5;

/** A document of several parts takes tens of megabytes while it is embedded and stored. */
const largeDocuments = new FairQueue({
  concurrency: knowledgeLimits.largeDocuments,
  concurrencyPerClient: knowledgeLimits.largeDocumentsPerClient,
});

export interface SaveDependencies {
  store: KnowledgeStore;
  embedder: Embedder;
  now(): Date;
}

/** Stores one item durably. Undefined when its content is stored already, which then belongs to this source as well. */
export function saveItem(needs: SaveDependencies, about: ItemToSave): Promise<SavedItem | undefined> {
  const save = () => saveUnlessStored(needs, about);
  const isLarge = "readPart" in about.item.document;
  return isLarge ? largeDocuments.add(about.client, save, about.signal) : save();
}

async function saveUnlessStored(needs: SaveDependencies, about: ItemToSave): Promise<SavedItem | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (await isStoredFor(needs.store, about)) return undefined;
    try {
      const saved = await saveNew(needs, about);
      // Another writer may have stored the same content first, and may have removed it again.
      if (saved) return saved;
    } catch (error) {
      // The namespace was reindexed after its model had been looked up.
      if (!(error instanceof EmbeddingMismatchError) || attempt > 1) throw error;
    }
  }
  throw new Error("The content is stored and removed by others at the same time.");
}

async function isStoredFor(store: KnowledgeStore, { item, namespace }: ItemToSave): Promise<boolean> {
  const { hash } = item.document;
  const known = await store.getSources(namespace, hash);
  if (!known || isKeptFor(item.source, known)) return known !== undefined;
  return store.addSource(namespace, hash, toDocumentSource(item));
}

function toDocumentSource({ source, title, url, filename, metadata, document }: ReadItem): DocumentSource {
  return { source, title, contentType: document.contentType, url, filename, metadata };
}

type SavedItem = IngestResponse["saved"][number];

interface ItemToSave {
  item: ReadItem;
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
  // A namespace that is not reindexed yet keeps the model of its vectors.
  const { model } = (await store.getEmbedding(namespace)) ?? embedder;
  const id = hash.slice(0, 32);
  const chunkCount = countChunks(document);
  const embedding = { embedder, model, title, client };
  let parts: () => Iterable<DocumentPart> | AsyncIterable<DocumentPart>;
  if ("readPart" in document) {
    parts = () => embedParts(embedding, document, signal, onStage);
  } else {
    onStage("embedding");
    const part = await embedPart(embedding, () => document, signal);
    onStage("storing");
    parts = () => [part];
  }
  const header = { ...toDocumentSource(item), id, hash, ingestedAt: now().toISOString(), embeddingModel: model };
  const isNew = await store.add(namespace, { ...header, chunkCount, parts });
  return isNew ? { title, hash, source, namespace, document_id: id, chunks: chunkCount } : undefined;
}
