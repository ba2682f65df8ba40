import type { ItemProgress } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import type { Chunk } from "./chunk.ts";
import { chunkText } from "./chunk.ts";
import type { ExtractedDocument, ExtractionInput } from "./extract/document.ts";
import { hashText } from "./normalise.ts";

/** The client that a document is read for, and a callback for progress. */
export interface ReadingCaller extends Caller {
  onProgress?: (progress: ItemProgress) => void;
}

export interface TextInput {
  text: string;
  format: "text" | "markdown";
}

/** A file. If `format` is set, it is a text of that format in UTF-8. */
export interface FileInput extends Omit<ExtractionInput, "bytes"> {
  path: string;
  bytesOnDisk: number;
  format?: "text" | "markdown";
}

export type DocumentInput = TextInput | FileInput;

/** Size in bytes on disk, or in UTF-16 code units for a text in memory. */
export const getInputSize = (input: DocumentInput): number => ("text" in input ? input.text.length : input.bytesOnDisk);

/** Larger documents may take seconds to read and minutes to embed. In the unit of `getInputSize`. */
export const maxSmallInputSize = 1024 * 1024;

/** Length of a document's beginning to keep for its title, in UTF-16 code units. */
export const beginningCharacters = 1_000;

/** Everything known about a document except its text. */
export interface DocumentAbout
  extends Omit<ExtractedDocument, "marks" | "isSeparatedValues" | "indexedLength" | "text"> {
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** The first characters of the text. */
  beginning: string;
}

/** A stretch of a document's text with its chunks. */
export interface PreparedPart {
  text: string;
  chunks: Chunk[];
}

/** A document of one part, in memory. Nearly every document is small. */
export interface SmallDocument extends DocumentAbout, PreparedPart {}

/** A document that stays on disk and is read, embedded and stored part by part. Its user must close it. */
export interface LargeDocument extends DocumentAbout {
  chunkCount: number;
  partCount: number;
  /** Reads one part, by its 0-based number. The joined texts of all parts are the document's text. */
  readPart(number: number): Promise<PreparedPart>;
  close(): Promise<void>;
}

export type PreparedDocument = SmallDocument | LargeDocument;

export const countChunks = (document: PreparedDocument): number =>
  "readPart" in document ? document.chunkCount : document.chunks.length;

export function prepareSmallDocument(document: ExtractedDocument, chunks = chunkText(document)): SmallDocument {
  const { marks: _, isSeparatedValues: __, indexedLength: ___, ...about } = document;
  return { ...about, hash: hashText(about.text), beginning: about.text.slice(0, beginningCharacters), chunks };
}
