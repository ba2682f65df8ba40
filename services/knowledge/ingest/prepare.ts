import { createHash } from "node:crypto";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Fence } from "./chunk/blocks.ts";
import type { ChunkOptions, MarkedText } from "./chunk.ts";
import { chunkText } from "./chunk.ts";
import type { ExtractedDocument } from "./extract/document.ts";
import { ExtractionError } from "./extract/document.ts";
import type { DocumentStream } from "./extract/text-stream.ts";
import { piecesOfText } from "./normalise.ts";
import type { ChunkTable } from "./prepared-chunks.ts";
import { numbersOfChunk } from "./prepared-chunks.ts";
import type { TextFile } from "./text-file.ts";

/** Length of what is kept at hand of a document's beginning, in UTF-16 code units. */
const beginningCharacters = 1_000;

/** What a document is, besides its text. */
export interface PreparedAbout extends Omit<ExtractedDocument, "marks" | "text"> {
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** The first characters of the text. */
  beginning: string;
  chunks: ChunkTable;
}

/** A document ready to be embedded. Where its text is in a file, that has to be closed at the end. */
export interface PreparedDocument extends PreparedAbout {
  text: string | TextFile;
}

/** Hashes a document and cuts it into chunks: work that grows with its text. @throws ExtractionError for too many chunks */
export function prepareDocument(document: ExtractedDocument, options?: ChunkOptions): PreparedDocument {
  const { text, marks: _, ...about } = document;
  const { chunks, hash, beginning } = prepareStretches([document], () => undefined, options);
  return { ...about, hash, beginning, chunks, text };
}

/** The same for a document that comes in stretches. `keep` is told its text, a piece at a time. */
export function prepareStream(document: DocumentStream, keep: (text: string) => void): PreparedAbout {
  const prepared = prepareStretches(document.stretches, keep);
  return { ...document.about(), ...prepared };
}

function prepareStretches(
  stretches: Iterable<MarkedText>,
  keep: (text: string) => void,
  options?: ChunkOptions,
): Pick<PreparedAbout, "hash" | "beginning" | "chunks"> {
  const hash = createHash("sha256");
  const numbers: number[] = [];
  const places: Buffer[] = [];
  const numberOfPlace = new Map<string, number>();
  const fence: Fence = {};
  let beginning = "";
  let length = 0;
  let bytes = 0;
  for (const stretch of stretches) {
    const { text } = stretch;
    let counted = 0;
    for (const { start, end, text: _, index, ...place } of chunkText(stretch, options, fence)) {
      if (numbers.length >= knowledgeLimits.chunksPerDocument * numbersOfChunk) throw tooManyChunks();
      const key = JSON.stringify(place);
      const number = numberOfPlace.get(key) ?? places.push(Buffer.from(key)) - 1;
      numberOfPlace.set(key, number);
      const startByte = bytes + Buffer.byteLength(text.slice(counted, start));
      bytes = startByte + Buffer.byteLength(text.slice(start, end));
      counted = end;
      numbers.push(length + start, length + end, startByte, bytes, number);
    }
    bytes += Buffer.byteLength(text.slice(counted));
    length += text.length;
    if (beginning === "") beginning = text.slice(0, beginningCharacters);
    for (const piece of piecesOfText(text)) {
      hash.update(piece, "utf8");
      keep(piece);
    }
  }
  const chunks = {
    numbers: Int32Array.from(numbers),
    places: new Uint8Array(Buffer.concat(places)),
    placeEnds: Int32Array.from(endsOf(places)),
  };
  return { hash: hash.digest("hex"), beginning, chunks };
}

function* endsOf(buffers: readonly Uint8Array[]): Generator<number, void, undefined> {
  let end = 0;
  for (const { byteLength } of buffers) {
    end += byteLength;
    yield end;
  }
}

function tooManyChunks(): ExtractionError {
  return new ExtractionError(
    "too_large",
    `The document falls into more than ${knowledgeLimits.chunksPerDocument} chunks; split it and send the parts.`,
  );
}
