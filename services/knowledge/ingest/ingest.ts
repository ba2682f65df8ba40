import type { IngestResponse } from "@agent-backends/contract";
import { ProviderError } from "@agent-backends/llm";
import PQueue from "p-queue";
import type { Embedder } from "../search/hybrid-search.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { EmbeddingMismatchError } from "../store/knowledge-store.ts";
import { chunkText, embeddingText } from "./chunk.ts";
import { hashText } from "./normalise.ts";
import type { LoadedItem, SourceOptions, UploadedFile } from "./sources.ts";
import { loadItems } from "./sources.ts";

/** Items of one request that are embedded and stored at the same time. */
const itemsAtOnce = 4;

export interface IngestDependencies {
  store: KnowledgeStore;
  embedder: Embedder;
  sources: SourceOptions;
  now(): Date;
}

type ReadItem = Exclude<LoadedItem, { error: string }>;
type Outcome = { [Kind in "saved" | "skipped" | "errors"]: { kind: Kind; item: IngestResponse[Kind][number] } }[
  | "saved"
  | "skipped"
  | "errors"];

/**
 * Stores the items of one request. What becomes of an item is told in the request's order, and none depends on
 * another: one that fails is an error of its own.
 *
 * @throws only the signal's reason; what was stored until then stays
 */
export async function ingest(
  dependencies: IngestDependencies,
  request: { namespace: string; sources: readonly unknown[]; files: readonly UploadedFile[]; signal: AbortSignal },
): Promise<IngestResponse> {
  const { namespace, signal } = request;
  const queue = new PQueue({ concurrency: itemsAtOnce });
  const outcomes: Promise<Outcome>[] = [];
  const earlier = new Map<string, Promise<Outcome>>();
  for await (const item of loadItems(request, dependencies.sources, signal)) {
    await queue.onSizeLessThan(1);
    const outcome = queue.add(() => settleItem(dependencies, { item, namespace, earlier, signal }));
    // Awaited below, in order; a request that ends before that no longer wants it.
    outcome.catch(() => undefined);
    outcomes.push(outcome);
  }
  const response: IngestResponse = { namespace, saved: [], skipped: [], errors: [] };
  for (const { kind, item } of await Promise.all(outcomes)) (response[kind] as (typeof item)[]).push(item);
  return response;
}

function settleItem(
  dependencies: IngestDependencies,
  given: { item: LoadedItem; namespace: string; earlier: Map<string, Promise<Outcome>>; signal: AbortSignal },
): Promise<Outcome> {
  const { item, earlier } = given;
  if ("error" in item) return Promise.resolve({ kind: "errors", item });
  const hash = hashText(item.document.text);
  const outcome = settleDocument(dependencies, { ...given, item, hash, before: earlier.get(hash) });
  earlier.set(hash, outcome);
  return outcome;
}

async function settleDocument(
  dependencies: IngestDependencies,
  given: { item: ReadItem; hash: string; namespace: string; before: Promise<Outcome> | undefined; signal: AbortSignal },
): Promise<Outcome> {
  const { item, hash, before, signal } = given;
  const { source, title } = item;
  const skipped: Outcome = { kind: "skipped", item: { title, hash, source, reason: "duplicate-content" } };
  // The same content earlier in this request comes first; should it fail, this one is tried on its own.
  const first = await before;
  if (first && first.kind !== "errors") return skipped;
  signal.throwIfAborted();
  try {
    const saved = await saveItem(dependencies, given);
    return saved ? { kind: "saved", item: saved } : skipped;
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "errors", item: { source, title, ...describeFailure(error, dependencies.sources.reportError) } };
  }
}

/** Stores one item; `undefined` when its content is there already. */
async function saveItem(
  { store, embedder, now }: IngestDependencies,
  { item, hash, namespace, signal }: { item: ReadItem; hash: string; namespace: string; signal: AbortSignal },
): Promise<IngestResponse["saved"][number] | undefined> {
  const { document, source, title, url, filename } = item;
  if (await store.has(namespace, hash)) return undefined;
  const chunks = chunkText(document).map((chunk) => ({ ...chunk, searchText: embeddingText(chunk, title) }));
  const vectors = await embedder.embed(
    chunks.map((chunk) => chunk.searchText),
    signal,
  );
  const id = hash.slice(0, 32);
  const isNew = await store.add(namespace, {
    id,
    hash,
    title,
    source,
    contentType: document.contentType,
    ...(url !== undefined && { url }),
    ...(filename !== undefined && { filename }),
    ingestedAt: now().toISOString(),
    text: document.text,
    embeddingModel: embedder.model,
    chunks: chunks.map((chunk, position) => ({ ...chunk, vector: vectors[position] ?? new Float32Array() })),
  });
  return isNew ? { title, hash, source, namespace, document_id: id, chunks: chunks.length } : undefined;
}

function describeFailure(error: unknown, report: (error: unknown) => void): { error: string; code: string } {
  if (error instanceof ProviderError) return { error: error.message, code: "provider_failed" };
  if (error instanceof EmbeddingMismatchError) return { error: error.message, code: "embedding_model_changed" };
  report(error);
  return { error: "The item could not be stored; try it again.", code: "not_stored" };
}
