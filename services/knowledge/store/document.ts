import type { CustomMetadata } from "@agent-backends/contract";

/** Where a document came from, and what it was called there. */
export interface DocumentSource {
  source: string;
  title: string;
  /** A client gave the title, so that it stays when the source gets other content. */
  isTitleGiven?: true;
  contentType?: string;
  url?: string;
  filename?: string;
  /** Of the page at `url`, when it was fetched. */
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

/** A source alone, without what else a document has. */
export const toSource = (source: DocumentSource): DocumentSource => {
  const fields = sourceFields.map((name) => [name, source[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as unknown as DocumentSource;
};

/** What a server sent with a page, by which it later tells whether the page has changed. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** Sources that are remembered beside the one that is shown. A document with more is kept until it is deleted. */
export const maxOtherSources = 64;

/** The sources that a document has beside the one that it shows. */
export interface OtherSources {
  others: readonly DocumentSource[];
  /** There were more sources than the store remembers. */
  hasMore?: true;
}

/** All that is known of the sources of a document. */
export interface Sources extends OtherSources {
  shown: DocumentSource;
}

/** What a client may change of a document. */
export type DocumentChanges = Partial<Pick<DocumentSource, "title" | "metadata">>;

/** Fields that the service adds to the client's own. They are what the document says of itself. */
const ownFields = ["language", "main_content"];

/** A source with another title, or with other fields of the client. */
export function withChanges(current: DocumentSource, { title, metadata }: DocumentChanges): DocumentSource {
  const titled = title === undefined ? current : { ...current, title, isTitleGiven: true as const };
  if (!metadata) return titled;
  const kept = Object.entries(current.metadata ?? {}).filter(([name]) => ownFields.includes(name));
  return { ...titled, metadata: { ...metadata, ...Object.fromEntries(kept) } };
}

/** What a client has given a source, by which it may be changed again. */
export function getGiven({ title, isTitleGiven, metadata = {} }: DocumentSource): DocumentChanges {
  const fields = Object.entries(metadata).filter(([name]) => !ownFields.includes(name));
  return { ...(isTitleGiven && { title }), ...(fields.length > 0 && { metadata: Object.fromEntries(fields) }) };
}

/** A document without its text. If it has several sources, it shows the oldest one. */
export interface DocumentHeader extends DocumentSource {
  /** The first 32 digits of the hash: the same content has the same id in every namespace, and after a new ingest. */
  id: string;
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** ISO 8601, UTC. */
  ingestedAt: string;
}

/** A place in a document, as a reader finds it. */
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
  /** Where it begins in the chunk's text, in UTF-16 code units. */
  offset: number;
}

/** Where a chunk lies in its document: its text is `document.text.slice(start, end)`. Its place is that of its first character. */
export interface ChunkPosition extends Place {
  /** 0-based. */
  index: number;
  start: number;
  end: number;
  /** The header row of the table in which the chunk begins, unless the chunk holds it. */
  tableHeader?: string;
  /** The further sections that begin inside the chunk, in order. Chunks of older stores lack them. */
  sections?: readonly ChunkSection[];
}

/** A chunk to be stored. `searchText` is the text that was embedded; it ends with the chunk's own text. */
export interface NewChunk extends ChunkPosition {
  searchText: string;
  vector: Float32Array;
}

/** A stretch of a document's text with the chunks that lie in it. The texts of all parts, joined, are the document's text. */
export interface DocumentPart {
  text: string;
  chunks: readonly NewChunk[];
}

export interface NewDocument extends DocumentHeader {
  /** The model that made the vectors of all chunks. */
  embeddingModel: string;
  /** Chunks of all parts together; at least one. */
  chunkCount: number;
  /** Its other sources; none by default. */
  others?: OtherSources;
  /**
   * All parts, in order; a large document has several, of at least two chunks each, so that it is never in memory as a whole.
   * Each call starts again from the first. A part is valid until the next one is requested.
   */
  parts(): Iterable<DocumentPart> | AsyncIterable<DocumentPart>;
}

export interface StoredDocument extends DocumentHeader {
  chunks: number;
}

/** A document whose text comes in pieces, so that it is never in memory as a whole. */
export interface ReadDocument extends StoredDocument {
  /** The text, read piece by piece. @throws DocumentGoneError when the document was deleted meanwhile */
  pieces: AsyncGenerator<string, void, undefined>;
}

/** A document with all that is stored of it. */
export interface ExportedDocument extends StoredDocument {
  others: OtherSources;
  /** A part is valid until the next one is requested. @throws DocumentGoneError when the document was deleted meanwhile */
  parts: AsyncIterable<DocumentPart>;
}

/** A document's position in its namespace, where documents are ordered by time of ingest, then by id. */
export type DocumentCursor = Pick<DocumentHeader, "ingestedAt" | "id">;

export interface FoundChunk extends ChunkPosition {
  document: DocumentHeader;
  text: string;
  searchText: string;
}

/** The model of a namespace's vectors. */
export interface Embedding {
  model: string;
  dimension: number;
}
