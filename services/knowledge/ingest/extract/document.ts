import type { Place } from "../../store/document.ts";

/** Where a part of a document's text comes from, from `start` up to the next mark's `start`. */
export interface Mark extends Place {
  /** Offset into the document's text, in UTF-16 code units. */
  start: number;
}

/** The text of a file, as a format's reader gives it. */
export interface ExtractedText {
  /** As it is stored, hashed and cited: normalised by `normaliseText`, never blank. */
  text: string;
  /** The document's own title. */
  title?: string | undefined;
  /** BCP 47 tag, where the document declares one. */
  language?: string | undefined;
  /** Whether a fetched page's text is its main content. False if none was found and the whole page was taken. */
  isMainContent?: boolean;
  /** Says what of the file was not read, for its owner. */
  warning?: string;
  /** Where text begins that is stored but not cut into chunks, such as a page's menus. Undefined: all of it is. */
  indexedLength?: number;
  /** Set for comma- or tab-separated values, which are rows of one table. */
  isSeparatedValues?: true;
  /** In ascending order of `start`; empty when nothing is known. */
  marks: Mark[];
}

export interface ExtractedDocument extends ExtractedText {
  contentType: string;
}

/** A file or the body of a page. */
export interface ExtractionInput {
  bytes: Uint8Array;
  filename?: string | undefined;
  /** The Content-Type that was sent with it, including parameters. */
  contentType?: string | undefined;
  /** The address it was fetched from, against which relative links are resolved. */
  url?: string | undefined;
  /**
   * For PDF: pages without text are reported by a ScannedPagesError, or have the text that was recognised on them. Undefined: they are
   * left out.
   */
  scannedPages?: "report" | ReadonlyMap<number, string> | undefined;
}

export interface ExtractionLimits {
  /** Wall-clock time to read one document once its turn has come: this much, and more for each megabyte. */
  timeoutMs: number;
  timeoutMsPerMegabyte: number;
  /** Memory that reading one document may take, objects and buffers together. */
  maxMemoryMb: number;
  /** Longest text of one document, in UTF-16 code units. */
  maxTextCharacters: number;
}

export interface ExtractorContext {
  /** The key and the label of the format's entry in formats.ts. */
  name: string;
  label: string;
  /** Reads a file inside the file, of any format. @throws ExtractionError */
  readInner(input: ExtractionInput): Promise<ExtractedText>;
}

/** Reads a file of one format. */
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

/** A file whose text can't be read. The message is one sentence that may be shown to the file's owner. */
export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExtractionError";
    this.code = code;
  }
}

/** The PDF has pages without text, numbered from 1, whose text has to be recognised. */
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

/** The canonical form of a BCP 47 tag, or undefined if it is not a valid tag. */
export function parseLanguageTag(declared: string | null | undefined): string | undefined {
  if (!declared) return undefined;
  try {
    return Intl.getCanonicalLocales(declared.trim().replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/** A stretch of a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}
