import { isUtf8 } from "node:buffer";
import { createDecoder } from "./decoders.ts";
import { bytesBeforeSample, guessEncoding } from "./guess-encoding.ts";
import { detectEncoding, findDeclaredEncodings, readByteOrderMark } from "./known-encoding.ts";

/** Number of bytes examined to find the encoding. */
const sampleBytes = 64 * 1024;

/** Number of bytes decoded at a time. Must be a multiple of four, for UTF-32. */
const pieceBytes = 64 * 1024;

/** Bytes that need not be in memory. */
export interface ByteSource {
  size: number;
  /** The bytes from one offset to another, or to the end. They are valid until the next call. */
  read(from: number, to: number): Uint8Array;
}

/**
 * Decodes `bytes`. The encoding is the first of these that applies: the one of the byte order mark; a declared one (a WHATWG label such
 * as "shift_jis") in which the bytes are valid or nearly so; UTF-16 or UTF-32 if the zero bytes indicate it; UTF-8 if the bytes are
 * valid or nearly so; a guess. Invalid bytes become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, ...declared: readonly (string | undefined)[]): string {
  const source = { size: bytes.byteLength, read: (from: number, to: number) => bytes.subarray(from, to) };
  return [...decodePieces(source, ...declared)].join("");
}

/** Like `decodeText`, in pieces. No piece is empty or ends inside a surrogate pair. */
export function* decodePieces(
  source: ByteSource,
  ...declared: readonly (string | undefined)[]
): Generator<string, void, undefined> {
  const start = source.read(0, sampleBytes).slice();
  const encoding =
    readByteOrderMark(start, source.size) ??
    findDeclaredEncodings(start, declared).find((label) => isReadableAs(label, source)) ??
    detectEncoding(start) ??
    (isReadableAs("utf-8", source) ? "utf-8" : guessEncoding(readSampleBeyondAscii(source)));
  yield* decodeAs(encoding, readPieces(source));
}

function* readPieces(source: ByteSource): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < source.size; from += pieceBytes) yield source.read(from, from + pieceBytes);
}

function* decodeAs(encoding: string, pieces: Iterable<Uint8Array>): Generator<string, void, undefined> {
  const decoder = createDecoder(encoding);
  for (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    if (text !== "") yield text;
  }
  const last = decoder.decode();
  if (last !== "") yield last;
}

/** Bytes starting shortly before the first one beyond ASCII, because ASCII bytes say nothing about the encoding. */
function readSampleBeyondAscii(source: ByteSource): Uint8Array {
  let from = 0;
  for (const piece of readPieces(source)) {
    const first = piece.findIndex((byte) => byte > 0x7f);
    const start = Math.max(0, from + first - bytesBeforeSample);
    if (first >= 0) return source.read(start, start + sampleBytes).slice();
    from += piece.byteLength;
  }
  return new Uint8Array();
}

/** Whether the bytes are valid in an encoding, apart from some damage. */
function isReadableAs(encoding: string, source: ByteSource): boolean {
  return (encoding === "utf-8" && isValidUtf8(source)) || isMostlyReadable(decodeAs(encoding, readPieces(source)));
}

/** Much faster than examining each character, and sufficient for nearly all texts. */
function isValidUtf8(source: ByteSource): boolean {
  for (let from = 0; from < source.size; ) {
    const piece = source.read(from, from + pieceBytes);
    const isLast = from + piece.byteLength >= source.size;
    const whole = isLast ? piece : piece.subarray(0, findLastCharacter(piece));
    if (whole.byteLength === 0 || !isUtf8(whole)) return false;
    from += whole.byteLength;
  }
  return true;
}

/** The offset of the last byte that starts a character. The character's other bytes may be missing. */
function findLastCharacter(bytes: Uint8Array): number {
  let start = bytes.byteLength - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

/**
 * Minimum number of readable characters beyond ASCII per unreadable one. Letters of other encodings sometimes form a two-byte character
 * by chance, but hardly ever one of three or four bytes, so each of those counts this many times.
 */
const readablePerUnreadable = 3;

function isMostlyReadable(pieces: Iterable<string>): boolean {
  let unreadable = 0;
  let readable = 0;
  let previous = 0;
  for (const text of pieces) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 0xfffd) unreadable += previous === 0xfffd ? 0 : 1;
      else if (code > 0x7f) readable += code > 0x7ff ? readablePerUnreadable : 1;
      previous = code;
    }
  }
  return unreadable * readablePerUnreadable <= readable;
}
