import { createRequire } from "node:module";
import { join } from "node:path";
import { getDocumentProxy } from "unpdf";
import type { ExtractedText, ExtractionInput, ExtractionLimits } from "../document.ts";
import { ExtractionError, parseLanguageTag, requireTextWithinLimit } from "../document.ts";
import { TextBuilder } from "../text-builder.ts";
import type { TextItem } from "./pdf-lines.ts";
import { paragraphsOf } from "./pdf-lines.ts";

/** Pieces of text on one page; a page of small print has some ten thousand. */
const maxItemsOfPage = 200_000;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf["getPage"]>>;

const require = createRequire(import.meta.url);

/** Which character a code of East Asian text stands for, where a PDF only names the table (ISO 32000-1, 9.7.5.2). */
const characterMaps = join(require.resolve("pdfjs-dist/package.json"), "../cmaps/");

/** Text of a PDF with its pages marked, from its text layer. Throws ExtractionError `no_text` when it has none, as a scan. */
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

/** The paragraphs of a page, then what was filled in and written on it. */
async function readPage(pdf: Pdf, number: number): Promise<string[]> {
  const page = await pdf.getPage(number);
  const paragraphs = [...paragraphsOf(await textOf(page, number)), ...entriesOf(await page.getAnnotations())];
  page.cleanup();
  return paragraphs;
}

/** The pieces of text of a page, read bit by bit so that a page without end is stopped. */
async function textOf(page: Page, number: number): Promise<TextItem[]> {
  const items: TextItem[] = [];
  const reader = page.streamTextContent().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const item of value.items) if ("str" in item) items.push(item);
    if (items.length > maxItemsOfPage) {
      throw new ExtractionError("too_large", `Page ${number} of the PDF holds more text than can be read.`);
    }
  }
  return items;
}

/** Programs write these where nobody has given a title. */
const emptyTitle =
  /^(untitled|unknown|title|none|null|about:blank|document\d*|slide 1|\(anonymous\))?$|^microsoft word - |\.(docx?|pdf|tex|indd|pptx?|qxd|dvi)$/i;

async function readMetadata(pdf: Pdf): Promise<{ title: string | undefined; language: string | undefined }> {
  const info: { Title?: unknown; Language?: unknown } = (await pdf.getMetadata()).info;
  const title = typeof info.Title === "string" ? info.Title.replaceAll("\0", "").trim() : "";
  const language = typeof info.Language === "string" ? parseLanguageTag(info.Language) : undefined;
  return { title: emptyTitle.test(title) ? undefined : title, language };
}

/** What pdf.js tells of a form's field or of a note on a page. */
interface Annotation {
  subtype?: unknown;
  fieldType?: unknown;
  /** Text, or the chosen ones of `options`. */
  fieldValue?: unknown;
  options?: { exportValue: unknown; displayValue: unknown }[];
  /** What a form calls the field to its reader. */
  alternativeText?: unknown;
  contentsObj?: { str: string };
  hidden?: boolean;
  password?: boolean;
}

/** The text that was typed or chosen in a page's form, each with what it was asked for, and that was written on the page. */
function entriesOf(annotations: readonly Annotation[]): string[] {
  return annotations.filter(({ hidden, password }) => !hidden && !password).flatMap(entryOf);
}

function entryOf(annotation: Annotation): string[] {
  const { subtype, fieldType, alternativeText, contentsObj } = annotation;
  if (subtype === "FreeText") return [contentsObj?.str ?? ""];
  if (subtype !== "Widget" || (fieldType !== "Tx" && fieldType !== "Ch")) return [];
  const value = shownValue(annotation);
  const label = typeof alternativeText === "string" ? alternativeText.trim() : "";
  return [value.trim() === "" || label === "" ? value : `${label}: ${value}`];
}

function shownValue({ fieldValue, options = [] }: Annotation): string {
  const values = [fieldValue].flat().filter((value) => typeof value === "string");
  const shown = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return values.map((value) => shown.get(value) ?? value).join(", ");
}
