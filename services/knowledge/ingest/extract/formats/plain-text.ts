import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, ExtractionInput, ExtractionLimits } from "../document.ts";
import { ExtractionError } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";

export function extractPlainText(
  input: ExtractionInput,
  _limits: ExtractionLimits,
  format: { name: string },
): ExtractedText {
  return readPlainText(decodeText(input.bytes, parseCharset(input.contentType)), format.name);
}

export const isSeparatedValues = (format: string): boolean => format === "csv" || format === "tsv";

/** Text as it is. @throws ExtractionError `empty` when it is blank */
export function readPlainText(text: string, format = "text"): ExtractedText {
  const normalised = normaliseText(text);
  if (normalised === "") throw new ExtractionError("empty", "The text is empty or only white space.");
  return { text: normalised, ...(isSeparatedValues(format) && { isSeparatedValues: true }), marks: [] };
}
