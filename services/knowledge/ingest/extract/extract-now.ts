import type { ExtractedDocument } from "./document.ts";
import { ExtractionError } from "./document.ts";
import type { ExtractionInput, ExtractionLimits, FormatName } from "./formats.ts";
import { formatByName } from "./formats.ts";

/** Reads a document on this thread, with no deadline; whatever its bytes lead to is an ExtractionError. */
export async function extractNow(
  format: FormatName,
  input: ExtractionInput,
  limits: ExtractionLimits,
): Promise<ExtractedDocument> {
  const { label, load } = formatByName(format);
  const extract = await load();
  try {
    return refuseTooMuchText(await extract(input, limits), limits);
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    // A reader's own message may hold paths or parts of the file.
    throw new ExtractionError("damaged", `The ${label} is damaged and can't be read.`, { cause: error });
  }
}

/** The document, when its text is within the limit. */
export function refuseTooMuchText(document: ExtractedDocument, limits: ExtractionLimits): ExtractedDocument {
  if (document.text.length > limits.maxTextCharacters) throw tooMuchText(limits);
  return document;
}

export function tooMuchText(limits: ExtractionLimits): ExtractionError {
  return new ExtractionError(
    "too_large",
    `The document holds more than ${limits.maxTextCharacters} characters of text; split it and send the parts.`,
  );
}
