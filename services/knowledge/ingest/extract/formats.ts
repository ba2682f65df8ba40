import type { ExtractedDocument } from "./document.ts";

/** A file, or a page's body, on its way to text. */
export interface ExtractionInput {
  bytes: Uint8Array;
  filename?: string | undefined;
  /** The Content-Type it came with, parameters included. */
  contentType?: string | undefined;
  /** The address it was fetched from, against which relative links are resolved. */
  url?: string | undefined;
}

export interface ExtractionLimits {
  /** Wall-clock time that any document may take, once its turn has come, and what it may take besides for each megabyte. */
  timeoutMs: number;
  timeoutMsPerMegabyte: number;
  /** Memory, of objects and of buffers together, that reading one document may take. */
  maxMemoryMb: number;
  /** Longest text of one document, in UTF-16 code units. */
  maxTextCharacters: number;
}

export type Extractor = (
  input: ExtractionInput,
  limits: ExtractionLimits,
) => ExtractedDocument | Promise<ExtractedDocument>;

export interface Format {
  /** What it is called in a message, after "a" or "an": "PDF file". */
  label: string;
  contentType: string;
  extensions: readonly string[];
  /** Further media types it is sent as. */
  aliases?: readonly string[];
  /** Whether it is text that a person could read as it is; any other is told by its content. */
  isText?: true;
  /** Loads the reader, which may be large. */
  load(): Promise<Extractor>;
}

const officeReader = async () => (await import("./formats/office.ts")).extractOffice;

/** Every format that can be read. To add one: a reader in formats/, an entry here and, if it is binary, its signature in detect.ts. */
export const formats = {
  text: {
    label: "text file",
    contentType: "text/plain",
    extensions: ["txt", "text", "log"],
    isText: true,
    load: async () => (await import("./formats/plain-text.ts")).extractPlainText,
  },
  markdown: {
    label: "Markdown file",
    contentType: "text/markdown",
    extensions: ["md", "markdown", "mdown", "mkd", "mdx"],
    aliases: ["text/x-markdown"],
    isText: true,
    load: async () => (await import("./formats/markdown.ts")).extractMarkdown,
  },
  csv: {
    label: "CSV file",
    contentType: "text/csv",
    extensions: ["csv"],
    aliases: ["application/csv"],
    isText: true,
    load: async () => (await import("./formats/plain-text.ts")).extractPlainText,
  },
  tsv: {
    label: "TSV file",
    contentType: "text/tab-separated-values",
    extensions: ["tsv", "tab"],
    isText: true,
    load: async () => (await import("./formats/plain-text.ts")).extractPlainText,
  },
  html: {
    label: "web page",
    contentType: "text/html",
    extensions: ["html", "htm", "xhtml"],
    aliases: ["application/xhtml+xml"],
    isText: true,
    load: async () => (await import("./formats/html.ts")).extractHtml,
  },
  pdf: {
    label: "PDF file",
    contentType: "application/pdf",
    extensions: ["pdf"],
    load: async () => (await import("./formats/pdf.ts")).extractPdf,
  },
  docx: {
    label: "Word document",
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    extensions: ["docx", "docm"],
    load: officeReader,
  },
  pptx: {
    label: "PowerPoint presentation",
    contentType: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    extensions: ["pptx", "pptm"],
    load: officeReader,
  },
  xlsx: {
    label: "Excel workbook",
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extensions: ["xlsx", "xlsm"],
    load: async () => (await import("./formats/xlsx/index.ts")).extractWorkbook,
  },
  odt: {
    label: "OpenDocument text",
    contentType: "application/vnd.oasis.opendocument.text",
    extensions: ["odt"],
    load: officeReader,
  },
  ods: {
    label: "OpenDocument spreadsheet",
    contentType: "application/vnd.oasis.opendocument.spreadsheet",
    extensions: ["ods"],
    load: officeReader,
  },
  odp: {
    label: "OpenDocument presentation",
    contentType: "application/vnd.oasis.opendocument.presentation",
    extensions: ["odp"],
    load: officeReader,
  },
  epub: {
    label: "EPUB book",
    contentType: "application/epub+zip",
    extensions: ["epub"],
    load: officeReader,
  },
  rtf: {
    label: "RTF document",
    contentType: "application/rtf",
    extensions: ["rtf"],
    aliases: ["text/rtf"],
    load: officeReader,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

const formatNames = Object.keys(formats) as FormatName[];

export function formatByName(name: FormatName): Format {
  return formats[name];
}

/** The format whose file names end like this one. */
export function formatOfFilename(filename: string | undefined): FormatName | undefined {
  const extension = /\.([^./\\]+)$/.exec(filename ?? "")?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return formatNames.find((name) => formatByName(name).extensions.includes(extension));
}

/** The format of a Content-Type; `text/plain` tells nothing, since servers send it for any text. */
export function formatOfContentType(contentType: string | undefined): FormatName | undefined {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === undefined || type === formats.text.contentType) return undefined;
  return formatNames.find((name) => {
    const format = formatByName(name);
    return format.contentType === type || format.aliases?.includes(type);
  });
}
