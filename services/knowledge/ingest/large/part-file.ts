import { createHash } from "node:crypto";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Chunk } from "../chunk.ts";
import { ExtractionError } from "../extract/document.ts";
import type { DocumentAbout, LargeDocument } from "../prepared-document.ts";
import { beginningCharacters } from "../prepared-document.ts";

/**
 * Number of chunks in each part of a large document. It bounds the memory for storing the document. A document with more chunks is
 * large.
 */
export const chunksPerPart = 256;

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const maxBytesPerUnit = 3;

/** A part of the file: its text in UTF-8, then the positions of its chunks in JSON. */
interface Part {
  /** Where its text starts in the document, in UTF-16 code units. */
  textStart: number;
  /** Where the text and where the whole part ends in the file, in bytes. */
  textEnd: number;
  end: number;
}

type ChunkPosition = Omit<Chunk, "text">;

/** Describes how to read a file of parts. It is passed from one thread to another. */
export interface WrittenParts {
  hash: string;
  beginning: string;
  chunkCount: number;
  parts: Part[];
}

/** Writes a large document to a new file, part by part, while its text arrives in stretches. Runs in a worker thread. */
export class PartWriter implements Disposable {
  readonly #file: number;
  readonly #hash = createHash("sha256");
  readonly #parts: Part[] = [];
  #beginning = "";
  #length = 0;
  #chunkCount = 0;
  #bytes = 0;
  /** Reused for each write: new buffers would add up to a multiple of the text before they are collected. */
  #buffer = Buffer.alloc(0);
  /** Where the text of the current part starts in the document, and the chunks of the part so far. */
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
      if (this.#chunkCount === knowledgeLimits.chunksPerDocument) throw createTooManyChunksError();
      const { start, end } = position;
      this.#positions.push({ ...position, index: this.#chunkCount++, start: offset + start, end: offset + end });
      // Text after the last chunk belongs to that chunk's part.
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

  /** Call once all text has been added. */
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

  /** Returns the written bytes, which are valid until the next call. */
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

/** Opens the document that a PartWriter wrote to `path` and unlinks the file. The file disappears once it is closed or the process ends. */
export async function takePartFile(path: string, about: DocumentAbout & WrittenParts): Promise<LargeDocument> {
  const file = await open(path, "r");
  await rm(path, { force: true });
  const { parts, ...document } = about;
  // Reused by the next read: new buffers would add up to the whole file before they are collected.
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

function createTooManyChunksError(): ExtractionError {
  return new ExtractionError(
    "too_large",
    `The document falls into more than ${knowledgeLimits.chunksPerDocument} chunks; split it and send the parts.`,
  );
}
