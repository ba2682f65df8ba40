import { createRequire } from "node:module";
import { join } from "node:path";
import { getDocumentProxy } from "unpdf";
import type { ExtractedText, ExtractionInput, ExtractionLimits } from "../document.ts";
import { ExtractionError, parseLanguageTag, requireTextWithinLimit } from "../document.ts";
import { TextBuilder } from "../text-builder.ts";
import type { TextItem } from "./pdf-lines.ts";
import { toParagraphs } from "./pdf-lines.ts";

/** Maximum number of text items on one page. A page of small print has some ten thousand. */
const maxItemsPerPage = 200_000;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;

const require = createRequire(import.meta.url);

/** The predefined character maps of East Asian text, which a PDF refers to by name (ISO 32000-1, 9.7.5.2). */
const characterMaps = join(require.resolve("pdfjs-dist/package.json"), "../cmaps/");

/** The text layer of a PDF, with its pages marked. @throws ExtractionError `no_text` when it has none, like a scan */
export async function extractPdf(input: ExtractionInput, limits: ExtractionLimits): Promise<ExtractedText> {
  const pdf = await open(input.bytes);
  try {
    return await read(pdf, limits);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function read(pdf: Pdf, limits: ExtractionLimits): Promise<ExtractedText> {
  const builder = new TextBuilder();
  for (let page = 1; page <= pdf.numPages; page++) {
    for (const paragraph of await readPage(pdf, page)) builder.add(paragraph, { page });
    requireTextWithinLimit(builder.length, limits);
  }
  const { text, marks } = builder.build();
  if (text === "") {
    throw new ExtractionError(
      "no_text",
      "The PDF has no text layer; it is probably a scan. Run text recognition first.",
    );
  }
  return { text, ...(await readMetadata(pdf)), marks };
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: 0, cMapUrl: characterMaps });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new ExtractionError("encrypted", "The PDF is protected by a password; remove it and send the file again.");
    }
    throw error;
  }
}

/** The paragraphs of a page, then form entries and annotations. */
async function readPage(pdf: Pdf, number: number): Promise<string[]> {
  const page = await pdf.getPage(number);
  const paragraphs = [...toParagraphs(await readTextItems(page, number)), ...readEntries(await page.getAnnotations())];
  page.cleanup();
  return paragraphs;
}

/** The text items of a page, read as a stream so that a hostile page is stopped early. */
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

/** Titles that programs write by default. */
const defaultTitle =
  /^(untitled|unknown|title|none|null|about:blank|document\d*|slide 1|\(anonymous\))?$|^microsoft word - |\.(docx?|pdf|tex|indd|pptx?|qxd|dvi)$/i;

async function readMetadata(pdf: Pdf): Promise<{ title: string | undefined; language: string | undefined }> {
  const info: { Title?: unknown; Language?: unknown } = (await pdf.getMetadata()).info;
  const title = typeof info.Title === "string" ? info.Title.replaceAll("\0", "").trim() : "";
  const language = typeof info.Language === "string" ? parseLanguageTag(info.Language) : undefined;
  return { title: defaultTitle.test(title) ? undefined : title, language };
}

/** A form field or a note on a page, as pdf.js describes it. */
interface Annotation {
  subtype?: unknown;
  fieldType?: unknown;
  /** The typed text, or the export values of the chosen `options`. */
  fieldValue?: unknown;
  options?: { exportValue: unknown; displayValue: unknown }[];
  /** The label that the reader sees. */
  alternativeText?: unknown;
  contentsObj?: { str: string };
  hidden?: boolean;
  password?: boolean;
}

/** The form entries of a page, each with its label, and its free text annotations. */
function readEntries(annotations: readonly Annotation[]): string[] {
  return annotations.filter(({ hidden, password }) => !hidden && !password).flatMap(readEntry);
}

function readEntry(annotation: Annotation): string[] {
  const { subtype, fieldType, alternativeText, contentsObj } = annotation;
  if (subtype === "FreeText") return [contentsObj?.str ?? ""];
  if (subtype !== "Widget" || (fieldType !== "Tx" && fieldType !== "Ch")) return [];
  const value = formatValue(annotation);
  const label = typeof alternativeText === "string" ? alternativeText.trim() : "";
  return [value.trim() === "" || label === "" ? value : `${label}: ${value}`];
}

function formatValue({ fieldValue, options = [] }: Annotation): string {
  const values = [fieldValue].flat().filter((value) => typeof value === "string");
  const shown = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return values.map((value) => shown.get(value) ?? value).join(", ");
}
