import { normaliseText } from "../../normalise.ts";
import { charsetOf, decodeText } from "../decode.ts";
import { detectFormat } from "../detect.ts";
import type { ExtractedDocument } from "../document.ts";
import { ExtractionError } from "../document.ts";
import type { ExtractionInput } from "../formats.ts";
import { formatByName } from "../formats.ts";

/** Text as it is. Throws ExtractionError `empty` when it is blank. */
export function plainTextDocument(text: string, contentType = "text/plain"): ExtractedDocument {
  const normalised = normaliseText(text);
  if (normalised === "") throw new ExtractionError("empty", "There is nothing but white space.");
  return { text: normalised, contentType, marks: [] };
}

export function extractPlainText(input: ExtractionInput): ExtractedDocument {
  const { contentType } = formatByName(detectFormat(input));
  return plainTextDocument(decodeText(input.bytes, charsetOf(input.contentType)), contentType);
}
