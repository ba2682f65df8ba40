import type { ImportResponse } from "@agent-backends/contract";
import { knowledgeLimits, problems } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import { reembedPart } from "../ingest/embed.ts";
import { chunksPerPart } from "../ingest/large/part-file.ts";
import { isKeptFor } from "../ingest/replace.ts";
import type { SaveDependencies } from "../ingest/save-item.ts";
import { TargetNamespace } from "../ingest/target-namespace.ts";
import type { DocumentPart, DocumentSource, Embedding, NewChunk, NewDocument } from "../store/document.ts";
import { toDocumentId, toSource } from "../store/document.ts";
import type { SourceStore } from "../store/knowledge-store.ts";
import { addSource } from "../store/sources.ts";
import type { DocumentToImport } from "./read-export.ts";
import { DeletedMeanwhileError, ExportReader, InvalidExportError } from "./read-export.ts";

/** Each import holds in memory a part of a document, and small documents that wait for their commit. */
const importQueue = new FairQueue({
  concurrency: knowledgeLimits.imports,
  concurrencyPerClient: knowledgeLimits.importsPerClient,
});

/** Limits for documents that are stored concurrently in order to share commits. They are held in memory until then. */
const maxWaitingDocuments = 64;
const maxWaitingChunks = 2 * chunksPerPart;

/** Maximum number of attempts for a document whose content other requests store and remove at the same time. */
const maxAttempts = 5;

export interface ImportOrder {
  namespace: string;
  client: string;
  /** Whether to recompute the vectors if the namespace uses another model than the file. */
  shouldReembed: boolean;
  maxTextCharacters: number;
  signal: AbortSignal;
}

/**
 * Stores the documents of an export that the namespace doesn't contain yet, while the file arrives. Each document is stored as a whole
 * or not at all. Content that the namespace already contains also gets the file's sources.
 *
 * @throws ProblemError for a file that is cut off, changed or of another model; documents stored before that stay
 */
export function importNamespace(
  dependencies: SaveDependencies,
  order: ImportOrder,
  bytes: AsyncIterable<Buffer>,
): Promise<ImportResponse> {
  return importQueue.add(order.client, () => importInTurn(dependencies, order, bytes), order.signal);
}

async function importInTurn(
  dependencies: SaveDependencies,
  order: ImportOrder,
  bytes: AsyncIterable<Buffer>,
): Promise<ImportResponse> {
  const { store } = dependencies;
  const { namespace, maxTextCharacters } = order;
  const target = new TargetNamespace(store, order);
  const { signal } = target;
  const counts = { saved: 0, skipped: 0, chunks: 0, embedded: 0 };
  const reader = new ExportReader(bytes, { maxTextCharacters });
  const saves = new WaitingSaves();
  try {
    const { embedding } = await reader.header();
    const { model, isOther } = await chooseModel(dependencies, order, embedding);
    const toVectors = (part: DocumentPart) =>
      isOther ? reembedPart({ ...dependencies, ...order, model }, part, signal) : Promise.resolve(part);
    const save = async ({ line }: DocumentToImport, parts: NewDocument["parts"]) => {
      const isSaved = await saveDocument({ store, namespace, target }, toNewDocument(line, { model, parts }));
      counts[isSaved ? "saved" : "skipped"] += 1;
      if (!isSaved) return;
      counts.chunks += line.chunks;
      if (isOther) counts.embedded += line.chunks;
    };
    for await (const document of reader.documents()) {
      signal.throwIfAborted();
      const { chunks } = document.line;
      try {
        if (chunks > chunksPerPart) {
          await saveLarge(document, toVectors, save);
        } else {
          // The document is read and checked to its end before any of it is stored.
          const part = await readWhole(document);
          const parts = async function* () {
            yield await toVectors(part);
          };
          await saves.add(chunks, () => save(document, parts));
        }
      } catch (error) {
        if (!(error instanceof DeletedMeanwhileError)) throw error;
      }
    }
    await saves.end();
  } catch (error) {
    await saves.end().catch(() => undefined);
    if (!(error instanceof InvalidExportError)) throw error;
    throw problems.invalidImport(reader.line, error.message, counts.saved);
  } finally {
    await reader.close();
  }
  return { namespace, ...counts };
}

/** Documents that are being stored. */
class WaitingSaves {
  readonly #running = new Set<Promise<void>>();
  #chunks = 0;
  #failure: { error: unknown } | undefined;

  /** Starts a save once there is room for it. @throws what an earlier save threw */
  async add(chunks: number, save: () => Promise<void>): Promise<void> {
    while (this.#running.size >= maxWaitingDocuments || this.#chunks > maxWaitingChunks - chunks)
      await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
    this.#chunks += chunks;
    const running = save()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#chunks -= chunks;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** @throws what a save threw */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}

/** The model of the namespace's vectors, and whether the file has another one. @throws ProblemError `conflict` */
async function chooseModel(
  { store, embedder }: SaveDependencies,
  { namespace, shouldReembed }: ImportOrder,
  file: Embedding,
): Promise<{ model: string; isOther: boolean }> {
  const { model, dimension } = (await store.getEmbedding(namespace)) ?? { ...file, model: embedder.model };
  const isOther = model !== file.model || dimension !== file.dimension;
  if (isOther && !shouldReembed) {
    const describe = (embedding: Embedding) => `${embedding.model} (${embedding.dimension} dimensions)`;
    throw problems.otherEmbedding(describe(file), model === file.model ? describe({ model, dimension }) : model);
  }
  return { model, isOther };
}

type LineOfDocument = DocumentToImport["line"];

function toNewDocument(
  { hash, ingested_at, chunks, sources, more_sources }: LineOfDocument,
  { model, parts }: { model: string; parts: NewDocument["parts"] },
): NewDocument {
  const [shown = { source: "", title: "" }, ...others] = sources.map(parseSource);
  return {
    ...shown,
    id: toDocumentId(hash),
    hash,
    ingestedAt: new Date(ingested_at).toISOString(),
    embeddingModel: model,
    chunkCount: chunks,
    others: { others, ...(more_sources && { hasMore: true }) },
    parts,
  };
}

function parseSource({ content_type: contentType, ...source }: LineOfDocument["sources"][number]): DocumentSource {
  return { ...source, ...(contentType !== undefined && { contentType }) };
}

/** @returns whether the content was new to the namespace */
async function saveDocument(
  { store, namespace, target }: { store: SourceStore; namespace: string; target: TargetNamespace },
  document: NewDocument,
): Promise<boolean> {
  const { hash, others } = document;
  const sources = [toSource(document), ...(others?.others ?? [])];
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const known = await store.getSources(namespace, hash);
    if (!known) {
      if (await target.add(document)) return true;
      continue;
    }
    let isStored = true;
    for (const added of sources)
      if (!isKeptFor(added.source, known)) isStored &&= await addSource(store, namespace, hash, added);
    if (isStored) return false;
  }
  throw new Error("Other requests store and delete the same content at the same time.");
}

async function readWhole(document: DocumentToImport): Promise<DocumentPart> {
  const whole = { text: "", chunks: [] as NewChunk[] };
  for await (const { text, chunks } of document.parts()) {
    whole.text += text;
    whole.chunks.push(...chunks);
  }
  return whole;
}

/** Stores a document of many chunks while it arrives. It becomes visible only after it was read and checked to its end. */
async function saveLarge(
  document: DocumentToImport,
  toVectors: (part: DocumentPart) => Promise<DocumentPart>,
  save: (document: DocumentToImport, parts: NewDocument["parts"]) => Promise<void>,
): Promise<void> {
  let isRead = false;
  await save(document, async function* () {
    if (isRead) throw problems.namespaceDeletedInImport();
    isRead = true;
    let group: DocumentPart = { text: "", chunks: [] };
    for await (const { text, chunks } of document.parts()) {
      if (group.chunks.length + chunks.length > chunksPerPart) {
        yield await toVectors(group);
        group = { text: "", chunks: [] };
      }
      group = { text: group.text + text, chunks: [...group.chunks, ...chunks] };
    }
    if (group.chunks.length > 0) yield await toVectors(group);
  });
  // Content that is already stored only needs to be checked.
  if (!isRead) for await (const _ of document.parts());
}
