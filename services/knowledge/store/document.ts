import type { CustomMetadata } from "@agent-backends/contract";

/** Where a document came from, and the title and fields it has there. */
export interface DocumentSource {
  source: string;
  title: string;
  /** Set if a client gave the title, which is then kept when the source gets other content. */
  isTitleGiven?: true;
  contentType?: string;
  url?: string;
  filename?: string;
  /** Validators of the page at `url`, from when it was fetched. */
  validators?: Validators;
  /** The client's own fields. */
  metadata?: CustomMetadata;
}

const sourceFields = [
  "source",
  "title",
  "contentType",
  "url",
  "filename",
  "validators",
  "metadata",
  "isTitleGiven",
] as const satisfies (keyof DocumentSource)[];

/** A source without the other fields of its document. */
export const toSource = (source: DocumentSource): DocumentSource => {
  const fields = sourceFields.map((name) => [name, source[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as unknown as DocumentSource;
};

/** Sent by a server with a page. They later show whether the page has changed. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** Maximum number of sources stored in addition to the one shown. A document with more is kept until it is deleted. */
export const maxOtherSources = 64;

/** The sources of a document other than the one it shows. */
export interface OtherSources {
  others: readonly DocumentSource[];
  /** Set if there were more sources than the store keeps. */
  hasMore?: true;
}

export interface Sources extends OtherSources {
  shown: DocumentSource;
}

/** The fields of a document that a client may change. */
export type DocumentChanges = Partial<Pick<DocumentSource, "title" | "metadata">>;

/** Metadata that the service adds to the client's own fields. It comes from the document itself. */
const ownFields = ["language", "main_content"];

/** A source with a new title or new client fields. */
export function withChanges(current: DocumentSource, { title, metadata }: DocumentChanges): DocumentSource {
  const titled = title === undefined ? current : { ...current, title, isTitleGiven: true as const };
  if (!metadata) return titled;
  const kept = Object.entries(current.metadata ?? {}).filter(([name]) => ownFields.includes(name));
  return { ...titled, metadata: { ...metadata, ...Object.fromEntries(kept) } };
}

/** The title and fields that a client gave for a source. */
export function getGiven({ title, isTitleGiven, metadata = {} }: DocumentSource): DocumentChanges {
  const fields = Object.entries(metadata).filter(([name]) => !ownFields.includes(name));
  return { ...(isTitleGiven && { title }), ...(fields.length > 0 && { metadata: Object.fromEntries(fields) }) };
}

/** Number of hexadecimal digits of a document's id, which is the beginning of its hash. */
const idDigits = 32;

export const toDocumentId = (hash: string): string => hash.slice(0, idDigits);

export const isDocumentId = (text: string): boolean => text.length === idDigits && /^[0-9a-f]+$/.test(text);

/** Sorts after all hashes that begin with a document's id. */
export const toHashUpperBound = (id: string): string => `${id}~`;

/** A document without its text. If it has several sources, it shows the oldest one. */
export interface DocumentHeader extends DocumentSource {
  /** The same content has the same id in every namespace, and after a new ingest. */
  id: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** ISO 8601, UTC. */
  ingestedAt: string;
}

/** A place in a document, in terms that readers know. */
export interface Place {
  /** 1-based page of a paged document. */
  page?: number;
  /** 1-based slide of a presentation. */
  slide?: number;
  /** Name of the sheet of a workbook. */
  sheet?: string;
  /** Path of the headings above it, outermost first, joined by " > ". */
  heading?: string;
}

/** A section that begins inside a chunk. */
export interface ChunkSection extends Place {
  /** Offset of its start in the chunk's text, in UTF-16 code units. */
  offset: number;
}

/**
 * The position of a chunk in its document. The chunk's text is `document.text.slice(start, end)`, and its place is that of its first
 * character.
 */
export interface ChunkPosition extends Place {
  /** 0-based. */
  index: number;
  start: number;
  end: number;
  /** The header row of the table in which the chunk begins, unless the chunk contains it. */
  tableHeader?: string;
  /** Further sections that begin inside the chunk, in order. Missing for chunks stored by earlier versions. */
  sections?: readonly ChunkSection[];
}

/** A chunk to store. `searchText` is the embedded text, which ends with the chunk's own text. */
export interface NewChunk extends ChunkPosition {
  searchText: string;
  vector: Float32Array;
}

/** A stretch of a document's text with its chunks. The joined texts of all parts are the document's text. */
export interface DocumentPart {
  text: string;
  chunks: readonly NewChunk[];
}

export interface NewDocument extends DocumentHeader {
  /** The model that made the vectors of all chunks. */
  embeddingModel: string;
  /** Number of chunks in all parts together; at least one. */
  chunkCount: number;
  /** The document's other sources. None by default. */
  others?: OtherSources;
  /**
   * All parts, in order. A large document has several, of at least two chunks each, so that it is never in memory as a whole. Each call
   * starts again with the first part. A part is valid until the next one is requested.
   */
  parts(): Iterable<DocumentPart> | AsyncIterable<DocumentPart>;
}

export interface StoredDocument extends DocumentHeader {
  chunks: number;
}

/** A document whose text comes in pieces, so that it is never in memory as a whole. */
export interface ReadDocument extends StoredDocument {
  /** The text, read piece by piece. @throws DocumentGoneError if the document was deleted in the meantime */
  pieces: AsyncGenerator<string, void, undefined>;
}

/** A document with everything that is stored of it. */
export interface ExportedDocument extends StoredDocument {
  others: OtherSources;
  /** A part is valid until the next one is requested. @throws DocumentGoneError if the document was deleted in the meantime */
  parts: AsyncIterable<DocumentPart>;
}

/** A document's position in its namespace. Documents are ordered by time of ingest, then by id. */
export type DocumentCursor = Pick<DocumentHeader, "ingestedAt" | "id">;

export interface FoundChunk extends ChunkPosition {
  document: DocumentHeader;
  text: string;
  searchText: string;
}

export interface Embedding {
  model: string;
  dimension: number;
}
