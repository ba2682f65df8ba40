import { toLatin1 } from "../../encoding/decoders.ts";
import { readZipDirectory, readZipEntry, replaceZipEntries } from "../../zip.ts";
import { hiddenStyle } from "../html.ts";
import { getAttribute } from "../scan-xml.ts";
import { rewriteSlide } from "./slides.ts";
import { findHeadingStyles, markHeadings } from "./word-headings.ts";
import { joinParagraphs, showGuidedWords } from "./word-paragraphs.ts";

/** The background colour that marks hidden text in officeparser's tree. No document has a colour of this name. */
export const hiddenColour = "hidden";

/** Maximum size of the unpacked parts to prepare. officeparser refuses larger documents. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Rewrites a file so that officeparser reports hidden text, and other content that it would hide or lose.
 *
 * @param format the name of the file's format
 */
export function prepareOffice(bytes: Uint8Array, format: string): Uint8Array {
  if (format === "rtf") return prepareRtf(bytes);
  if (format === "docx") return prepareWord(bytes);
  if (format === "pptx") return preparePowerPoint(bytes);
  if (format === "epub") return rewriteParts(bytes, /\.x?html?$/i, strikeHiddenElements);
  if (!format.startsWith("od")) return bytes;
  return rewriteParts(bytes, /^(?:content|styles|Object \d+\/content)\.xml$/i, (xml, name) =>
    name.startsWith("Object") ? keepOperators(xml) : rewriteOpenDocument(xml),
  );
}

function prepareWord(bytes: Uint8Array): Uint8Array {
  let styles = "";
  rewriteParts(bytes, /^word\/styles\.xml$/i, (xml) => {
    styles = xml;
    return xml;
  });
  const headings = findHeadingStyles(styles);
  return rewriteParts(bytes, /^word\/(?:document|styles|footnotes|endnotes)[^/]*\.xml$/i, (xml, name) => {
    const shown = joinParagraphs(showGuidedWords(rewriteWord(xml)));
    return /\/document/i.test(name) ? markHeadings(shown, headings) : shown;
  });
}

/** Rewrites the parts of a file whose names match. They are decoded with one byte per character, because tags are ASCII. */
function rewriteParts(bytes: Uint8Array, names: RegExp, rewrite: (xml: string, name: string) => string): Uint8Array {
  let bytesLeft = maxBytes;
  const replacements = new Map<number, Uint8Array>();
  for (const entry of readZipDirectory(bytes) ?? []) {
    if (!names.test(entry.name)) continue;
    const content = toLatin1(readZipEntry(bytes, entry, bytesLeft));
    bytesLeft -= content.length;
    const rewritten = rewrite(content, entry.name);
    if (rewritten !== content) replacements.set(entry.headerOffset, Buffer.from(rewritten, "latin1"));
  }
  return replacements.size === 0 ? bytes : replaceZipEntries(bytes, replacements);
}

/**
 * Highlights hidden text (ECMA-376 part 1, 17.3.2.41), because officeparser reports the highlight of each text even if it comes from a
 * style. Replaces non-breaking hyphens and symbols with characters.
 */
function rewriteWord(xml: string): string {
  if (!/<w:(?:vanish|noBreakHyphen|sym)[\s/>]/.test(xml)) return xml;
  return xml
    .replace(/<w:vanish(?=[\s/>])([^<>]*?)(\/?)>/g, (_, attributes: string, slash: string) => {
      const isShown = /^(?:0|false|off)$/.test(getAttribute(attributes, "val") ?? "");
      return `<w:highlight w:val="${isShown ? "shown" : hiddenColour}"${slash}>`;
    })
    .replaceAll("</w:vanish>", "</w:highlight>")
    .replace(/<w:noBreakHyphen\s*\/>/g, toWordText("\u2011"))
    .replace(/<w:sym\s([^<>]*?)\/>/g, (_, attributes: string) => toWordText(readSymbol(attributes)));
}

const toWordText = (text: string) => `<w:t>${Buffer.from(text).toString("latin1")}</w:t>`;

/** Characters by their codes in symbol fonts. */
const symbols: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  Symbol: {
    ...charactersFrom(0x41, "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"),
    ...charactersFrom(0x61, "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"),
    ...charactersFrom(0xa3, "≤⁄∞"),
    ...charactersFrom(0xac, "←↑→↓°±″≥×∝∂•÷≠≡≈…"),
    ...charactersFrom(0xd6, "√"),
    ...charactersFrom(0xe5, "∑"),
    ...charactersFrom(0xf2, "∫"),
  },
  Wingdings: { 111: "□", 168: "□", ...charactersFrom(0xdf, "←→↑↓"), ...charactersFrom(0xfb, "✗✓☒☑") },
};

function charactersFrom(code: number, characters: string): Record<number, string> {
  return Object.fromEntries(Array.from(characters, (character, index) => [code + index, character]));
}

/** The character that a `w:sym` shows (ECMA-376 part 1, 17.3.3.30), or an empty text if Unicode has no such character. */
function readSymbol(attributes: string): string {
  const code = Number.parseInt(getAttribute(attributes, "char") ?? "", 16);
  const known = symbols[getAttribute(attributes, "font") ?? ""]?.[code & 0xff];
  const isCharacter = code > 0xff && code < 0xffff && !(code >= 0xd800 && code < 0xf900);
  return known ?? (isCharacter ? String.fromCharCode(code) : "");
}

/** Rewrites slides and notes. Empties hidden slides (ECMA-376 part 1, 19.3.1.38) and removes their notes. */
function preparePowerPoint(bytes: Uint8Array): Uint8Array {
  const hidden = new Set<string>();
  const slides = /^ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d+\.xml$/i;
  const withoutSlides = rewriteParts(bytes, slides, (xml, name) => {
    if (!/<p:sld\s[^<>]*\sshow\s*=\s*["'](?:0|false)["']/.test(xml)) return rewriteSlide(xml, name);
    hidden.add(`${name.replace("slides/", "slides/_rels/")}.rels`);
    return '<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>';
  });
  return rewriteParts(withoutSlides, /^ppt\/slides\/_rels\/slide\d+\.xml\.rels$/i, (xml, name) =>
    hidden.has(name) ? '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>' : xml,
  );
}

/**
 * Adds a zero-width space to the operators of a formula. Otherwise officeparser writes commands without a space after them
 * ("m\\cdotc"). The space isn't stored.
 */
function keepOperators(xml: string): string {
  const space = Buffer.from("\u200b").toString("latin1");
  return xml.replace(/(<(?:\w+:)?mo(?:\s[^<>]*)?>[^<>]*[\x80-\xff])(?=<\/)/g, `$1${space}`);
}

/** Strikes out the hidden elements of a book's chapter. */
const strikeHiddenElements = (xhtml: string): string =>
  xhtml.replace(/<\w[^<>]*>/g, (tag) => {
    if (!/\s(?:hidden|aria-hidden|style)\s*=/.test(tag)) return tag;
    const hidden = getAttribute(tag, "hidden");
    const isHidden =
      (hidden !== undefined && hidden !== "until-found") ||
      getAttribute(tag, "aria-hidden") === "true" ||
      hiddenStyle.test(getAttribute(tag, "style") ?? "");
    return isHidden ? tag.replace(/\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/, "").replace(/^<\w+/, `$& ${struckOut}`) : tag;
  });

const struckOut = 'style="text-decoration:line-through"';

/** Strikes out hidden text, and empties hidden sheets and slides (OpenDocument 1.3 part 3, 20.3, 20.250 and 20.380). */
function rewriteOpenDocument(xml: string): string {
  const styles = xml.matchAll(
    /<style:style\s([^<>]*)>\s*<style:(?:table|drawing-page)-properties\s[^<>]*(?:table:display="false"|presentation:visibility="hidden")/g,
  );
  const hidden = new Set([...styles].map(([, attributes = ""]) => getAttribute(attributes, "name")));
  const shown = hidden.size === 0 ? xml : emptyElements(xml, hidden);
  return shown.replace(/<style:text-properties\s[^<>]*>/g, (tag) =>
    tag.includes(hiddenText)
      ? tag
          .replace(/\sstyle:text-line-through-style="[^"]*"/, "")
          .replace(hiddenText, ' style:text-line-through-style="solid"')
      : tag,
  );
}

const hiddenText = ' text:display="none"';

/** Empties the sheets and slides of these styles. */
function emptyElements(xml: string, styles: ReadonlySet<string | undefined>): string {
  const parts: string[] = [];
  let from = 0;
  for (const tag of xml.matchAll(/<(table:table|draw:page)\s([^<>]*)>/g)) {
    const [whole, name, attributes = ""] = tag;
    const start = tag.index + whole.length;
    if (start < from || attributes.endsWith("/") || !styles.has(getAttribute(attributes, "style-name"))) continue;
    const end = xml.indexOf(`</${name}>`, start);
    if (end === -1) break;
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
 * Writes these characters as numbers, which officeparser understands: it takes `\~` and `\_` literally and drops the control words.
 * Hidden text is struck out.
 */
function prepareRtf(bytes: Uint8Array): Uint8Array {
  const rtf = toLatin1(bytes);
  // Replacing text inside binary data would change its declared length.
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
