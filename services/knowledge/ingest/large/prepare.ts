import type { OpenBlock } from "../chunk/blocks.ts";
import { separateTitle } from "../chunk/tables.ts";
import { chunkText } from "../chunk.ts";
import type { ExtractedDocument, ExtractionLimits } from "../extract/document.ts";
import { requireTextWithinLimit } from "../extract/document.ts";
import { extractString } from "../extract/extract.ts";
import { HeadingScanner, readFrontMatter } from "../extract/formats/markdown.ts";
import { isSeparatedValues, UnderlineScanner } from "../extract/formats/plain-text.ts";
import type { FormatName } from "../extract/formats.ts";
import { formatByName } from "../extract/formats.ts";
import type { DocumentAbout, SmallDocument } from "../prepared-document.ts";
import { prepareSmallDocument } from "../prepared-document.ts";
import type { WrittenParts } from "./part-file.ts";
import { chunksPerPart, PartWriter } from "./part-file.ts";
import { cutIntoStretches } from "./stretches.ts";

/** A worker's result for a large document: everything except the parts, which it wrote to a file. */
export type WrittenDocument = DocumentAbout & WrittenParts;

/** Prepares a document that was extracted as a whole. If it has many chunks, it is written to a new file at `path`. */
export function prepareDocument(document: ExtractedDocument, path: string): SmallDocument | WrittenDocument {
  const chunks = chunkText(document);
  if (chunks.length <= chunksPerPart) return prepareSmallDocument(document, chunks);
  const { text, marks: _, isSeparatedValues: __, indexedLength: ___, ...about } = document;
  using writer = new PartWriter(path);
  writer.add(text, chunks);
  return { ...about, ...writer.finish() };
}

/**
 * Prepares a decoded text without holding all of it in memory. A text that fits into a single stretch is extracted as a whole.
 *
 * @throws ExtractionError `too_large` for a text over the limit, and what extracting it as a whole throws
 */
export function prepareText(
  pieces: Iterable<string>,
  format: FormatName,
  limits: ExtractionLimits,
  path: string,
): SmallDocument | WrittenDocument {
  const values = isSeparatedValues(format) ? { isSeparatedValues: true as const } : {};
  const stretches = cutIntoStretches(pieces, values);
  const first = stretches.next().value ?? "";
  const second = stretches.next().value;
  if (second === undefined) return prepareDocument(extractString(first, format, limits), path);
  const isMarkdown = format === "markdown";
  const frontMatter = isMarkdown ? readFrontMatter(first) : undefined;
  const headings = new HeadingScanner();
  const underlines = new UnderlineScanner();
  const openBlock: OpenBlock = {};
  using writer = new PartWriter(path);
  const add = (text: string, from = 0) => {
    const marks = isMarkdown ? headings.scan(text, from) : values.isSeparatedValues ? [] : underlines.scan(text);
    writer.add(text, chunkText({ text, marks, ...values }, undefined, openBlock));
    requireTextWithinLimit(writer.length, limits);
  };
  add(values.isSeparatedValues ? separateTitle(first) : first, frontMatter?.end);
  add(second);
  for (const stretch of stretches) add(stretch);
  const { contentType } = formatByName(format);
  return { contentType, title: frontMatter?.title ?? headings.first, ...writer.finish() };
}
