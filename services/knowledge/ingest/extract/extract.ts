import { knowledgeLimits } from "@agent-backends/contract";
import { detectFormat } from "./detect.ts";
import type { ExtractedDocument, ExtractionInput, ExtractionLimits } from "./document.ts";
import { ExtractionError, requireTextWithinLimit } from "./document.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readPlainText } from "./formats/plain-text.ts";
import type { FormatName } from "./formats.ts";
import { formatByName } from "./formats.ts";

export const defaultExtractionLimits: ExtractionLimits = {
  timeoutMs: knowledgeLimits.readingMs,
  timeoutMsPerMegabyte: knowledgeLimits.readingMsPerMegabyte,
  maxMemoryMb: 512,
  maxTextCharacters: 50 * 1024 * 1024,
};

/** Maximum depth of files inside files, such as messages attached to messages. */
const maxDepth = 3;

/** The text of a file, read on this thread and without a deadline. @throws ExtractionError, whose message the file's owner may see */
export async function extractFile(
  input: ExtractionInput,
  limits: ExtractionLimits = defaultExtractionLimits,
  format: FormatName = detectFormat(input),
  depth = 0,
): Promise<ExtractedDocument> {
  const { label, contentType, load } = formatByName(format);
  const extract = await load();
  const readInner = async (inner: ExtractionInput) => {
    if (depth < maxDepth) return extractFile(inner, limits, detectFormat(inner), depth + 1);
    throw new ExtractionError("too_large", `Files are attached to each other more than ${maxDepth} deep.`);
  };
  try {
    const extracted = await extract(input, limits, { name: format, label, readInner });
    requireTextWithinLimit(extracted.text.length, limits);
    return { ...extracted, contentType };
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    // The extractor's own message may contain paths or parts of the file.
    throw new ExtractionError("damaged", `The ${label} is damaged and can't be read.`, { cause: error });
  }
}

/** Like `extractFile`, for text that is already decoded. */
export function extractString(
  text: string,
  format: FormatName,
  limits: ExtractionLimits = defaultExtractionLimits,
): ExtractedDocument {
  const extracted = format === "markdown" ? readMarkdown(text) : readPlainText(text, format);
  requireTextWithinLimit(extracted.text.length, limits);
  return { ...extracted, contentType: formatByName(format).contentType };
}
