import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, ExtractionInput } from "../document.ts";
import { ExtractionError } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";

export function extractPlainText(input: ExtractionInput): ExtractedText {
  return readPlainText(decodeText(input.bytes, parseCharset(input.contentType)));
}

/** Text as it is. @throws ExtractionError `empty` when it is blank */
export function readPlainText(text: string): ExtractedText {
  const normalised = normaliseText(text);
  if (normalised === "") throw new ExtractionError("empty", "The text is empty or only white space.");
  return { text: normalised, marks: [] };
}
