import { readZipDirectory, readZipEntry, replaceZipEntries } from "../zip.ts";

/** The background colour of hidden text in officeparser's tree. No document has a colour of this name. */
export const hiddenColour = "hidden";

/** Maximum size of the unpacked parts that are prepared. officeparser refuses documents of more. */
const maxBytes = 512 * 1024 * 1024;

/**
 * A file in which hidden text, and what else officeparser doesn't tell of or loses, is written so that it does.
 *
 * @param format the name of the file's format
 */
export function prepareOffice(bytes: Uint8Array, format: string): Uint8Array {
  if (format === "rtf") return prepareRtf(bytes);
  if (format === "docx")
    return rewriteParts(bytes, /^word\/(?:document|styles|footnotes|endnotes)[^/]*\.xml$/i, rewriteWord);
  if (format === "pptx") return withoutHiddenSlides(bytes);
  return format.startsWith("od") ? rewriteParts(bytes, /^(?:content|styles)\.xml$/i, rewriteOpenDocument) : bytes;
}

/** A file whose parts of these names are rewritten, as text with one byte for each character: tags are ASCII. */
function rewriteParts(bytes: Uint8Array, names: RegExp, rewrite: (xml: string, name: string) => string): Uint8Array {
  let bytesLeft = maxBytes;
  const replacements = new Map<number, Uint8Array>();
  for (const entry of readZipDirectory(bytes) ?? []) {
    if (!names.test(entry.name)) continue;
    const content = Buffer.from(readZipEntry(bytes, entry, bytesLeft)).toString("latin1");
    bytesLeft -= content.length;
    const rewritten = rewrite(content, entry.name);
    if (rewritten !== content) replacements.set(entry.headerOffset, Buffer.from(rewritten, "latin1"));
  }
  return replacements.size === 0 ? bytes : replaceZipEntries(bytes, replacements);
}

/**
 * Hidden text (ECMA-376 part 1, 17.3.2.41) is highlighted: officeparser tells of each text what its highlight is, also where a style
 * says so. Hyphens without a break are characters.
 */
function rewriteWord(xml: string): string {
  if (!/<w:(?:vanish|noBreakHyphen)/.test(xml)) return xml;
  return xml
    .replace(/<w:vanish(?=[\s/>])([^<>]*?)(\/?)>/g, (_, attributes: string, slash: string) => {
      const isShown = /\sw:val\s*=\s*["'](?:0|false|off)["']/.test(attributes);
      return `<w:highlight w:val="${isShown ? "shown" : hiddenColour}"${slash}>`;
    })
    .replaceAll("</w:vanish>", "</w:highlight>")
    .replace(/<w:noBreakHyphen\s*\/>/g, `<w:t>${Buffer.from("\u2011").toString("latin1")}</w:t>`);
}

/** Hidden slides (ECMA-376 part 1, 19.3.1.38) hold nothing, and have no notes. */
function withoutHiddenSlides(bytes: Uint8Array): Uint8Array {
  const hidden = new Set<string>();
  const withoutSlides = rewriteParts(bytes, /^ppt\/slides\/slide\d+\.xml$/i, (xml, name) => {
    if (!/<p:sld\s[^<>]*\sshow\s*=\s*["'](?:0|false)["']/.test(xml)) return xml;
    hidden.add(`${name.replace("slides/", "slides/_rels/")}.rels`);
    return '<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>';
  });
  return rewriteParts(withoutSlides, /^ppt\/slides\/_rels\/slide\d+\.xml\.rels$/i, (xml, name) =>
    hidden.has(name) ? '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>' : xml,
  );
}

/** Hidden text is struck out, and hidden sheets and slides hold nothing (OpenDocument 1.3 part 3, 20.3, 20.250 and 20.380). */
function rewriteOpenDocument(xml: string): string {
  const styles = xml.matchAll(
    /<style:style\s([^<>]*)>\s*<style:(?:table|drawing-page)-properties\s[^<>]*(?:table:display="false"|presentation:visibility="hidden")/g,
  );
  const hidden = new Set(
    [...styles].map(([, attributes = ""]) => /\sstyle:name="([^"]*)"/.exec(` ${attributes}`)?.[1]),
  );
  const shown = hidden.size === 0 ? xml : emptyElements(xml, hidden);
  return shown.replace(/<style:text-properties\s[^<>]*text:display="none"[^<>]*>/g, (tag) =>
    tag
      .replace(/\sstyle:text-line-through-style="[^"]*"/, "")
      .replace('text:display="none"', 'style:text-line-through-style="solid"'),
  );
}

/** XML whose sheets and slides of these styles hold nothing. */
function emptyElements(xml: string, styles: ReadonlySet<string | undefined>): string {
  const parts: string[] = [];
  let from = 0;
  for (const tag of xml.matchAll(/<(table:table|draw:page)\s[^<>]*(?:table|draw):style-name="([^"]*)"[^<>]*[^<>/]>/g)) {
    const start = tag.index + tag[0].length;
    const end = start < from || !styles.has(tag[2]) ? -1 : xml.indexOf(`</${tag[1]}>`, start);
    if (end === -1) continue;
    parts.push(xml.slice(from, start));
    from = end;
  }
  return [...parts, xml.slice(from)].join("");
}

/** Code points of characters that RTF writes as control words and symbols (RTF 1.9.1, "Special Characters"). */
const rtfCharacters: Readonly<Record<string, number>> = {
  "~": 0xa0,
  _: 0x2011,
  emdash: 0x2014,
  endash: 0x2013,
  emspace: 0x2003,
  enspace: 0x2002,
  bullet: 0x2022,
};

/**
 * RTF with these characters written as numbers, which officeparser understands: it takes `\~` and `\_` literally and drops the
 * control words. Hidden text is struck out in it.
 */
function prepareRtf(bytes: Uint8Array): Uint8Array {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  // Replacing inside binary data would change its length, which is declared.
  if (/\\bin\d/.test(rtf)) return bytes;
  const numbered = rtf.replace(
    /\\(?:\\|([~_])|(emdash|endash|emspace|enspace|bullet)(?![a-z]) ?|(v0?)(?![a-z\d]))/g,
    (whole, sign, word, hides) => {
      if (hides !== undefined) return hides === "v" ? "\\strike" : "\\strike0";
      const character = rtfCharacters[sign ?? word];
      return character === undefined ? whole : `{\\uc0\\u${character} }`;
    },
  );
  return numbered === rtf ? bytes : Buffer.from(numbered, "latin1");
}
