import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Chunk } from "../chunk.ts";
import { ExtractionError } from "../extract/document.ts";
import type { DocumentAbout, LargeDocument } from "../prepared-document.ts";
import { beginningCharacters } from "../prepared-document.ts";

/** A document of more chunks is large. Its parts have this many, which bounds the memory that storing it takes. */
export const chunksPerPart = 256;

/** UTF-8 bytes of one UTF-16 code unit. */
const maxBytesPerUnit = 3;

/** A part of the file: its text in UTF-8, then the positions of its chunks in JSON. */
interface Part {
  /** Where its text starts in the document, in UTF-16 code units. */
  textStart: number;
  /** Where its text and where all of it ends in the file, in bytes. */
  textEnd: number;
  end: number;
}

type ChunkPosition = Omit<Chunk, "text">;

/** What tells how to read a file of parts. It is handed from one thread to another. */
export interface WrittenParts {
  hash: string;
  beginning: string;
  chunkCount: number;
  parts: Part[];
}

/** Writes a large document into a new file, a part at a time, while its text comes in stretches. Runs in a worker thread. */
export class PartWriter implements Disposable {
  readonly #file: number;
  readonly #hash = createHash("sha256");
  readonly #parts: Part[] = [];
  #beginning = "";
  #length = 0;
  #chunkCount = 0;
  #bytes = 0;
  /** Used for each write: new memory would add up to a multiple of the text before it is collected. */
  #buffer = Buffer.alloc(0);
  /** Where the text of the current part starts in the document, and the chunks that the part has so far. */
  #partStart = 0;
  #positions: ChunkPosition[] = [];

  constructor(path: string) {
    this.#file = openSync(path, "wx", 0o600);
  }

  /** Adds the next stretch of the document's text, and its chunks. @throws ExtractionError for too many chunks */
  add(text: string, chunks: readonly Chunk[]): void {
    const offset = this.#length;
    if (offset === 0) this.#beginning = text.slice(0, beginningCharacters);
    let written = 0;
    if (this.#positions.length >= chunksPerPart) this.#endPart(offset);
    for (const [at, { text: _, ...position }] of chunks.entries()) {
      if (this.#chunkCount === knowledgeLimits.chunksPerDocument) throw tooManyChunks();
      const { start, end } = position;
      this.#positions.push({ ...position, index: this.#chunkCount++, start: offset + start, end: offset + end });
      // The last chunk's part has the text after it.
      if (this.#positions.length < chunksPerPart || at === chunks.length - 1) continue;
      this.#writeText(text.slice(written, end));
      this.#endPart(offset + end);
      written = end;
    }
    this.#writeText(text.slice(written));
    this.#length += text.length;
  }

  /** Length of the text so far, in UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** Call once all text was added. */
  finish(): WrittenParts {
    if (this.#positions.length > 0) this.#endPart(this.#length);
    return {
      hash: this.#hash.digest("hex"),
      beginning: this.#beginning,
      chunkCount: this.#chunkCount,
      parts: this.#parts,
    };
  }

  #endPart(end: number): void {
    const textEnd = this.#bytes;
    this.#write(JSON.stringify(this.#positions));
    this.#parts.push({ textStart: this.#partStart, textEnd, end: this.#bytes });
    this.#partStart = end;
    this.#positions = [];
  }

  #writeText(text: string): void {
    this.#hash.update(this.#write(text));
  }

  /** Returns the bytes that were written. They are valid until the next call. */
  #write(text: string): Uint8Array {
    const maxBytes = maxBytesPerUnit * text.length;
    if (this.#buffer.length < maxBytes) this.#buffer = Buffer.allocUnsafeSlow(maxBytes);
    const bytes = this.#buffer.subarray(0, this.#buffer.write(text));
    writeFileSync(this.#file, bytes);
    this.#bytes += bytes.length;
    return bytes;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** The document that a PartWriter wrote to `path`. The file is gone once it is closed, or the process ends: it has no name any more. */
export async function takePartFile(path: string, about: DocumentAbout & WrittenParts): Promise<LargeDocument> {
  const file = await open(path, "r");
  await rm(path, { force: true });
  const { parts, ...document } = about;
  // The next read uses it again: new memory for each part would add up to the whole file before it is collected.
  let spare = Buffer.alloc(0);
  return {
    ...document,
    partCount: parts.length,
    async readPart(number) {
      const part = parts[number] ?? { textStart: 0, textEnd: 0, end: 0 };
      const from = parts[number - 1]?.end ?? 0;
      const length = part.end - from;
      const buffer = spare.length >= length ? spare : Buffer.allocUnsafeSlow(length);
      spare = Buffer.alloc(0);
      for (let read = 0; read < length; ) {
        const { bytesRead } = await file.read(buffer, read, length - read, from + read);
        if (bytesRead === 0) throw new Error("A large document's file ends too early.");
        read += bytesRead;
      }
      const text = buffer.toString("utf8", 0, part.textEnd - from);
      const positions = JSON.parse(buffer.toString("utf8", part.textEnd - from, length)) as ChunkPosition[];
      spare = buffer;
      const readText = ({ start, end }: ChunkPosition) => text.slice(start - part.textStart, end - part.textStart);
      return { text, chunks: positions.map((position) => ({ ...position, text: readText(position) })) };
    },
    close: () => file.close(),
  };
}

function tooManyChunks(): ExtractionError {
  return new ExtractionError(
    "too_large",
    `The document falls into more than ${knowledgeLimits.chunksPerDocument} chunks; split it and send the parts.`,
  );
}
