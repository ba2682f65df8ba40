import { createRequire } from "node:module";
import { join } from "node:path";
import { getDocumentProxy } from "unpdf";
import type { ExtractedText, ExtractionInput, ExtractionLimits } from "../../document.ts";
import {
  ExtractionError,
  parseLanguageTag,
  parseTitle,
  protectedMessage,
  requireTextWithinLimit,
  ScannedPagesError,
} from "../../document.ts";
import { TextBuilder } from "../../text-builder.ts";
import { readEntries } from "./annotations.ts";
import { readGlyphs } from "./glyph-codes.ts";
import { markHeadingLines } from "./heading-lines.ts";
import type { Line, Page as PageText, Paragraph } from "./lines.ts";
import { toLines, toParagraphs } from "./lines.ts";
import { markHeadings, readOutline } from "./outline.ts";
import { removeFurniture } from "./page-furniture.ts";
import type { TextItem } from "./reading-order.ts";
import type { PageTable } from "./tables.ts";
import { findTables } from "./tables.ts";
import { orderColumns } from "./text-columns.ts";
import { turnUpright } from "./upright.ts";
import { writeLetters } from "./write-letters.ts";

/** Maximum number of text items on one page. A page of small print has some ten thousand. */
const maxItemsPerPage = 200_000;

/** Maximum number of pages that a warning lists. */
const maxNamedPages = 10;

const ocrHint = "Run text recognition first, or let KNOWLEDGE_OCR_URL name a server that does.";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;

const require = createRequire(import.meta.url);

/** The predefined character maps of East Asian text, which PDFs refer to by name (ISO 32000-1, 9.7.5.2). */
const characterMaps = join(require.resolve("pdfjs-dist/package.json"), "../cmaps/");

/**
 * The text layer of a PDF with its pages marked, and the text recognised on pages without a text layer.
 *
 * @throws ExtractionError `no_text` if there is no text, as in a scan
 * @throws ScannedPagesError for pages without text if the input asks to report them
 */
export async function extractPdf(input: ExtractionInput, limits: ExtractionLimits): Promise<ExtractedText> {
  const pdf = await open(input.bytes);
  try {
    return await read(pdf, input.scannedPages, limits);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function read(
  pdf: Pdf,
  scannedPages: ExtractionInput["scannedPages"],
  limits: ExtractionLimits,
): Promise<ExtractedText> {
  const pages: PageText[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await readPage(pdf, number);
    length += page.lines.reduce((sum, { text }) => sum + text.length, 0);
    requireTextWithinLimit(length, limits);
    pages.push(page);
  }
  const recognised = scannedPages === "report" ? undefined : scannedPages;
  const withoutText = pages.flatMap((page, index) => (hasText(page) ? [] : [index + 1]));
  if (scannedPages === "report" && withoutText.length > 0) throw new ScannedPagesError(withoutText);
  for (const text of recognised?.values() ?? []) length += text.length;
  requireTextWithinLimit(length, limits);
  const outline = await readOutline(pdf);
  // An outline may lead to a running title. Without one, running titles must not be taken for headings.
  if (outline.length > 0) markHeadings(pages, outline);
  removeFurniture(pages);
  if (outline.length === 0) markHeadingLines(pages);
  const builder = new TextBuilder();
  let heading: string | undefined;
  let above: PageTable | undefined;
  for (const [index, { lines, entries }] of pages.entries()) {
    const parts = findTables(orderColumns(lines), above);
    const last = parts.at(-1);
    above = last !== undefined && "table" in last ? last : undefined;
    const added = [...entries, ...(recognised?.get(index + 1)?.split(/\n\s*\n/) ?? [])];
    for (const paragraph of [...toBlocks(parts), ...added.map((text) => ({ text, heading: undefined }))]) {
      heading = paragraph.heading ?? heading;
      builder.add(paragraph.text, { page: index + 1, heading });
    }
  }
  requireTextWithinLimit(builder.length, limits);
  const { text, marks } = builder.build();
  if (text === "") {
    throw new ExtractionError(
      "no_text",
      recognised
        ? "The PDF has no text layer, and no text was recognised on its pages."
        : `The PDF has no text layer; it is probably a scan. ${ocrHint}`,
    );
  }
  const warning = recognised === undefined ? describeUnread(withoutText, pages.length) : undefined;
  return { text, ...(await readMetadata(pdf)), marks, ...(warning !== undefined && { warning }) };
}

/** Lists the pages that a search can't find, because they are scans or blank. */
function describeUnread(numbers: readonly number[], count: number): string | undefined {
  if (numbers.length === 0) return undefined;
  const named = numbers.slice(0, maxNamedPages).join(", ");
  const pages = `${numbers.length} of ${count} pages (${named}${numbers.length > maxNamedPages ? ", …" : ""})`;
  return `No text was found on ${pages}. ${ocrHint}`;
}

const hasText = ({ lines, entries }: PageText): boolean =>
  entries.length > 0 || lines.some(({ text }) => text.trim() !== "");

/** The tables of a page, and the paragraphs around them. */
function toBlocks(parts: readonly (Line | PageTable)[]): Paragraph[] {
  const blocks: Paragraph[] = [];
  let prose: Line[] = [];
  for (const part of parts) {
    if ("y" in part) {
      prose.push(part);
      continue;
    }
    blocks.push(...toParagraphs(prose), { text: part.table, heading: part.heading });
    prose = [];
  }
  return [...blocks, ...toParagraphs(prose)];
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: 0, cMapUrl: characterMaps });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new ExtractionError("encrypted", `The PDF ${protectedMessage}`);
    }
    throw error;
  }
}

async function readPage(pdf: Pdf, number: number): Promise<PageText> {
  const page = await pdf.getPage(number);
  const { items, bottom, top } = turnUpright(readGlyphs(await readTextItems(page, number)), page.view);
  const lines = toLines(items);
  for (const part of lines.flatMap((line) => [line, ...line.segments])) part.text = writeLetters(part.text);
  const entries = readEntries(await page.getAnnotations()).map(writeLetters);
  page.cleanup();
  return { bottom, top, lines, entries };
}

/** The text items of a page, read as a stream so that reading a hostile page stops early. */
async function readTextItems(page: Page, number: number): Promise<TextItem[]> {
  const items: TextItem[] = [];
  const reader = page.streamTextContent().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) if ("str" in item) items.push(item);
    if (items.length > maxItemsPerPage) {
      throw new ExtractionError(
        "too_large",
        `Page ${number} of the PDF holds more than ${maxItemsPerPage} pieces of text.`,
      );
    }
  }
  return items;
}

async function readMetadata(pdf: Pdf): Promise<{ title: string | undefined; language: string | undefined }> {
  const info: { Title?: unknown; Language?: unknown } = (await pdf.getMetadata()).info;
  const title = typeof info.Title === "string" ? parseTitle(info.Title) : undefined;
  const language = typeof info.Language === "string" ? parseLanguageTag(info.Language) : undefined;
  return { title, language };
}
