import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { FairQueue, waitForTurn } from "@agent-backends/kit";
import { detectFormat } from "./extract/detect.ts";
import type { ExtractedDocument, ExtractionLimits } from "./extract/document.ts";
import { extractFile, extractString } from "./extract/extract.ts";
import { hasTable } from "./extract/formats/markdown-tables.ts";
import { plainFormats } from "./extract/formats.ts";
import type { DocumentInput, PreparedDocument, ReadingCaller } from "./prepared-document.ts";
import { getInputSize, prepareSmallDocument } from "./prepared-document.ts";
import { readInWorker } from "./threads/read-in-worker.ts";

/**
 * Maximum size of text to read on this thread. It takes some milliseconds, 20 for 4,000 headings. Such a text is always a small
 * document.
 */
const maxBytesOnThisThread = 16 * 1024;

/** Each text takes one turn of the event loop, so that requests are answered in between. */
const shortTextQueue = new FairQueue({ concurrency: 1 });

/**
 * Reads a document, hashes it and cuts it into chunks. Everything except short text is read in a separate thread with a deadline and a
 * memory limit, so that no client's data delays other requests. The caller closes a large document.
 *
 * @throws ExtractionError, whose message the document's owner may see, or the signal's reason once it aborts
 */
export async function readDocument(
  input: DocumentInput,
  limits: ExtractionLimits,
  caller: ReadingCaller = { client: "" },
): Promise<PreparedDocument> {
  caller.signal?.throwIfAborted();
  const extract = getInputSize(input) <= maxBytesOnThisThread ? await findShortTextExtractor(input, limits) : undefined;
  if (extract === undefined) return readInWorker(input, limits, caller);
  const readInTurn = async () => {
    await waitForTurn();
    caller.onProgress?.({ stage: "extracting" });
    const document = await extract();
    caller.onProgress?.({ stage: "chunking" });
    return prepareSmallDocument(document);
  };
  return shortTextQueue.add(caller.client, readInTurn, caller.signal);
}

/** Returns a function that extracts a short document on this thread, or undefined if that may take long. */
async function findShortTextExtractor(
  input: DocumentInput,
  limits: ExtractionLimits,
): Promise<(() => ExtractedDocument | Promise<ExtractedDocument>) | undefined> {
  if ("text" in input) {
    if (input.format === "markdown" && hasTable([input.text])) return undefined;
    return () => extractString(input.text, input.format, limits);
  }
  const bytes = await readFile(input.path);
  // Guessing an encoding takes a hundred times as long as reading UTF-8.
  if (input.format !== undefined || !isUtf8(bytes)) return undefined;
  const file = { ...input, bytes };
  const format = detectFormat(file);
  if (format === "markdown" && hasTable([bytes.toString()])) return undefined;
  // Even a small page, e-mail or office file can be built to take forever.
  return plainFormats.includes(format) ? () => extractFile(file, limits, format) : undefined;
}
