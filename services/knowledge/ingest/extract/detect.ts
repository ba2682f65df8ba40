import type { ExtractionInput } from "./document.ts";
import { ExtractionError, protectedMessage } from "./document.ts";
import { decodeText } from "./encoding/decode.ts";
import { toLatin1 } from "./encoding/decoders.ts";
import type { FormatName } from "./formats.ts";
import { findFormatByContentType, findFormatByFilename, formatByName } from "./formats.ts";
import type { ZipEntry } from "./zip.ts";
import { createDamagedZipError, readZipDirectory, readZipEntryStart } from "./zip.ts";

/** Number of bytes examined to distinguish text from binary data. */
const sampleBytes = 16 * 1024;

/** A PDF's header may follow other bytes, within the first 1024 (ISO 32000-1, annex H.3.4.1). */
const maxPdfHeaderBytes = 1024;

/** Well-known binary files that can't be read. They are recognised so that the error message can name what was sent. */
const unreadableSignatures: readonly (readonly [signature: string, label: string])[] = [
  ["\x89PNG", "a PNG image"],
  ["\xff\xd8\xff", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["II*\0", "a TIFF image"],
  ["MM\0*", "a TIFF image"],
  ["\x1f\x8b", "a gzip archive"],
  ["7z\xbc\xaf", "a 7z archive"],
  ["\x7fELF", "a program"],
];
const zipSignatures = ["PK\x03\x04", "PK\x05\x06"];
const compoundFileSignature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/**
 * Detects a file's format by its content. Content-Type and name only decide which kind of text it is.
 *
 * @throws ExtractionError `empty` for no bytes, `encrypted` for a protected office file, `damaged` if a file isn't what its name says,
 * `unsupported` for everything else that isn't text
 */
export function detectFormat(input: ExtractionInput): FormatName {
  const { bytes } = input;
  if (bytes.byteLength === 0) throw new ExtractionError("empty", "The file is empty (0 bytes).");
  if (isZip(bytes)) return detectArchiveFormat(input);
  if (isCompoundFile(bytes)) throw createCompoundFileError(bytes);
  const expected = findFormatByFilename(input.filename) ?? findFormatByContentType(input.contentType);
  // Elsewhere than at the start, the same letters may be part of a text about PDF files.
  const start = toLatin1(bytes.subarray(0, maxPdfHeaderBytes));
  const pdfHeader = start.indexOf("%PDF-");
  if (pdfHeader === 0 || (pdfHeader > 0 && expected === "pdf")) return "pdf";
  if (start.startsWith("{\\rtf")) return "rtf";

  const [, known] = unreadableSignatures.find(([signature]) => start.startsWith(signature)) ?? [];
  if (known !== undefined) throw createUnreadableError(`${known}, which has no readable text`);
  if (expected !== undefined && formatByName(expected).isText === undefined) throw createMismatchError(expected);
  const sample = decodeText(bytes.subarray(0, sampleBytes));
  if (!looksLikeText(sample) || encodedFile.test(sample)) {
    throw new ExtractionError("unsupported", "The file is not text, and its format isn't supported.");
  }
  return detectTextFormat(input, sample);
}

/** Whether a file contains other files, so that its first bytes don't reveal its format. */
export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isCompoundFile(bytes);
}

const isZip = (bytes: Uint8Array): boolean => zipSignatures.includes(toLatin1(bytes.subarray(0, 4)));

const isCompoundFile = (bytes: Uint8Array): boolean => toLatin1(bytes.subarray(0, 8)) === compoundFileSignature;

/** Header lines at the start of a text, including one that only e-mails have (RFC 2045, section 4). */
const messageStart = /^[\w-]+:[^\n]*\n(?:[^\n\r]+\r?\n){0,200}?mime-version:/i;

/** The line before each message of a mailbox file (RFC 4155), and the message's first header. */
const mailboxStart = /^From \S+ [^\n]*\d{4}\r?\n[\w-]+:/;

/** Text that may precede the root element of XML or HTML, then the root element's name. */
const rootElement =
  /^\s*(<\?xml[^>]*>\s*)?(?:(?:<!--(?:(?!-->)[\s\S])*-->|<\?[^>]*>|<!doctype(?!\s+html)(?:[^>[\]]|\[[^\]]*\])*>)\s*)*<([!\w:]+(?:\s+html)?)/i;

function detectTextFormat(input: ExtractionInput, sample: string): FormatName {
  const named = findFormatByContentType(input.contentType) ?? findFormatByFilename(input.filename);
  // These formats need a look at the content: servers send feeds and pages as XML, and pages as text.
  if (named !== undefined && !["text", "xml", "feed"].includes(named)) return named;
  if (named === undefined || named === "text") {
    if (messageStart.test(sample)) return "email";
    if (mailboxStart.test(sample))
      throw createUnreadableError("a mailbox; send its messages one by one, as .eml files");
  }
  const [, declaration, start] = rootElement.exec(sample) ?? [];
  const root = start?.toLowerCase().replace(/\s+/, " ") ?? "";
  if (root === "!doctype html" || root === "html" || root.startsWith("html ")) return "html";
  if (declaration === undefined && named !== "xml" && named !== "feed") return "text";
  if (/^(?:\w+:)?(?:urlset|sitemapindex)$/.test(root)) {
    throw createUnreadableError(
      "a sitemap, which only lists addresses; send the pages that it names as sources of type url (POST /api/tools/readSitemap lists them)",
    );
  }
  return ["rss", "feed", "rdf:rdf"].includes(root) ? "feed" : "xml";
}

const createUnreadableError = (what: string) => new ExtractionError("unsupported", `The file is ${what}.`);

function detectArchiveFormat(input: ExtractionInput): FormatName {
  const named = findFormatByFilename(input.filename) ?? findFormatByContentType(input.contentType);
  const expected = named !== undefined && formatByName(named).isText === undefined ? named : undefined;
  const entries = readZipDirectory(input.bytes);
  if (entries === undefined) throw createDamagedZipError();
  const found = findFormatByEntries(input.bytes, entries);
  if (found !== undefined) return found;
  if (expected !== undefined) throw createMismatchError(expected);
  if (hasContentTypes(entries)) {
    throw createUnreadableError("of an Office format that can't be read; save it as DOCX, XLSX or PPTX");
  }
  throw createUnreadableError("a ZIP archive; send the documents in it one by one");
}

/** Part names of an office file are compared case-insensitively (ECMA-376 part 2, section 6.2.2.3). */
function hasContentTypes(entries: readonly ZipEntry[]): boolean {
  return entries.some(({ name }) => name.toLowerCase() === "[content_types].xml");
}

function findFormatByEntries(bytes: Uint8Array, entries: readonly ZipEntry[]): FormatName | undefined {
  const declared = entries.find((entry) => entry.name === "mimetype");
  if (declared !== undefined) {
    const type = toLatin1(readZipEntryStart(bytes, declared, 128)).trim();
    return findFormatByContentType(type.replace(/-template$/, ""));
  }
  if (entries.some((entry) => entry.name === "META-INF/container.xml")) return "epub";
  if (!hasContentTypes(entries)) return undefined;
  const main = [
    { format: "docx", part: /^word\/document[^/]*\.xml$/i },
    { format: "pptx", part: /^ppt\/presentation[^/]*\.xml$/i },
    { format: "xlsx", part: /^xl\/workbook[^/]*\.xml$/i },
  ] as const;
  return main.find(({ part }) => entries.some((entry) => part.test(entry.name)))?.format;
}

/** A compound file contains a stream of this name if Office encrypted it (MS-OFFCRYPTO, 2.3.4.4) or Outlook wrote it (MS-OXMSG, 2.4). */
function createCompoundFileError(bytes: Uint8Array): ExtractionError {
  const hasStream = (name: string) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from(name, "utf16le"));
  if (hasStream("EncryptedPackage")) return new ExtractionError("encrypted", `The file ${protectedMessage}`);
  if (hasStream("__properties_version1.0"))
    return createUnreadableError("a message in Outlook's own format; save it as .eml");
  return createUnreadableError("of an old Office format; save it as DOCX, XLSX or PPTX");
}

function createMismatchError(expected: FormatName): ExtractionError {
  const { label } = formatByName(expected);
  return new ExtractionError(
    "damaged",
    `The file's name or type says "${label}", but its content is something else: it is damaged, or has a wrong name or type. Open it, save it again and send that.`,
  );
}

/** The first line of a PDF. A text about PDF files goes on after the version. */
const pdfHeader = /^\ufeff?%PDF-\d\.\d[ \t]*[\r\n]/;

/** The start of a PDF, ZIP, old Office, PNG, JPEG, GIF or gzip file in base64. Words have spaces between them. */
const encodedFile =
  /^\s*(?:data:[^\s,]*;base64,)?(?:JVBERi0|UEsDB|0M8R4KGx|iVBORw0KGgo|\/9j\/|R0lGOD|H4sI)[A-Za-z0-9+/\r\n]{64}/;

/** Minimum length of a text in which control characters indicate binary data. */
const minJudgedCharacters = 200;

/** Whether a string that was sent as text is a binary file, which its client read as text or encoded in base64. */
export function isBinaryFile(text: string): boolean {
  const sample = text.slice(0, sampleBytes);
  if (pdfHeader.test(sample) || encodedFile.test(sample)) return true;
  return sample.length >= minJudgedCharacters && !looksLikeText(sample);
}

/** Tab, line feed, form feed, carriage return, and escape, which colours lines in logs. */
const textControls: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);

/** Text contains hardly any control characters, and at most one zero byte, from damage. Headers of binary files contain more. */
function looksLikeText(sample: string): boolean {
  let controls = 0;
  let zeros = 0;
  for (let index = 0; index < sample.length; index++) {
    const code = sample.charCodeAt(index);
    if (code === 0) zeros++;
    if (code < 0x20 && !textControls.has(code)) controls++;
  }
  return controls <= sample.length * 0.02 && zeros <= 1;
}
