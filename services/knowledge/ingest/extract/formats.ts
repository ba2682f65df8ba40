import type { Extractor } from "./document.ts";

export interface Format {
  /** Name of the format in messages, such as "PDF file". */
  label: string;
  contentType: string;
  extensions: readonly string[];
  /** Other media types used for the format. */
  aliases?: readonly string[];
  /** Set for files that a text editor can show. Other formats are detected by content. */
  isText?: true;
  /** Loads the extractor when it is first needed, because some are large. */
  load(): Promise<Extractor>;
}

const officeReader = async () => (await import("./formats/office/index.ts")).extractOffice;

/**
 * Every format that can be read. To add one, add an extractor in formats/ and an entry here, and in detect.ts how its content is
 * recognised, if it is binary or often sent as XML or plain text.
 */
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
    load: async () => (await import("./formats/markdown-tables.ts")).extractMarkdown,
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
  xml: {
    label: "XML file",
    contentType: "application/xml",
    extensions: ["xml"],
    aliases: ["text/xml"],
    isText: true,
    load: async () => (await import("./formats/xml.ts")).extractXml,
  },
  feed: {
    label: "RSS or Atom feed",
    contentType: "application/rss+xml",
    extensions: ["rss", "atom"],
    aliases: ["application/atom+xml", "application/rdf+xml"],
    isText: true,
    load: async () => (await import("./formats/xml.ts")).extractFeed,
  },
  notebook: {
    label: "Jupyter notebook",
    contentType: "application/x-ipynb+json",
    extensions: ["ipynb"],
    isText: true,
    load: async () => (await import("./formats/notebook.ts")).extractNotebook,
  },
  subtitles: {
    label: "subtitle file",
    contentType: "text/vtt",
    extensions: ["vtt", "srt"],
    aliases: ["application/x-subrip"],
    isText: true,
    load: async () => (await import("./formats/subtitles.ts")).extractSubtitles,
  },
  email: {
    label: "e-mail",
    contentType: "message/rfc822",
    extensions: ["eml"],
    isText: true,
    load: async () => (await import("./formats/email.ts")).extractEmail,
  },
  pdf: {
    label: "PDF file",
    contentType: "application/pdf",
    extensions: ["pdf"],
    load: async () => (await import("./formats/pdf/index.ts")).extractPdf,
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

/**
 * Formats whose files contain only their text, without structure except headings, which `large/prepare.ts` finds in a stretch. They are
 * read one stretch at a time.
 */
export const plainFormats: readonly FormatName[] = ["text", "markdown", "csv", "tsv"];

const formatNames = Object.keys(formats) as FormatName[];

export const formatByName = (name: FormatName): Format => formats[name];

/** The format that a file name's extension belongs to. */
export function findFormatByFilename(filename: string | undefined): FormatName | undefined {
  const extension = /\.([^./\\]+)$/.exec(filename ?? "")?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return formatNames.find((name) => formatByName(name).extensions.includes(extension));
}

/** The format of a Content-Type. Undefined for `text/plain`, which servers send for any text. */
export function findFormatByContentType(contentType: string | undefined): FormatName | undefined {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === undefined || type === formats.text.contentType) return undefined;
  return formatNames.find((name) => {
    const format = formatByName(name);
    return format.contentType === type || format.aliases?.includes(type);
  });
}
