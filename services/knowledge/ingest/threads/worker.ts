import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { detectFormat, isArchive } from "../extract/detect.ts";
import type { ExtractionErrorCode, ExtractionLimits } from "../extract/document.ts";
import { ExtractionError, ScannedPagesError } from "../extract/document.ts";
import type { ByteSource } from "../extract/encoding/decode.ts";
import { decodePieces } from "../extract/encoding/decode.ts";
import { parseCharset } from "../extract/encoding/known-encoding.ts";
import { extractFile } from "../extract/extract.ts";
import { readHtmlTables } from "../extract/formats/markdown-tables.ts";
import type { FormatName } from "../extract/formats.ts";
import { plainFormats } from "../extract/formats.ts";
import type { WrittenDocument } from "../large/prepare.ts";
import { prepareDocument, prepareText } from "../large/prepare.ts";
import { splitIntoPieces } from "../normalise.ts";
import type { DocumentInput, SmallDocument } from "../prepared-document.ts";

/** Request to the thread, for one document at a time. */
export interface WorkerTask {
  input: DocumentInput;
  limits: ExtractionLimits;
  /** The file that a large document is written to. */
  path: string;
}

/** Message that the thread sends before its answer. */
type WorkerProgress = { stage: "chunking" };
export type WorkerMessage = WorkerProgress | WorkerAnswer;

/** Answer of the thread. Any failure that isn't the document's fault ends the thread. */
export type WorkerAnswer =
  | SmallDocument
  | WrittenDocument
  | { code: ExtractionErrorCode; message: string }
  | { scannedPages: readonly number[] };

/** Number of bytes that reveal the format of all files except archives. */
const startBytes = 64 * 1024;

async function prepare({ input, limits, path }: WorkerTask): Promise<SmallDocument | WrittenDocument> {
  const startChunking = () => parentPort?.postMessage({ stage: "chunking" } satisfies WorkerProgress);
  if ("text" in input) {
    startChunking();
    return prepareText(await toPieces(input.format, () => splitIntoPieces(input.text)), input.format, limits, path);
  }
  using file = new FileBytes(input.path, input.bytesOnDisk);
  const start = { ...input, bytes: file.read(0, startBytes) };
  // The list of an archive's entries is at its end.
  const format = input.format ?? (isArchive(start.bytes) ? undefined : detectFormat(start));
  if (format !== undefined && plainFormats.includes(format)) {
    const charset = input.format === undefined ? parseCharset(input.contentType) : "utf-8";
    startChunking();
    return prepareText(await toPieces(format, () => decodePieces(file, charset)), format, limits, path);
  }
  // Some extractors refuse Node.js's Buffer.
  const { buffer, byteOffset, byteLength } = readFileSync(input.path);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  const document = await extractFile({ ...input, bytes }, limits);
  startChunking();
  return prepareDocument(document, path);
}

const toPieces = async (format: FormatName, read: () => Iterable<string>) =>
  format === "markdown" ? readHtmlTables(read) : read();

/** The bytes of a file, always read into the same memory. */
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

async function answer(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    return await prepare(task);
  } catch (error) {
    if (error instanceof ScannedPagesError) return { scannedPages: error.pages };
    if (error instanceof ExtractionError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.on("message", async (task: WorkerTask) => parentPort?.postMessage(await answer(task)));
