import { isUtf8 } from "node:buffer";
import { decoderOf } from "./decoders.ts";
import { bytesBefore, guessEncoding } from "./guess-encoding.ts";

/** Bytes looked at when the encoding is guessed from how often a byte occurs. */
const sampleBytes = 64 * 1024;

/** Bytes in which an XML declaration must end. */
const xmlDeclarationBytes = 256;

/** Bytes that are decoded at once where they need not be in memory; a multiple of four, as UTF-32 takes. */
const decodedAtOnce = 256 * 1024;

/** Bytes that need not be in memory. */
export interface ByteSource {
  size: number;
  /** Those from one offset to before another, or to the end. They hold until the next call. */
  read(from: number, to: number): Uint8Array;
}

/**
 * Text of `bytes`. The encoding is that of the byte order mark, else the declared one (a WHATWG label such as
 * "shift_jis"), else UTF-16 or UTF-32 when its zero bytes show it, else UTF-8 when it is valid or nearly so, else what its
 * bytes look like. Bytes that the encoding can't read become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const encoding = knownEncoding(bytes, bytes.byteLength, declared);
  if (encoding !== undefined) return [...decodeAs(encoding, [bytes])].join("");
  const utf8 = new TextDecoder().decode(bytes);
  return isUtf8(bytes) || isMostlyReadable([utf8]) ? utf8 : decoderOf(guessEncoding(bytes)).decode(bytes);
}

/** The same, a piece at a time, none of them empty. */
export function* decodePieces(source: ByteSource, declared?: string): Generator<string, void, undefined> {
  const start = source.read(0, sampleBytes).slice();
  const known = knownEncoding(start, source.size, declared);
  const reads = known === undefined && (isWholeUtf8(source) || isMostlyReadable(decodeAs("utf-8", piecesOf(source))));
  yield* decodeAs(known ?? (reads ? "utf-8" : guessEncoding(startBeyondAscii(source))), piecesOf(source));
}

/** The bytes from the first one beyond ASCII on, and some before it: the first bytes of a table or a program say nothing of its words. */
function startBeyondAscii(source: ByteSource): Uint8Array {
  let from = 0;
  for (const piece of piecesOf(source)) {
    const first = piece.findIndex((byte) => byte > 0x7f);
    const start = Math.max(0, from + first - bytesBefore);
    if (first >= 0) return source.read(start, start + sampleBytes).slice();
    from += piece.byteLength;
  }
  return new Uint8Array();
}

function* piecesOf(source: ByteSource): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < source.size; from += decodedAtOnce) yield source.read(from, from + decodedAtOnce);
}

/** Much faster than a look at each character, and enough for nearly all texts. */
function isWholeUtf8(source: ByteSource): boolean {
  for (let from = 0; from < source.size; ) {
    const piece = source.read(from, from + decodedAtOnce);
    const isLast = from + piece.byteLength >= source.size;
    const whole = isLast ? piece : piece.subarray(0, startOfLastCharacter(piece));
    if (whole.byteLength === 0 || !isUtf8(whole)) return false;
    from += whole.byteLength;
  }
  return true;
}

/** The offset of the last byte that begins a character; the rest of it may be behind the end. */
function startOfLastCharacter(bytes: Uint8Array): number {
  let start = bytes.byteLength - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

function* decodeAs(
  encoding: string,
  pieces: Iterable<Uint8Array<ArrayBufferLike>>,
): Generator<string, void, undefined> {
  const decoder = decoderOf(encoding);
  for (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    if (text !== "") yield text;
  }
  const last = decoder.decode();
  if (last !== "") yield last;
}

/** The encoding that shows in the first bytes; undefined when it is UTF-8 or has to be guessed. */
function knownEncoding(start: Uint8Array, size: number, declared: string | undefined): string | undefined {
  return (
    encodingOfByteOrderMark(start, size) ??
    (declared === undefined ? undefined : encodingOfLabel(declared)) ??
    encodingOfXmlDeclaration(start) ??
    encodingOfZeroBytes(start) ??
    encodingOfEastAsianUtf16(start) ??
    (hasJapaneseShifts(start) ? "iso-2022-jp" : undefined)
  );
}

/** The `charset` of a Content-Type value. */
export function parseCharset(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
}

function encodingOfByteOrderMark(start: Uint8Array, size: number): string | undefined {
  const [a, b, c, d] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && size % 4 === 0 ? "utf-32le" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "utf-32be";
  return undefined;
}

function encodingOfLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined; // A label that nobody knows says nothing about the bytes.
  }
}

/** What the text says itself in its first line (XML 1.0, 4.3.3). */
function encodingOfXmlDeclaration(start: Uint8Array): string | undefined {
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, xmlDeclarationBytes)).toString(
    "latin1",
  );
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(text)?.[1];
  return label === undefined ? undefined : encodingDeclaredInside(label);
}

/** The encoding of a label that could be read in ASCII, so that UTF-16 can't be meant (HTML standard, 13.2.3.2). */
export function encodingDeclaredInside(label: string): string | undefined {
  return /^utf-16/i.test(label) ? "utf-8" : encodingOfLabel(label);
}

/**
 * Text in one byte, or in UTF-8, has no zero bytes. In UTF-32 the highest byte of four always is zero and the next one at
 * most 0x10; in UTF-16 of Latin text every other one is zero, and in that of other scripts at least those of its spaces.
 */
function encodingOfZeroBytes(bytes: Uint8Array): "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be" | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0, 0, 0];
  const overPlanes = [0, 0, 0, 0];
  for (let index = 0; index < sample.length; index++) {
    const byte = sample[index] ?? 0;
    if (byte === 0) zeros[index % 4] = (zeros[index % 4] ?? 0) + 1;
    if (byte > 0x10) overPlanes[index % 4] = (overPlanes[index % 4] ?? 0) + 1;
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = zeros;
  const all = first + second + third + fourth;
  if (all === 0 || sample.length % 2 !== 0) return undefined;
  const quads = sample.length / 4;
  if (sample.length % 4 === 0 && fourth === quads && overPlanes[2] === 0 && first < quads) return "utf-32le";
  if (sample.length % 4 === 0 && first === quads && overPlanes[1] === 0 && fourth < quads) return "utf-32be";
  const [even, odd, pairs] = [first + third, second + fourth, sample.length / 2];
  if (odd > pairs * 0.3 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.3 && odd < pairs * 0.05) return "utf-16be";
  if (odd > pairs * 0.02 && even === 0 && isWholeUtf16(sample, "utf-16le")) return "utf-16le";
  if (even > pairs * 0.02 && odd === 0 && isWholeUtf16(sample, "utf-16be")) return "utf-16be";
  return undefined;
}

/** Chinese and Japanese text in UTF-16 has hardly a zero byte: its characters tell, which bytes of no other encoding make. */
function encodingOfEastAsianUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.length % 2 !== 0) return undefined;
  return (["utf-16le", "utf-16be"] as const).find((encoding) => {
    const text = new TextDecoder(encoding).decode(sample);
    const known = text.match(/[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\r\n\x20-\x7e]/g)?.length ?? 0;
    const unlikeOthers = text.match(/[\u3001-\u3003\u3041-\u30ff\uff01\uff0c\uff1a\uff1b\uff1f]/g)?.length ?? 0;
    return known >= text.length * 0.95 && unlikeOthers >= text.length * 0.02;
  });
}

/** ISO-2022-JP is ASCII bytes in which escape sequences switch to kanji and back (RFC 1468). */
function hasJapaneseShifts(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.some((byte) => byte > 0x7f)) return false;
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString("latin1");
  return ["$B", "$@"].some((shift) => text.includes(`\u001b${shift}`));
}

function isWholeUtf16(bytes: Uint8Array, encoding: string): boolean {
  try {
    return !/[\p{Co}\p{Cn}]/u.test(new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/**
 * Letters of other encodings make characters of two bytes by chance, and hardly one of three or four, which counts as many as
 * this; and this many must be readable for each that is not.
 */
const readablePerUnreadable = 3;

/** Whether bytes read as UTF-8 are UTF-8 with some damage. */
function isMostlyReadable(pieces: Iterable<string>): boolean {
  let unreadable = 0;
  let beyondAscii = 0;
  let previous = 0;
  for (const text of pieces) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 0xfffd) unreadable += previous === 0xfffd ? 0 : 1;
      else if (code > 0x7f) beyondAscii += code > 0x7ff ? readablePerUnreadable : 1;
      previous = code;
    }
  }
  return unreadable * readablePerUnreadable <= beyondAscii;
}
