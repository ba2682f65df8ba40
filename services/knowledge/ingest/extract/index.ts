import { knowledgeLimits } from "@agent-backends/contract";
import { detectFormat } from "./detect.ts";
import type { ExtractedDocument } from "./document.ts";
import { extractNow } from "./extract-now.ts";
import type { ExtractionInput, ExtractionLimits } from "./formats.ts";

export type { ExtractedDocument, ExtractionErrorCode, Mark } from "./document.ts";
export { ExtractionError } from "./document.ts";
export { markdownDocument } from "./formats/markdown.ts";
export { plainTextDocument } from "./formats/plain-text.ts";
export type { ExtractionInput, ExtractionLimits } from "./formats.ts";

export const defaultExtractionLimits: ExtractionLimits = {
  timeoutMs: knowledgeLimits.readingMs,
  timeoutMsPerMegabyte: knowledgeLimits.readingMsPerMegabyte,
  maxMemoryMb: 512,
  maxTextCharacters: 50 * 1024 * 1024,
};

/**
 * The text of a file of any format in formats.ts, its type told by content first and name second. It is read on this thread
 * and with no deadline. @throws ExtractionError, whose message may be shown to the file's owner
 */
export async function extractText(
  input: ExtractionInput,
  limits: ExtractionLimits = defaultExtractionLimits,
): Promise<ExtractedDocument> {
  return extractNow(detectFormat(input), input, limits);
}
