import type { TextItem } from "./reading-order.ts";

/** Characters that no text has. pdf.js reports them where a font doesn't say which characters its glyphs are. */
const controls = /[^\P{Cc}\t\n\r]/gu;

/** Minimum share of these characters in a font whose glyphs have only numbers. Other fonts have few, such as a ligature's. */
const minControlShare = 0.05;

/** Minimum length of a font's text to judge it by. */
const minCharacters = 20;

/** Minimum number of different characters in text. Fonts of bullets have fewer. */
const minDifferent = 8;

/** Maximum distance between the two drawings of a word that is bold because it is drawn twice, in letter heights. */
const maxOffset = 0.1;

/** The number of the space in most TrueType fonts. */
const spaceGlyph = 3;

const macRoman = new TextDecoder("macintosh");

/**
 * The text items of a page without words that are drawn a second time, and with the letters of fonts that only number their glyphs.
 * Text of such a font that can't be read becomes empty.
 */
export function readGlyphs(items: readonly TextItem[]): TextItem[] {
  const fonts = new Map<string, string>();
  for (const { fontName, str } of items) fonts.set(fontName, (fonts.get(fontName) ?? "") + str);
  const readers = new Map([...fonts].map(([name, text]) => [name, chooseReader(text)]));
  return withoutDoubles(items).map((item) => {
    const read = readers.get(item.fontName);
    return read === undefined ? item : { ...item, str: read(item.str) };
  });
}

type Reader = (text: string) => string;

function chooseReader(text: string): Reader | undefined {
  const found = text.match(controls)?.length ?? 0;
  if (found === 0) return undefined;
  if (text.length < minCharacters || found < text.length * minControlShare) return (part) => part.replace(controls, "");
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const isSpaceOnly = codes.every((code) => code === spaceGlyph || code > 0x1f);
  // The numbers of small letters are the codes of capital letters.
  const small = text.match(/[a-z]/g)?.length ?? 0;
  const isText = isSpaceOnly || small > text.length / 4;
  if (isText && new Set(text).size >= minDifferent) return (part) => part.replace(controls, " ");
  const letters = readMacOrder(text).match(/\p{L}/gu)?.length ?? 0;
  // Fonts with another order also use the numbers before the space.
  const isMacOrder = letters > text.length / 2 && codes.every((code) => code >= spaceGlyph);
  return isMacOrder ? readMacOrder : () => "";
}

/**
 * Most TrueType fonts have their first glyphs in the order of Macintosh's characters (Apple's TrueType reference manual, "post" table).
 * Spaces in the text are pdf.js's, which separates words by them.
 */
function readMacOrder(text: string): string {
  const codes = Array.from(text, (character) => {
    const glyph = character.charCodeAt(0);
    return character === " " || glyph > 225 ? 0x20 : glyph + (glyph < 98 ? 29 : 30);
  });
  return macRoman.decode(Uint8Array.from(codes)).replace(/ {2,}/g, " ");
}

function withoutDoubles(items: readonly TextItem[]): TextItem[] {
  const drawn = new Map<string, TextItem>();
  return items.flatMap((item) => {
    if (item.str.trim() === "") return [item];
    const before = drawn.get(item.str);
    drawn.set(item.str, item);
    const isDouble = [4, 5].every(
      (axis) =>
        Math.abs((before?.transform[axis] ?? Number.NaN) - (item.transform[axis] ?? 0)) <= maxOffset * item.height,
    );
    if (!isDouble) return [item];
    return item.hasEOL ? [{ ...item, str: "" }] : [];
  });
}
