import type { IngestResponse } from "@agent-backends/contract";
import type { Embedder } from "../search/hybrid-search.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { embeddingText } from "./chunk.ts";
import { passagesOf } from "./prepare.ts";
import type { LoadedItem } from "./sources.ts";

export interface SaveDependencies {
  store: KnowledgeStore;
  embedder: Embedder;
  now(): Date;
}

/** Stores one item for good; `undefined` when its content is there already. */
export async function saveItem(
  { store, embedder, now }: SaveDependencies,
  {
    item,
    namespace,
    signal,
    onStage,
  }: {
    item: Exclude<LoadedItem, { error: string }>;
    namespace: string;
    signal: AbortSignal;
    onStage(stage: "chunking" | "embedding" | "storing"): void;
  },
): Promise<IngestResponse["saved"][number] | undefined> {
  const { document, source, title, url, filename, metadata } = item;
  const { hash } = document;
  if (await store.has(namespace, hash)) return undefined;
  onStage("chunking");
  const chunks = passagesOf(document).map((passage) => ({ ...passage, searchText: embeddingText(passage, title) }));
  onStage("embedding");
  // A namespace that is not reindexed yet keeps to the model that it has.
  const { model } = (await store.embeddingOf(namespace)) ?? embedder;
  const vectors = await embedder.embed(
    chunks.map((chunk) => chunk.searchText),
    signal,
    model,
  );
  onStage("storing");
  const id = hash.slice(0, 32);
  const isNew = await store.add(namespace, {
    id,
    hash,
    title,
    source,
    contentType: document.contentType,
    ...(url !== undefined && { url }),
    ...(filename !== undefined && { filename }),
    ...(metadata !== undefined && { metadata }),
    ingestedAt: now().toISOString(),
    text: document.text,
    embeddingModel: model,
    chunks: chunks.map((chunk, position) => ({ ...chunk, vector: vectors[position] ?? new Float32Array() })),
  });
  return isNew ? { title, hash, source, namespace, document_id: id, chunks: chunks.length } : undefined;
}
