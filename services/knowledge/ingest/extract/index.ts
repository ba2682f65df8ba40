import { detectFormat } from "./detect.ts";
import type { ExtractedDocument } from "./document.ts";
import { extractNow } from "./extract-now.ts";
import type { ExtractionInput, ExtractionLimits } from "./formats.ts";
import { formatByName } from "./formats.ts";
import { runInWorker } from "./run-in-worker.ts";

export type { ExtractedDocument, ExtractionErrorCode, Mark } from "./document.ts";
export { ExtractionError } from "./document.ts";
export { markdownDocument } from "./formats/markdown.ts";
export { plainTextDocument } from "./formats/plain-text.ts";
export type { ExtractionInput, ExtractionLimits } from "./formats.ts";

export const defaultExtractionLimits: ExtractionLimits = {
  timeoutMs: 30_000,
  maxMemoryMb: 512,
  maxTextCharacters: 50 * 1024 * 1024,
};

/** Text up to this size is read at once, which takes less than a thread's start. */
const maxBytesOnThisThread = 256 * 1024;

/**
 * The text of a file of any format in formats.ts, its type told by content first and name second. Everything but short
 * text is read in a thread of its own with a deadline and a memory limit, some at a time.
 * Takes over `input.bytes`: they may be empty afterwards. Rejects with ExtractionError, whose message may be shown to the
 * file's owner, or with the signal's reason once it aborts.
 */
export async function extractText(
  input: ExtractionInput & { signal?: AbortSignal | undefined },
  limits: ExtractionLimits = defaultExtractionLimits,
): Promise<ExtractedDocument> {
  const { signal, ...file } = input;
  signal?.throwIfAborted();
  const format = detectFormat(file);
  const isShortText = formatByName(format).isText && format !== "html" && file.bytes.byteLength <= maxBytesOnThisThread;
  if (isShortText) return extractNow(format, file, limits);
  return runInWorker({ format, input: file, limits }, signal);
}
