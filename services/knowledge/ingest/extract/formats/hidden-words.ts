import { readZipDirectory, readZipEntry, replaceZipEntries } from "../zip.ts";

/** The background colour of hidden text in officeparser's tree. No document has a colour of this name. */
export const hiddenColour = "hidden";

/** Parts of a Word document whose text or styles can be hidden. */
const wordParts = /^word\/(?:document|styles|footnotes|endnotes)[^/]*\.xml$/i;

/** Maximum size of the unpacked parts. officeparser refuses documents of more. */
const maxBytes = 512 * 1024 * 1024;

/**
 * A Word document whose hidden text (ECMA-376 part 1, 17.3.2.41) is highlighted in `hiddenColour`. officeparser doesn't tell what is
 * hidden, but it tells of each text what its highlight is, also where a style says so.
 */
export function highlightHidden(bytes: Uint8Array): Uint8Array {
  let bytesLeft = maxBytes;
  const replacements = new Map<number, Uint8Array>();
  for (const entry of readZipDirectory(bytes) ?? []) {
    if (!wordParts.test(entry.name)) continue;
    const content = Buffer.from(readZipEntry(bytes, entry, bytesLeft));
    bytesLeft -= content.length;
    if (!content.includes("<w:vanish")) continue;
    // One byte for each character: tags are ASCII, and all else stays as it is.
    const highlighted = content
      .toString("latin1")
      .replace(/<w:vanish(?=[\s/>])([^<>]*?)(\/?)>/g, (_, attributes: string, slash: string) => {
        const isShown = /\sw:val\s*=\s*["'](?:0|false|off)["']/.test(attributes);
        return `<w:highlight w:val="${isShown ? "shown" : hiddenColour}"${slash}>`;
      })
      .replaceAll("</w:vanish>", "</w:highlight>");
    replacements.set(entry.headerOffset, Buffer.from(highlighted, "latin1"));
  }
  return replacements.size === 0 ? bytes : replaceZipEntries(bytes, replacements);
}
