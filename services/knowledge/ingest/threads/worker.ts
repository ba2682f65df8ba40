import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { ByteSource } from "../extract/decode.ts";
import { charsetOf, decodePieces } from "../extract/decode.ts";
import { detectFormat, isArchive } from "../extract/detect.ts";
import type { ExtractionErrorCode } from "../extract/document.ts";
import { ExtractionError } from "../extract/document.ts";
import type { ExtractionInput, ExtractionLimits, FormatName } from "../extract/formats.ts";
import { extractText } from "../extract/index.ts";
import type { DocumentStream } from "../extract/text-stream.ts";
import { isStreamed, streamDocument } from "../extract/text-stream.ts";
import { piecesOfText } from "../normalise.ts";
import type { PreparedAbout } from "../prepare.ts";
import { prepareStream } from "../prepare.ts";
import type { DocumentContent, DocumentInput } from "./document-input.ts";
import { textInMemoryCharacters } from "./document-input.ts";

/** What the thread is asked, one document at a time. */
export interface WorkerTask {
  input: DocumentInput;
  limits: ExtractionLimits;
  /** Where the document's text is written when it is long. */
  textPath: string;
}

/** What it answers; any other failure ends it. A document without `text` has it in the file. */
export type WorkerAnswer =
  | { document: PreparedAbout; text: string | undefined }
  | { code: ExtractionErrorCode; message: string };

/** Bytes that tell the format of all but archives. */
const startBytes = 64 * 1024;

/** Text is read a stretch at a time; what can be read as a whole alone is. */
async function read({ input, limits }: WorkerTask, source: ByteSource | undefined): Promise<DocumentStream> {
  const { content, ...about } = input;
  if ("text" in content) return streamDocument(content.format, piecesOfText(content.text), limits);
  if (source !== undefined && "path" in content && content.format !== undefined) {
    return streamDocument(content.format, decodePieces(source, "utf-8"), limits);
  }
  const format = source && formatOfStart({ ...about, bytes: source.read(0, startBytes) });
  if (source !== undefined && format !== undefined && isStreamed(format)) {
    return streamDocument(format, decodePieces(source, charsetOf(about.contentType)), limits);
  }
  const { text, marks, ...rest } = await extractText({ ...about, bytes: bytesOf(content) }, limits);
  return { stretches: [{ text, marks }], about: () => rest };
}

/** What an archive holds stands at its end. */
function formatOfStart(start: ExtractionInput): FormatName | undefined {
  return isArchive(start.bytes) ? undefined : detectFormat(start);
}

/** Undefined for a text that is in memory. */
function sourceOf(content: DocumentContent): (ByteSource & Disposable) | undefined {
  if ("text" in content) return undefined;
  if ("path" in content) return new FileBytes(content.path, content.bytesOnDisk);
  const { bytes } = content;
  return { size: bytes.byteLength, read: (from, to) => bytes.subarray(from, to), [Symbol.dispose]: () => undefined };
}

class FileBytes implements ByteSource, Disposable {
  readonly size: number;
  readonly #file: number;
  #buffer = new Uint8Array();

  constructor(path: string, size: number) {
    this.size = size;
    this.#file = openSync(path, "r");
  }

  read(from: number, to: number): Uint8Array {
    const wanted = Math.min(to, this.size) - from;
    if (this.#buffer.byteLength < wanted) this.#buffer = new Uint8Array(wanted);
    let got = 0;
    for (let more = -1; got < wanted && more !== 0; got += more) {
      more = readSync(this.#file, this.#buffer, got, wanted - got, from + got);
    }
    return this.#buffer.subarray(0, got);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** Plain bytes: some readers of formats refuse node's Buffer. */
function bytesOf(content: Exclude<DocumentContent, { text: string }>): Uint8Array {
  if ("bytes" in content) return content.bytes;
  const { buffer, byteOffset, byteLength } = readFileSync(content.path);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Keeps a text in memory while it is short, and in a file when it gets long. */
class TextKeeper implements Disposable {
  readonly #path: string;
  #parts: string[] = [];
  #length = 0;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#parts.push(text);
    if (this.#length <= textInMemoryCharacters) return;
    this.#file ??= openSync(this.#path, "wx", 0o600);
    for (const part of this.#parts) {
      if (writeSync(this.#file, part) < Buffer.byteLength(part))
        throw new Error("A document's text was not written whole.");
    }
    this.#parts = [];
  }

  /** The text; undefined when it is in the file. */
  get text(): string | undefined {
    return this.#file === undefined ? this.#parts.join("") : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

async function answer(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    using source = sourceOf(task.input.content);
    using kept = new TextKeeper(task.textPath);
    const document = prepareStream(await read(task, source), (piece) => kept.add(piece));
    return { document, text: kept.text };
  } catch (error) {
    if (error instanceof ExtractionError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.on("message", async (task: WorkerTask) => {
  const answered = await answer(task);
  if (!("document" in answered)) return parentPort?.postMessage(answered);
  const { numbers, places, placeEnds } = answered.document.chunks;
  parentPort?.postMessage(answered, [numbers.buffer, places.buffer, placeEnds.buffer]);
});
