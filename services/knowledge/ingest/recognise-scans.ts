import { createReadStream } from "node:fs";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import { ProviderError } from "@agent-backends/llm";
import type { ExtractionLimits } from "./extract/document.ts";
import { ExtractionError, ScannedPagesError } from "./extract/document.ts";
import type { DocumentInput, FileInput, PreparedDocument, ReadingCaller } from "./prepared-document.ts";
import { readDocument } from "./read-document.ts";

/** Recognises the text of a PDF's pages. Page numbers start at 1. */
export interface TextRecognition {
  timeoutMs: number;
  recognise(
    pdf: { bytes: number; content: AsyncIterable<Uint8Array>; pages: readonly number[] },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, string>>;
}

const recognitionQueue = new FairQueue({
  concurrency: knowledgeLimits.recognitions,
  concurrencyPerClient: knowledgeLimits.recognitionsPerClient,
});

/**
 * Reads a document like `readDocument`. PDF pages without text get the text recognised on them.
 *
 * @throws what `readDocument` throws; ExtractionError if the text can't be recognised
 */
export async function readWithScans(
  input: DocumentInput,
  { extraction, recognition }: { extraction: ExtractionLimits; recognition?: TextRecognition | undefined },
  caller: ReadingCaller,
): Promise<PreparedDocument> {
  if (recognition === undefined || "text" in input) return readDocument(input, extraction, caller);
  try {
    return await readDocument({ ...input, scannedPages: "report" }, extraction, caller);
  } catch (error) {
    if (!(error instanceof ScannedPagesError)) throw error;
    const { pages } = error;
    requireRecognisable(input, pages);
    caller.onProgress?.({ stage: "waiting" });
    const recognise = () => {
      caller.onProgress?.({ stage: "extracting" });
      return recognisePages(recognition, input, pages, caller);
    };
    const scannedPages = await recognitionQueue.add(caller.client, recognise, caller.signal);
    return readDocument({ ...input, scannedPages }, extraction, caller);
  }
}

/** @throws ExtractionError `too_large` */
function requireRecognisable({ bytesOnDisk }: FileInput, pages: readonly number[]): void {
  const { recognisedBytes: maxBytes, recognisedPages: maxPages } = knowledgeLimits;
  const excess =
    pages.length > maxPages
      ? `${pages.length} scanned pages, and the text of at most ${maxPages}`
      : bytesOnDisk > maxBytes
        ? `scanned pages in ${bytesOnDisk} bytes, and the text of at most ${maxBytes} bytes`
        : undefined;
  if (excess === undefined) return;
  throw new ExtractionError("too_large", `The PDF has ${excess} is recognised; split it and send the parts.`);
}

async function recognisePages(
  { recognise, timeoutMs }: TextRecognition,
  { path, bytesOnDisk: bytes }: FileInput,
  pages: readonly number[],
  { signal }: Caller,
): Promise<ReadonlyMap<number, string>> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  try {
    return await recognise({ bytes, content: createReadStream(path, { signal: stop }), pages }, stop);
  } catch (error) {
    signal?.throwIfAborted();
    if (deadline.aborted) {
      throw new ExtractionError("timed_out", `Text recognition took more than ${timeoutMs} ms; try a shorter PDF.`);
    }
    if (!(error instanceof ProviderError)) throw error;
    const message = "The text of the PDF's scanned pages could not be recognised; try it again later.";
    throw new ExtractionError("recognition_failed", message, { cause: error });
  }
}
