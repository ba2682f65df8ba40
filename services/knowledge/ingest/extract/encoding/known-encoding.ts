import { toLatin1 } from "./decoders.ts";

/** An XML declaration must end within this many bytes. */
const xmlDeclarationBytes = 256;

/** The encodings declared for a text, including the one in its first line if it is XML. */
export function findDeclaredEncodings(start: Uint8Array, declared: readonly (string | undefined)[]): string[] {
  const outside = declared.map((label) => (label === undefined ? undefined : parseEncodingLabel(label)));
  return [...outside, readXmlDeclaration(start)].filter((encoding) => encoding !== undefined);
}

/** The encoding that the first bytes of a text reveal. Undefined if the text is UTF-8 or the encoding must be guessed. */
export function detectEncoding(start: Uint8Array): string | undefined {
  return (
    detectZeroBytes(start) ?? detectEastAsianUtf16(start) ?? (hasJapaneseShifts(start) ? "iso-2022-jp" : undefined)
  );
}

export function parseCharset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
}

/** The encoding of a label inside the text. The label was read as ASCII, so the text can't be UTF-16 (HTML standard, 13.2.3.2). */
export function parseInnerEncodingLabel(label: string): string | undefined {
  return /^utf-16/i.test(label) ? "utf-8" : parseEncodingLabel(label);
}

function parseEncodingLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** @param size the size of the whole text, in bytes */
export function readByteOrderMark(start: Uint8Array, size: number): string | undefined {
  const [a, b, c, d] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && size % 4 === 0 ? "utf-32le" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "utf-32be";
  return undefined;
}

/** The encoding declared in the first line of XML (XML 1.0, 4.3.3). */
function readXmlDeclaration(start: Uint8Array): string | undefined {
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(
    toLatin1(start.subarray(0, xmlDeclarationBytes)),
  )?.[1];
  return label === undefined ? undefined : parseInnerEncodingLabel(label);
}

/**
 * Detects UTF-16 and UTF-32 by zero bytes, which text in single bytes or UTF-8 doesn't contain. In UTF-32, the highest of four bytes is
 * always zero and the next one at most 0x10. In UTF-16, every other byte of Latin text is zero; in other scripts, at least one byte of
 * each space is.
 */
function detectZeroBytes(start: Uint8Array): "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be" | undefined {
  const zeros = [0, 0, 0, 0];
  const overPlanes = [0, 0, 0, 0];
  for (let index = 0; index < start.length; index++) {
    const byte = start[index] ?? 0;
    if (byte === 0) zeros[index % 4] = (zeros[index % 4] ?? 0) + 1;
    if (byte > 0x10) overPlanes[index % 4] = (overPlanes[index % 4] ?? 0) + 1;
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros;
  if (first + second + third + fourth === 0 || start.length % 2 !== 0) return undefined;
  const quads = start.length / 4;
  if (start.length % 4 === 0 && fourth === quads && overPlanes[2] === 0 && first < quads) return "utf-32le";
  if (start.length % 4 === 0 && first === quads && overPlanes[1] === 0 && fourth < quads) return "utf-32be";
  const [even, odd, pairs] = [first + third, second + fourth, start.length / 2];
  if (odd > pairs * 0.3 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.3 && odd < pairs * 0.05) return "utf-16be";
  if (odd > pairs * 0.02 && even === 0 && isWholeUtf16(start, "utf-16le")) return "utf-16le";
  if (even > pairs * 0.02 && odd === 0 && isWholeUtf16(start, "utf-16be")) return "utf-16be";
  return undefined;
}

function isWholeUtf16(bytes: Uint8Array, encoding: string): boolean {
  try {
    return !/[\p{Co}\p{Cn}]/u.test(new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/** Chinese and Japanese text in UTF-16 has hardly any zero bytes, but contains characters that bytes in no other encoding form. */
function detectEastAsianUtf16(start: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (start.length % 2 !== 0) return undefined;
  return (["utf-16le", "utf-16be"] as const).find((encoding) => {
    const text = new TextDecoder(encoding).decode(start);
    const known = text.match(/[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\r\n\x20-\x7e]/g)?.length ?? 0;
    const unlikeOthers = text.match(/[\u3001-\u3003\u3041-\u30ff\uff01\uff0c\uff1a\uff1b\uff1f]/g)?.length ?? 0;
    return known >= text.length * 0.95 && unlikeOthers >= text.length * 0.02;
  });
}

/** ISO-2022-JP consists of ASCII bytes, with escape sequences that switch to kanji and back (RFC 1468). */
function hasJapaneseShifts(start: Uint8Array): boolean {
  if (start.some((byte) => byte > 0x7f)) return false;
  const text = toLatin1(start);
  return ["$B", "$@"].some((shift) => text.includes(`\u001b${shift}`));
}
