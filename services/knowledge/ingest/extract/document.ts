import type { Place } from "../../store/document.ts";

/** The origin of a part of a document's text. The part ends at the `start` of the next mark. */
export interface Mark extends Place {
  /** Offset into the document's text, in UTF-16 code units. */
  start: number;
}

/** The text of a file, as returned by a format's extractor. */
export interface ExtractedText {
  /** The text as it is stored, hashed and cited: normalised by `normaliseText`, and never blank. */
  text: string;
  title?: string | undefined;
  /** BCP 47 tag, if the document declares one. */
  language?: string | undefined;
  /** Whether a fetched page's text is its main content. False if none was found and the whole page was taken. */
  isMainContent?: boolean;
  /** Tells the file's owner which parts of the file weren't read. */
  warning?: string;
  /** Offset of text that is stored but not cut into chunks, such as a page's menus. Undefined if all text is indexed. */
  indexedLength?: number;
  /** Set for comma- or tab-separated values, which are rows of one table. */
  isSeparatedValues?: true;
  /** In ascending order of `start`. Empty if nothing is known. */
  marks: Mark[];
}

export interface ExtractedDocument extends ExtractedText {
  contentType: string;
}

/** A file or the body of a page. */
export interface ExtractionInput {
  bytes: Uint8Array;
  filename?: string | undefined;
  /** The Content-Type sent with it, including parameters. */
  contentType?: string | undefined;
  /** The address it was fetched from. Relative links are resolved against it. */
  url?: string | undefined;
  /**
   * How to treat PDF pages without text: "report" throws a ScannedPagesError, and a map provides the text recognised on them. Undefined
   * leaves them out.
   */
  scannedPages?: "report" | ReadonlyMap<number, string> | undefined;
}

export interface ExtractionLimits {
  /** Maximum wall-clock time to read one document once it is its turn: a fixed part, plus a part for each megabyte. */
  timeoutMs: number;
  timeoutMsPerMegabyte: number;
  /** Maximum memory for reading one document, objects and buffers together. */
  maxMemoryMb: number;
  /** Maximum length of one document's text, in UTF-16 code units. */
  maxTextCharacters: number;
}

export interface ExtractorContext {
  /** Key and label of the format's entry in formats.ts. */
  name: string;
  label: string;
  /** Reads a file of any format that is inside this file. @throws ExtractionError */
  readInner(input: ExtractionInput): Promise<ExtractedText>;
}

export type Extractor = (
  input: ExtractionInput,
  limits: ExtractionLimits,
  context: ExtractorContext,
) => ExtractedText | Promise<ExtractedText>;

export type ExtractionErrorCode =
  | "no_text"
  | "encrypted"
  | "damaged"
  | "empty"
  | "unsupported"
  | "too_large"
  | "timed_out"
  | "recognition_failed";

/** A file whose text can't be read. The message is one sentence that the file's owner may see. */
export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExtractionError";
    this.code = code;
  }
}

/** Completes "The file …". */
export const protectedMessage = "is protected by a password; remove the protection and send it again.";

/** The PDF has pages without text, which needs to be recognised. Page numbers start at 1. */
export class ScannedPagesError extends ExtractionError {
  readonly pages: readonly number[];

  constructor(pages: readonly number[]) {
    super("no_text", "The PDF has pages without a text layer.");
    this.pages = pages;
  }
}

/** @throws ExtractionError `too_large` for a text of this length, in UTF-16 code units */
export function requireTextWithinLimit(length: number, { maxTextCharacters }: ExtractionLimits): void {
  if (length <= maxTextCharacters) return;
  throw new ExtractionError(
    "too_large",
    `The document holds more than ${maxTextCharacters} characters of text; split it and send the parts.`,
  );
}

/** Titles that programs set by default. */
const defaultTitle =
  /^(untitled|unknown|title|none|null|about:blank|document\d*|slide 1|\(anonymous\))?$|^microsoft word - |\.(docx?|pdf|tex|indd|pptx?|qxd|dvi)$/i;
/** Those of PowerPoint, in its languages: "PowerPoint Presentation", "Présentation PowerPoint". */
const powerPointTitle =
  /^(powerpoint|pptxgenjs)[- ]?(pr[eä]s|演示|簡報|プレゼン|프레젠)\p{L}*$|^(pr[ée]s|prez|apres|презент)\p{L}*( \p{L}+){0,2} powerpoint$/iu;

/** The title that a file's properties declare, unless a program set it by default. */
export function parseTitle(declared: string | null | undefined): string | undefined {
  const title = declared?.replaceAll("\0", "").trim() ?? "";
  return defaultTitle.test(title) || powerPointTitle.test(title) ? undefined : title;
}

/** The canonical form of a BCP 47 tag, or undefined if it is not a valid tag. */
export function parseLanguageTag(declared: string | null | undefined): string | undefined {
  if (!declared) return undefined;
  try {
    return Intl.getCanonicalLocales(declared.trim().replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/** A range of a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}
