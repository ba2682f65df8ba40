import { ExtractionError } from "../document.ts";
import type { ZipEntry } from "../zip.ts";
import { readZipDirectory, readZipEntryStart } from "../zip.ts";

/**
 * Number of bytes of an XML part to search for its root element. Small sizes are tried first, because unpacking more of thousands of
 * parts is slow. A part without a root element within the last size is refused.
 */
const prologBytes = [256, 2_048, 16_384];
/**
 * Text that may precede a document type declaration: white space, processing instructions and comments (XML 1.0, 2.8). Also the
 * declarations that OpenOffice.org and LibreOffice write into the list of parts, macros and formulas, which declare no entities.
 */
const misc =
  /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE \w+:\w+ PUBLIC "-\/\/OpenOffice\.org\/\/[^"<>]*" "\w+\.dtd">)*/;

/**
 * Office formats must not contain document type declarations (ECMA-376 part 2, 6.2.5). Such a declaration is an attack that expands
 * entities or reads other files. The parser expands no entities, so accepting the file would leave gaps in the text.
 */
export function refuseDocumentTypes(bytes: Uint8Array): void {
  for (const entry of readZipDirectory(bytes) ?? []) {
    if (!/\.(xml|rels)$/.test(entry.name)) continue;
    if (prologBytes.every((maxBytes) => !startsElement(bytes, entry, maxBytes))) {
      throw new ExtractionError("damaged", "The file declares XML entities, which its format forbids.");
    }
  }
}

/** Whether a part's root element begins within `maxBytes`. Also true if the part ends there without a document type declaration. */
function startsElement(bytes: Uint8Array, entry: ZipEntry, maxBytes: number): boolean {
  const start = readZipEntryStart(bytes, entry, maxBytes);
  const rest = decodeXml(start).replace(misc, "");
  if (/^<[^!?]/.test(rest)) return true;
  const isCut = start.length >= maxBytes || entry.compressedBytes > maxBytes;
  return !isCut && !rest.startsWith("<!DOCTYPE");
}

/** XML without a byte order mark is UTF-8, or UTF-16 if its first character "<" has two bytes (XML 1.0, appendix F). */
function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
