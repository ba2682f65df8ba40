import type { SearchFilter } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import type { ChangeLog } from "./change-log.ts";
import type {
  DocumentCursor,
  Embedding,
  ExportedDocument,
  FoundChunk,
  NewDocument,
  ReadDocument,
  Sources,
  StoredDocument,
} from "./document.ts";
import type { JobStore } from "./jobs/job-store.ts";

/** The parts of a store that a service needs. */
export interface OpenedStore {
  store: KnowledgeStore;
  jobs: JobStore;
  /** Measures the store in bytes. Absent on an object store, which reports its size itself. */
  measure?: () => Promise<number>;
}

/**
 * Documents in namespaces, which never share data. A document is stored as a whole or not at all, and once per content, even if several
 * processes write at the same time or die. An unknown namespace counts as empty.
 *
 * Anything that implements this and passes the conformance suite (`tests/store/conformance`) can replace the store.
 */
export interface KnowledgeStore extends DocumentStore, SourceStore, ChunkSearch, NamespaceStore, ChangeLog {
  /** Opens the store. @throws if it can't be read or written; UnknownStoreError */
  check(): Promise<void>;

  /** Stops background work. */
  close(): Promise<void>;
}

export interface DocumentStore {
  /**
   * Stores a document durably, unless its content is already stored. No part of it is visible before all of it is durable.
   *
   * @param mayCreate whether to create an unknown namespace, or throw NamespaceGoneError; called at each attempt. By default it is created.
   * @returns whether the document was stored
   * @throws EmbeddingMismatchError, NamespaceGoneError, and what making the parts throws; then nothing of the document is left
   */
  add(namespace: string, document: NewDocument, mayCreate?: () => boolean): Promise<boolean>;

  /**
   * A page of documents after a cursor, or from the start. Together, the pages contain each document that was stored before the first
   * page was read exactly once. A document stored later may sort before the cursor; then only a new listing shows it.
   */
  listDocuments(namespace: string, page: DocumentPage): Promise<StoredDocument[]>;

  /** @returns `undefined` for an unknown document */
  readDocument(namespace: string, id: string): Promise<ReadDocument | undefined>;

  /** The chunks of a document starting at `from`, up to `limit`. `undefined` for an unknown document. */
  readChunks(namespace: string, id: string, page: { from: number; limit: number }): Promise<FoundChunk[] | undefined>;

  /**
   * All documents with their vectors, in the order of `listDocuments`. A document that is deleted before its turn is left out. Read or
   * skip the parts of a document before requesting the next document.
   *
   * @param embedding the embedding of the namespace's vectors
   * @throws EmbeddingMismatchError if the namespace has got vectors of another model in the meantime
   */
  exportDocuments(namespace: string, embedding: Embedding): AsyncGenerator<ExportedDocument, void, undefined>;

  /** @returns whether the document existed */
  deleteDocument(namespace: string, id: string): Promise<boolean>;

  /** Deletes the documents with these hashes at once. @returns how many of them existed */
  deleteDocuments(namespace: string, hashes: readonly string[]): Promise<number>;
}

export interface DocumentPage {
  limit: number;
  after?: DocumentCursor | undefined;
  where?: DocumentConditions | undefined;
}

export interface DocumentConditions {
  hashes?: readonly string[] | undefined;
  /** In any of its spellings, like `findBySource`. Includes documents that show another source. */
  source?: string | undefined;
  /** Same as in a search. */
  filter?: SearchFilter | undefined;
  /** ISO 8601, UTC, exclusive. */
  ingestedAfter?: string | undefined;
  ingestedBefore?: string | undefined;
}

/** The sources that keep a stored document from being deleted. */
export interface KnownSources {
  sources: readonly string[];
  /** Whether there were more sources than the store keeps. The document is then kept until it is deleted. */
  hasMore: boolean;
}

export interface ChangedDocument {
  document: StoredDocument;
  /** False if the document already had these values. */
  isChanged: boolean;
}

/** Returns the new sources of a document, "none" to delete it, or undefined to change nothing. Called again if another writer was first. */
export type SourcesChange = (sources: Sources) => Sources | "none" | undefined;

/** Manages the sources of content. Content is stored once, whichever sources bring it, and kept as long as one of them has it. */
export interface SourceStore {
  /** The sources of this content, which is then durable. `undefined` if the namespace doesn't contain it. */
  getSources(namespace: string, hash: string): Promise<KnownSources | undefined>;

  /**
   * Changes the sources of a document (`sources.ts`), durably. Readers see all of the change or nothing, unless the document has
   * thousands of chunks. The words of the old title still find the document.
   *
   * @returns "deleted" if the document was deleted with its last source, undefined for an unknown document
   */
  changeSources(
    namespace: string,
    document: { hash: string } | { id: string },
    change: SourcesChange,
  ): Promise<ChangedDocument | "deleted" | undefined>;

  /**
   * The documents with this source in any of its spellings (`listSpellings`), ordered by time of ingest. Includes documents that show
   * another source.
   */
  findBySource(namespace: string, source: string): Promise<StoredDocument[]>;
}

/**
 * How many chunks a search ranks, and which ones it may find: those whose document has all fields of the filter, each with the given
 * value or one of several. `source`, `content_type` and `title` are the document's own; any other name is one of the client's fields.
 */
export interface SearchScope {
  limit: number;
  /** Values match only values of the same type: 7 isn't "7". */
  filter?: SearchFilter | undefined;
  /** Searches are shared fairly between callers. */
  caller?: Caller;
}

/** The search query: words, a vector, or both. */
export interface Question {
  /** Analysed like the `searchText` of chunks, in each language of the namespace's chunks (`terms.ts`). */
  words?: string;
  /** Computes the vector with the namespace's model, if possible. Called again if the namespace has changed in the meantime. */
  getVector?(embedding: Embedding): Promise<Float32Array | undefined>;
}

/** A chunk in a ranking. It hasn't been read yet. */
export interface RankedChunk {
  /** Identifies the chunk within one search. Each store has its own kind of keys. */
  key: string | number | bigint;
  /** Cosine similarity of the question's and the chunk's vectors, -1…1. Absent in a ranking by words. */
  similarity?: number;
}

/** The chunks that a search found, best first. */
export interface Rankings {
  /** By vector similarity. */
  byMeaning: RankedChunk[];
  /** Chunks that share words with the question, by BM25 or similar. */
  byWords: RankedChunk[];
  /**
   * Cosine similarity of the question and an ordinary chunk of the namespace. It calibrates `similarity`, because models differ in how
   * similar unrelated texts are. 0 in a namespace with too few chunks.
   */
  ordinarySimilarity: number;
  embedding: Embedding;
}

export interface ChunkSearch {
  /**
   * Ranks the chunks of a namespace by meaning and by words, `scope.limit` each, and reads only the chosen ones.
   *
   * @param choose not called for an unknown namespace; may be called again if the namespace changes during the search
   * @returns the chosen chunks, in this order, each with its content
   * @throws EmbeddingMismatchError, and what `getVector` throws
   */
  search<Chosen extends RankedChunk>(
    namespace: string,
    question: Question,
    scope: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ): Promise<ChosenChunk<Chosen>[]>;
}

export interface ChosenChunk<Chosen extends RankedChunk> {
  chosen: Chosen;
  chunk: FoundChunk;
}

/** What a store makes of a call of `search`. */
export interface SearchInTurn<Chosen extends RankedChunk> {
  question: Question;
  scope: SearchScope;
  choose(rankings: Rankings): Chosen[];
  /** Runs work when it is the caller's turn. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface NamespaceSummary {
  namespace: string;
  documents: number;
  chunks: number;
  embeddingModel: string;
}

/** Computes the vectors for `reembed`. */
export interface Reembedder extends Embedding {
  embed(texts: string[]): Promise<Float32Array[]>;
  /** @param done number of chunks that have a vector of the model */
  onProgress?(done: number, total: number): void;
}

export interface NamespaceStore {
  /** The names of all namespaces, sorted. Includes those that no longer contain documents. */
  listNamespaces(): Promise<string[]>;

  /** `undefined` for an unknown namespace. */
  describeNamespace(namespace: string): Promise<NamespaceSummary | undefined>;

  /**
   * The model of the namespace's vectors, whichever model the service is configured for now. `undefined` if the namespace has never
   * contained a document, or was deleted since.
   */
  getEmbedding(namespace: string): Promise<Embedding | undefined>;

  /**
   * Gives every chunk of a namespace a vector of this model, and then switches searches to the new vectors. Until then, searches use
   * the old ones. After an interruption, the next call continues where the last one stopped.
   *
   * @returns false for an unknown namespace
   */
  reembed(namespace: string, embedder: Reembedder): Promise<boolean>;

  /**
   * Removes the text of deleted and replaced documents from the disk now. Without this call, a store removes it within its configured
   * time. A deleted namespace leaves nothing behind.
   */
  purge(namespace: string): Promise<void>;

  /** @returns whether the namespace existed */
  deleteNamespace(namespace: string): Promise<boolean>;
}
