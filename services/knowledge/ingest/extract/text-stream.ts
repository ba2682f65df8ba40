import type { MarkedText } from "../chunk.ts";
import { normalisePieces } from "../normalise.ts";
import type { ExtractedDocument } from "./document.ts";
import { ExtractionError } from "./document.ts";
import { tooMuchText } from "./extract-now.ts";
import { MarkdownScanner, nothingToRead } from "./formats/markdown.ts";
import type { ExtractionLimits, FormatName } from "./formats.ts";
import { formatByName } from "./formats.ts";

/** Length of a stretch, in UTF-16 code units, unless there is no end of a block: then twice as much. */
const stretchCharacters = 1 << 18;

/** Formats whose files are read a stretch at a time, because their text is what they hold. */
const streamed: readonly FormatName[] = ["text", "markdown", "csv", "tsv"];

export const isStreamed = (format: FormatName): boolean => streamed.includes(format);

/** A document of which no more than a stretch is in memory. What it says of itself is known when all stretches were taken. */
export interface DocumentStream {
  stretches: Iterable<MarkedText>;
  about(): Omit<ExtractedDocument, "text" | "marks">;
}

/**
 * A document of a streamed format from its decoded text. Taking its stretches throws ExtractionError: `empty` when the text
 * is blank, `too_large` when it is over the limit.
 */
export function streamDocument(format: FormatName, pieces: Iterable<string>, limits: ExtractionLimits): DocumentStream {
  const { contentType } = formatByName(format);
  const scanner = format === "markdown" ? new MarkdownScanner() : undefined;
  function* stretches(): Generator<MarkedText, void, undefined> {
    let length = 0;
    for (const text of cutBetweenBlocks(normalisePieces(pieces))) {
      length += text.length;
      if (length > limits.maxTextCharacters) throw tooMuchText(limits);
      yield { text, marks: scanner?.scan(text) ?? [] };
    }
    if (scanner?.isEmpty) throw nothingToRead();
    if (length === 0) throw new ExtractionError("empty", "There is nothing but white space.");
  }
  return {
    stretches: stretches(),
    about: () => ({ contentType, ...(scanner?.title === undefined ? {} : { title: scanner.title }) }),
  };
}

/** The same text in stretches that end behind an empty line, a line, or a word, whichever is there. */
function* cutBetweenBlocks(pieces: Iterable<string>): Generator<string, void, undefined> {
  let waiting = "";
  for (const piece of pieces) {
    waiting += piece;
    while (waiting.length >= 2 * stretchCharacters) {
      const end = endOfStretch(waiting);
      yield waiting.slice(0, end);
      waiting = waiting.slice(end);
    }
  }
  if (waiting !== "") yield waiting;
}

function endOfStretch(text: string): number {
  for (const end of ["\n\n", "\n", " "]) {
    const found = text.lastIndexOf(end, 2 * stretchCharacters - end.length);
    if (found >= stretchCharacters) return found + end.length;
  }
  const code = text.charCodeAt(2 * stretchCharacters);
  return code >= 0xdc00 && code <= 0xdfff ? 2 * stretchCharacters - 1 : 2 * stretchCharacters;
}
