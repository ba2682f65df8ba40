/** Where a part of a document's text comes from. It holds from `start` up to the next mark's `start`. */
export interface Mark {
  /** Offset into the document's text, in UTF-16 code units. */
  start: number;
  /** 1-based page of a paged document. */
  page?: number;
  /** Path of the headings above this part, outermost first, joined by " > ". */
  heading?: string;
  /** 1-based slide of a presentation. */
  slide?: number;
  /** Name of the sheet of a workbook. */
  sheet?: string;
}

/** A document's text as it is stored, hashed and cited: normalised by `normaliseText`, never blank. */
export interface ExtractedDocument {
  text: string;
  /** The title that the document itself carries. */
  title?: string;
  /** BCP 47 tag, where the document declares one. */
  language?: string;
  contentType: string;
  /** Whether a fetched page's text is its main content; false when none was found and all of it was taken. */
  isMainContent?: boolean;
  /** In ascending order of `start`; empty when nothing is known. */
  marks: Mark[];
}

export type ExtractionErrorCode =
  | "no_text"
  | "encrypted"
  | "damaged"
  | "empty"
  | "unsupported"
  | "too_large"
  | "timed_out";

/** A file that gives no text; `message` is one sentence that may be shown to its owner. */
export class ExtractionError extends Error {
  readonly code: ExtractionErrorCode;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExtractionError";
    this.code = code;
  }
}
