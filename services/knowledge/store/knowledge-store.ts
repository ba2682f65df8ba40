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

/** A store's parts that a service needs. */
export interface OpenedStore {
  store: KnowledgeStore;
  jobs: JobStore;
  /** Measures the store in bytes; absent on an object store, which tells its size itself. */
  measure?: () => Promise<number>;
}

/**
 * Documents in namespaces, which never share data. A document is stored whole or not at all, and once per content, even when
 * several processes write at the same time or die. An unknown namespace is an empty one.
 *
 * Anything that implements this and passes the conformance suite (`tests/store/conformance`) can replace the store.
 */
export interface KnowledgeStore extends DocumentStore, SourceStore, ChunkSearch, NamespaceStore, ChangeLog {
  /** Opens the store. @throws when it can't be read or written; UnknownStoreError */
  check(): Promise<void>;

  /** Ends background work. */
  close(): Promise<void>;
}

export interface DocumentStore {
  /**
   * Stores a document durably, unless its content is stored already. Nobody sees any part of it before all of it is durable.
   *
   * @param mayCreate whether a namespace that is unknown is created; asked at each attempt. By default it is.
   * @returns whether it was stored
   * @throws EmbeddingMismatchError, NamespaceGoneError, and what making the parts throws; then nothing of it is left
   */
  add(namespace: string, document: NewDocument, mayCreate?: () => boolean): Promise<boolean>;

  /**
   * A page of documents after a cursor, or from the start. Pages hold each document once that was stored before the first page was
   * read. A document that is stored later may sort before the cursor; then only a new listing shows it.
   */
  listDocuments(namespace: string, page: DocumentPage): Promise<StoredDocument[]>;

  /** @returns `undefined` when there is no such document */
  readDocument(namespace: string, id: string): Promise<ReadDocument | undefined>;

  /** The chunks of a document from `from` on, up to `limit`; `undefined` when there is no such document. */
  readChunks(namespace: string, id: string, page: { from: number; limit: number }): Promise<FoundChunk[] | undefined>;

  /**
   * All documents with their vectors, in the order of `listDocuments`. One that is deleted before its turn is left out. The parts of
   * a document are read, or left, before the next document is requested.
   *
   * @param embedding of the namespace's vectors
   * @throws EmbeddingMismatchError when the namespace has got vectors of another model meanwhile
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
  /** Only documents that meet all of these conditions. */
  where?: DocumentConditions | undefined;
}

export interface DocumentConditions {
  /** Documents with one of these hashes. */
  hashes?: readonly string[] | undefined;
  /** In any of its spellings, as for `findBySource`. Also documents that show another source. */
  source?: string | undefined;
  /** As for a search. */
  filter?: SearchFilter | undefined;
  /** ISO 8601, UTC, exclusive. */
  ingestedAfter?: string | undefined;
  ingestedBefore?: string | undefined;
}

/** The sources that a stored document is kept for. */
export interface KnownSources {
  sources: readonly string[];
  /** Whether there were more sources than the store remembers. The document is then kept until it is deleted. */
  hasMore: boolean;
}

export interface ChangedDocument {
  document: StoredDocument;
  /** False when it was like that already. */
  isChanged: boolean;
}

/**
 * What becomes of a document's sources: others, or none, with which the document is deleted; undefined: nothing. Called again when another
 * writer was first.
 */
export type SourcesChange = (sources: Sources) => Sources | "none" | undefined;

/** Content is stored once, whichever sources bring it, and kept as long as one of them has it. */
export interface SourceStore {
  /** The sources of this content; `undefined` when the namespace doesn't hold it. Otherwise the content is durable. */
  getSources(namespace: string, hash: string): Promise<KnownSources | undefined>;

  /**
   * Changes the sources of a document (`sources.ts`), durably. Readers see all of the change or nothing, unless the document has thousands
   * of chunks. The words of its old title still find it.
   *
   * @returns "deleted" when it was deleted with its last source, undefined when there is no such document
   */
  changeSources(
    namespace: string,
    document: { hash: string } | { id: string },
    change: SourcesChange,
  ): Promise<ChangedDocument | "deleted" | undefined>;

  /** The documents of this source in any of its spellings (`listSpellings`), also those that show another one, ordered by time of ingest. */
  findBySource(namespace: string, source: string): Promise<StoredDocument[]>;
}

/**
 * How many chunks a search ranks, and which ones it may find: those whose document has all fields of the filter, each with
 * this value or one of these. `source`, `content_type` and `title` are the document's, any other name is one of the
 * client's own fields.
 */
export interface SearchScope {
  limit: number;
  /** Values match only values of the same type: 7 isn't "7". */
  filter?: SearchFilter | undefined;
  /** Searches are shared fairly between callers. */
  caller?: Caller;
}

/** What is searched for: words, a vector, or both. */
export interface Question {
  /** Analysed like the chunks' `searchText`, in each language of the namespace's chunks (`terms.ts`). */
  words?: string;
  /** Makes the vector with the namespace's model, if it can. Called again when the namespace has changed meanwhile. */
  vectorOf?(embedding: Embedding): Promise<Float32Array | undefined>;
}

/** A chunk in a ranking, not read yet. */
export interface RankedChunk {
  /** Identifies the chunk within one search; each store has its own kind of keys. */
  key: string | number | bigint;
  /** Cosine of the question's and the chunk's vectors, -1…1; absent in a ranking by words. */
  similarity?: number;
}

/** The chunks that a search found, best first. */
export interface Rankings {
  /** By similarity of the vectors. */
  byMeaning: RankedChunk[];
  /** Those that share words with the question, by BM25 or the like. */
  byWords: RankedChunk[];
  /**
   * Cosine of the question and an ordinary chunk of the namespace: models differ in how similar unrelated texts are. 0 in a
   * namespace with too few chunks to tell.
   */
  ordinarySimilarity: number;
  embedding: Embedding;
}

export interface ChunkSearch {
  /**
   * Ranks the chunks of a namespace by meaning and by words, `scope.limit` each, and reads only the chosen ones.
   *
   * @param choose is not called for an unknown namespace, and may be called again when the namespace changes during the search
   * @returns what was chosen, in this order, each with its chunk
   * @throws EmbeddingMismatchError, and what `vectorOf` throws
   */
  search<Chosen extends RankedChunk>(
    namespace: string,
    question: Question,
    scope: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ): Promise<{ chosen: Chosen; chunk: FoundChunk }[]>;
}

export interface NamespaceSummary {
  namespace: string;
  documents: number;
  chunks: number;
  embeddingModel: string;
}

/** Makes the vectors for `reembed`. */
export interface Reembedder extends Embedding {
  embed(texts: string[]): Promise<Float32Array[]>;
  /** @param done chunks that have a vector of the model */
  onProgress?(done: number, total: number): void;
}

export interface NamespaceStore {
  /** The names of all namespaces, sorted; also of those that hold no document any more. */
  listNamespaces(): Promise<string[]>;

  /** `undefined` for an unknown namespace. */
  describeNamespace(namespace: string): Promise<NamespaceSummary | undefined>;

  /**
   * The model of the namespace's vectors, whatever the service is configured for now; `undefined` when it has never held a
   * document, or was deleted since.
   */
  getEmbedding(namespace: string): Promise<Embedding | undefined>;

  /**
   * Gives every chunk of a namespace a vector of this model and then searches the new vectors. Until then searches use the old
   * ones. After an interruption the next call continues where the last one stopped.
   *
   * @returns false when there is no such namespace
   */
  reembed(namespace: string, embedder: Reembedder): Promise<boolean>;

  /**
   * Removes the text of deleted and replaced documents from the disk now. Without this call a store does it by itself, within the time
   * that it is configured for. A deleted namespace leaves nothing.
   */
  purge(namespace: string): Promise<void>;

  /** @returns whether the namespace existed */
  deleteNamespace(namespace: string): Promise<boolean>;
}
