const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const firstNonAscii = 0x80;
const lowerU = 0x75;
// After a backslash: " \ / b f n r t
const escapes = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);

/**
 * The position of the closing quote of the JSON string whose content begins at `from`. Returns -1 if the string doesn't end
 * before `end`, isn't valid JSON (RFC 8259, section 7: no raw control characters, no unknown escapes), isn't valid UTF-8
 * (RFC 3629) or has a character that `toOneLine` escapes: it would be copied as it is.
 */
export function findStringEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === quote) return at;
    if (byte < space) return -1;
    const length =
      byte === backslash ? getEscapeLength(bytes, at, end) : byte < firstNonAscii ? 1 : getUtf8Length(bytes, at);
    if (length === 0) return -1;
    at += length;
  }
  return -1;
}

/** The end of the JSON number (RFC 8259, section 6) that begins at `from`, or -1 if there is none. */
export function findNumberEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  const whole = findDigitsEnd(bytes, at, end);
  if (whole === at || (bytes[at] === 0x30 && whole > at + 1)) return -1;
  at = whole;
  if (at < end && bytes[at] === 0x2e) {
    const fraction = findDigitsEnd(bytes, at + 1, end);
    if (fraction === at + 1) return -1;
    at = fraction;
  }
  if (at < end && ((bytes[at] as number) | 0x20) === 0x65) {
    const sign = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 1 : 0;
    const exponent = findDigitsEnd(bytes, at + 1 + sign, end);
    if (exponent === at + 1 + sign) return -1;
    at = exponent;
  }
  return at;
}

/** The fast path gives up on values nested deeper than this. */
const maxDepth = 16;
const literals = ["true", "false", "null"].map((text) => Buffer.from(text));

/** The end of the JSON value that begins at `from`, or -1 if it is incomplete, invalid or nests too deeply. */
export function findValueEnd(bytes: Uint8Array, from: number, end: number, depth = 0): number {
  if (from >= end) return -1;
  const first = bytes[from] as number;
  if (first === quote) {
    const close = findStringEnd(bytes, from + 1, end);
    return close < 0 ? -1 : close + 1;
  }
  if (first === 0x7b || first === 0x5b) return depth < maxDepth ? findContainerEnd(bytes, from, end, depth + 1) : -1;
  for (const literal of literals) if (first === literal[0]) return findLiteralEnd(bytes, from, end, literal);
  return findNumberEnd(bytes, from, end);
}

function findContainerEnd(bytes: Uint8Array, from: number, end: number, depth: number): number {
  const isObject = bytes[from] === 0x7b;
  const close = isObject ? 0x7d : 0x5d;
  let at = skipSpace(bytes, from + 1, end);
  if (at < end && bytes[at] === close) return at + 1;
  while (at < end) {
    if (isObject) {
      const nameEnd = bytes[at] === quote ? findStringEnd(bytes, at + 1, end) : -1;
      if (nameEnd < 0) return -1;
      at = skipSpace(bytes, nameEnd + 1, end);
      if (at >= end || bytes[at] !== 0x3a) return -1;
      at = skipSpace(bytes, at + 1, end);
    }
    at = findValueEnd(bytes, at, end, depth);
    if (at < 0) return -1;
    at = skipSpace(bytes, at, end);
    if (at >= end) return -1;
    if (bytes[at] === close) return at + 1;
    if (bytes[at] !== 0x2c) return -1;
    at = skipSpace(bytes, at + 1, end);
  }
  return -1;
}

function findLiteralEnd(bytes: Uint8Array, from: number, end: number, literal: Uint8Array): number {
  if (from + literal.length > end) return -1;
  for (let at = 1; at < literal.length; at += 1) if (bytes[from + at] !== literal[at]) return -1;
  return from + literal.length;
}

/** Line ends aren't skipped, because they end the event's line. */
export function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] === space || bytes[at] === 0x09)) at += 1;
  return at;
}

function findDigitsEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at += 1;
  return at;
}

function getEscapeLength(bytes: Uint8Array, at: number, end: number): number {
  const kind = bytes[at + 1] as number;
  if (escapes.has(kind)) return 2;
  if (kind !== lowerU || at + 6 > end) return 0;
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHexDigit(bytes[digit] as number)) return 0;
  return 6;
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}

/**
 * Length of the UTF-8 sequence at `at`, or 0 if it is invalid or a line separator (U+0085, U+2028, U+2029). Overlong forms, surrogates and
 * code points above U+10FFFF are invalid. This may read bytes after the end of the text, which is harmless: a truncated sequence is never followed by a quote.
 */
function getUtf8Length(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const second = bytes[at + 1] as number;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return isContinuation(second) && !(first === 0xc2 && second === 0x85) ? 2 : 0;
  if (first < 0xf0) {
    const lowest = first === 0xe0 ? 0xa0 : 0x80;
    const highest = first === 0xed ? 0x9f : 0xbf;
    const third = bytes[at + 2] as number;
    if (first === 0xe2 && second === 0x80 && (third === 0xa8 || third === 0xa9)) return 0;
    return second >= lowest && second <= highest && isContinuation(third) ? 3 : 0;
  }
  const lowest = first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xf4 ? 0x8f : 0xbf;
  const valid = second >= lowest && second <= highest;
  return valid && isContinuation(bytes[at + 2]) && isContinuation(bytes[at + 3]) ? 4 : 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
