import { ExtractionError } from "../document.ts";
import { readZipDirectory, readZipEntryStart } from "../zip.ts";

/** Everything before the root element of an XML part must end within this many bytes. */
const maxPrologBytes = 16_384;
/** White space, processing instructions and comments, which may stand before a document type declaration (XML 1.0, 2.8). */
const misc = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/;

/**
 * Office formats hold no document type declaration (ECMA-376 part 2, 6.2.5), so one is there to do harm: to expand
 * entities or to read other files. The parser expands none, which would leave the text full of holes instead.
 */
export function refuseDocumentTypes(bytes: Uint8Array): void {
  for (const entry of readZipDirectory(bytes) ?? []) {
    if (!/\.(xml|rels)$/.test(entry.name)) continue;
    const start = readZipEntryStart(bytes, entry, maxPrologBytes);
    const rest = decodeXml(start).replace(misc, "");
    const isCut = start.length >= maxPrologBytes || entry.compressedBytes > maxPrologBytes;
    const isUnfinished = isCut && !/^<[^!?]/.test(rest);
    if (isUnfinished || rest.startsWith("<!DOCTYPE")) {
      throw new ExtractionError("damaged", "The file declares XML entities, which its format forbids.");
    }
  }
}

/** XML without a byte order mark is UTF-8, or UTF-16 where its first character "<" says so (XML 1.0, appendix F). */
function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
