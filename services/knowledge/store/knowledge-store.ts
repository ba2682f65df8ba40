import type { CustomMetadata, SearchFilter } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";

/** Where a document came from, and what it was called there. */
export interface DocumentSource {
  source: string;
  title: string;
  contentType?: string;
  url?: string;
  filename?: string;
  /** The client's own fields. */
  metadata?: CustomMetadata;
}

/** What is known of a document besides its text. Of its sources it shows the one that it has had for the longest time. */
export interface DocumentHeader extends DocumentSource {
  /** The first 32 digits of the hash: the same content has the same id in every namespace, and after a new ingest. */
  id: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** ISO 8601, UTC. */
  ingestedAt: string;
}

/** Where a chunk lies in its document: `text` is `document.text.slice(start, end)`. */
export interface ChunkPosition {
  /** 0-based. */
  index: number;
  start: number;
  end: number;
  page?: number;
  slide?: number;
  sheet?: string;
  /** Path of the headings above it, outermost first. */
  heading?: string;
}

/** A chunk to be stored. `searchText` is what was embedded, and ends with the chunk's own text. */
export interface NewChunk extends ChunkPosition {
  searchText: string;
  vector: Float32Array;
}

export interface NewDocument extends DocumentHeader {
  text: string;
  /** The model that made every chunk's vector. */
  embeddingModel: string;
  /** At least one. */
  chunks: readonly NewChunk[];
}

/** A document of so many chunks that they are made and stored a part at a time. */
export interface NewLargeDocument extends Omit<NewDocument, "text" | "chunks"> {
  /** How many all parts hold together; at least two. */
  chunkCount: number;
  /**
   * All chunks in order, at least two in the first part. Each call makes them anew. Those of a part hold until the next one is
   * asked for.
   */
  parts(): AsyncIterable<readonly NewPartChunk[]>;
}

/** A chunk with what the document's text has between the one before and this one, and behind it if it is the last. */
export interface NewPartChunk extends NewChunk {
  textBefore: string;
  textBehind: string;
}

/** A chunk that a search found. */
export interface FoundChunk extends ChunkPosition {
  document: DocumentHeader;
  text: string;
  searchText: string;
}

export interface StoredDocument extends DocumentHeader {
  /** How many it was cut into. */
  chunks: number;
}

/** A document whose text comes in pieces, so that it need not be in memory as a whole. */
export interface ReadDocument extends StoredDocument {
  /** The text, each piece read when it is asked for. @throws DocumentGoneError when the document was deleted meanwhile */
  pieces: AsyncIterator<string, void, undefined> & AsyncIterable<string>;
}

/** A document was deleted while it was read. */
export class DocumentGoneError extends Error {
  override readonly name = "DocumentGoneError";

  constructor() {
    super("The document was deleted while it was read.");
  }
}

/** The sources that a stored document is kept for. */
export interface KnownSources {
  sources: readonly string[];
  /** Whether there were more than are remembered: the document is then kept for all of them, until it is deleted. */
  hasMore: boolean;
}

export interface NamespaceSummary {
  namespace: string;
  documents: number;
  chunks: number;
  embeddingModel: string;
}

/** A document's place in its namespace, which lists documents in the order in which they came. */
export type DocumentCursor = Pick<DocumentHeader, "ingestedAt" | "id">;

/** What made the vectors of a namespace. */
export interface Embedding {
  model: string;
  dimension: number;
}

/**
 * How many chunks a search ranks, and which chunks it may find: those whose document has all fields of the filter, each with
 * this value or one of these. `source`, `content_type` and `title` are the document's, any other name is one of the
 * client's own fields.
 */
export interface SearchScope {
  limit: number;
  filter?: SearchFilter | undefined;
  /** Searches are shared fairly between callers. */
  caller?: Caller;
}

/** What is searched for: by words, by a vector, or by both. */
export interface Question {
  words?: string;
  /** Gives the vector by what the namespace's vectors are made with. It may be asked again when the namespace has changed. */
  vectorOf?(embedding: Embedding): Promise<Float32Array>;
}

/** A chunk in a ranking, which is not read yet. */
export interface RankedChunk {
  /** Names it within one search. */
  key: bigint;
  /** Cosine of the question's and the chunk's vectors, -1…1; absent in a ranking by words. */
  similarity?: number;
}

/** The chunks that a search found, best first. */
export interface Rankings {
  /** Those whose vectors are nearest to the question's. */
  byMeaning: RankedChunk[];
  /** Those that share words with the question, by BM25. */
  byWords: RankedChunk[];
  embedding: Embedding;
}

/** A namespace searches vectors of one model; those of another can't be compared with them. */
export class EmbeddingMismatchError extends Error {
  override readonly name = "EmbeddingMismatchError";

  constructor(namespace: string, stored: Embedding, given: Embedding) {
    const describe = (one: typeof stored) => `${one.model} (${one.dimension} dimensions)`;
    super(
      `Namespace "${namespace}" was embedded with ${describe(stored)} and can't be used with ${describe(given)}: ` +
        "run `npm run knowledge:reindex`, or set KNOWLEDGE_EMBEDDING_MODEL back.",
    );
  }
}

/** What lies at the store's place was made by another version of the service, or by something else. It is left as it is. */
export class UnknownStoreError extends Error {
  override readonly name = "UnknownStoreError";

  constructor() {
    super(
      "KNOWLEDGE_STORE holds data in a form that this version of the service does not know. It was left as it is: run the " +
        "version that made it, or set KNOWLEDGE_STORE to a new place and ingest the documents again.",
    );
  }
}

/** Makes the vectors for `reembed`. */
export interface Reembedder extends Embedding {
  embed(texts: string[]): Promise<Float32Array[]>;
  /** Told how many chunks have a vector of the model, of how many. */
  onProgress?(done: number, total: number): void;
}

/**
 * Documents in namespaces that never see each other. A document is there whole or not at all, and once for each
 * content, whoever writes at the same time and whenever the process dies. An unknown namespace is an empty one.
 */
export interface KnowledgeStore {
  /** Opens what has to be open to work. @throws when the store can't be reached or written; UnknownStoreError */
  check(): Promise<void>;

  /**
   * Where this content came from; `undefined` when it is not in the namespace. When it is, it is there for good: it survives a
   * loss of power.
   */
  sourcesOf(namespace: string, hash: string): Promise<KnownSources | undefined>;

  /**
   * Keeps content for one more source, for good.
   *
   * @returns false when the content is not there
   */
  addSource(namespace: string, hash: string, source: DocumentSource): Promise<boolean>;

  /**
   * Keeps a document for a source no longer. The document shows another one of its sources then, and is deleted with the last.
   *
   * @returns whether it was deleted
   */
  removeSource(namespace: string, id: string, source: string): Promise<boolean>;

  /**
   * Stores a document for good, unless its content is there already.
   *
   * @returns whether it was stored
   * @throws EmbeddingMismatchError
   */
  add(namespace: string, document: NewDocument): Promise<boolean>;

  /**
   * The same for a large document: it takes memory for two of its parts at a time, and nobody sees any of it before all
   * of it is stored for good.
   *
   * @returns whether it was stored
   * @throws EmbeddingMismatchError, and what making the parts throws; then nothing of it is left
   */
  addInParts(namespace: string, document: NewLargeDocument): Promise<boolean>;

  /**
   * What the vectors of a namespace are made with, whatever the service is set to now; `undefined` when it has never
   * held a document, or was deleted since.
   */
  embeddingOf(namespace: string): Promise<Embedding | undefined>;

  /**
   * Ranks the chunks of a namespace by meaning and by words, so many each, and reads those alone that are chosen of them.
   *
   * @returns what was chosen, each with its chunk
   * @throws EmbeddingMismatchError, and what `vectorOf` throws
   */
  search<Chosen extends RankedChunk>(
    namespace: string,
    question: Question,
    scope: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ): Promise<{ chosen: Chosen; chunk: FoundChunk }[]>;

  /** The words by which a search finds a text: stems, without those that say little. */
  terms(text: string): Promise<Set<string>>;

  /**
   * The documents after a place, or from the start, in the order in which they came. Pages hold each document once that was
   * stored before the first of them; one that is stored meanwhile may have begun to come before what was listed already, and is
   * then found from the start.
   */
  listDocuments(namespace: string, page: { limit: number; after?: DocumentCursor }): Promise<StoredDocument[]>;

  /** The documents that came from this source, also if they show another one, in the order in which they came. */
  findBySource(namespace: string, source: string): Promise<StoredDocument[]>;

  /** @returns `undefined` when there is no such document */
  readDocument(namespace: string, id: string): Promise<ReadDocument | undefined>;

  /** @returns whether it was there */
  deleteDocument(namespace: string, id: string): Promise<boolean>;

  /** The names of all namespaces, in order. */
  namespaces(): Promise<string[]>;

  /** The namespaces that hold documents, by name, after a name or from the start. */
  listNamespaces(page: {
    limit: number;
    after?: string;
    isVisible?: (namespace: string) => boolean;
  }): Promise<NamespaceSummary[]>;

  /**
   * Gives every chunk of a namespace a vector of this model, beside those that it has, and then searches these. Until
   * then all goes on as before, and after an interruption the next call goes on where it ended.
   *
   * @returns false when there is no such namespace
   */
  reembed(namespace: string, embedder: Reembedder): Promise<boolean>;

  /** @returns whether it was there */
  deleteNamespace(namespace: string): Promise<boolean>;

  /** Ends background work. */
  close(): Promise<void>;
}
