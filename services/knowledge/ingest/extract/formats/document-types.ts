import { ExtractionError } from "../document.ts";
import { readZipDirectory, readZipEntryStart } from "../zip.ts";

/** Bytes at the start of an XML part in which a document type declaration is looked for. */
const prologBytes = 4096;

/**
 * Office formats hold no document type declaration (ECMA-376 part 2, 6.2.5), so one is there to do harm: to expand
 * entities or to read other files. The parser expands none, which would leave the text full of holes instead.
 */
export function refuseDocumentTypes(bytes: Uint8Array): void {
  for (const entry of readZipDirectory(bytes) ?? []) {
    if (!/\.(xml|rels)$/.test(entry.name)) continue;
    const prolog = new TextDecoder().decode(readZipEntryStart(bytes, entry, prologBytes));
    if (prolog.includes("<!DOCTYPE")) {
      throw new ExtractionError("damaged", "The file declares XML entities, which its format forbids.");
    }
  }
}
