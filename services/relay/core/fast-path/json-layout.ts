const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/** A value of a JSON text: `bytes[start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Where the members of an object lie in a JSON text that is known to be valid. Nothing when the value is no object, or
 * when a name stands twice or is written with escapes: then positions don't say which value counts.
 */
export function members(bytes: Buffer, value: Span): Map<string, Span> | undefined {
  if (bytes[value.start] !== openBrace) return undefined;
  const found = new Map<string, Span>();
  for (let at = skipSpace(bytes, value.start + 1); bytes[at] !== closeBrace; ) {
    const nameEnd = valueEnd(bytes, at);
    const name = bytes.toString("latin1", at + 1, nameEnd - 1);
    if (name.includes("\\") || found.has(name)) return undefined;
    const start = skipSpace(bytes, skipSpace(bytes, nameEnd) + 1);
    const end = valueEnd(bytes, start);
    found.set(name, { start, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1);
  }
  return found;
}

/** The only element of an array, or nothing when the value is no array or has another number of elements. */
export function onlyElement(bytes: Buffer, value: Span): Span | undefined {
  if (bytes[value.start] !== openBracket) return undefined;
  const start = skipSpace(bytes, value.start + 1);
  if (bytes[start] === closeBracket) return undefined;
  const end = valueEnd(bytes, start);
  return bytes[skipSpace(bytes, end)] === closeBracket ? { start, end } : undefined;
}

/** The value of a text that holds nothing else but white space around it. */
export function rootValue(bytes: Buffer, text: Span): Span {
  const start = skipSpace(bytes, text.start);
  return { start, end: valueEnd(bytes, start) };
}

export function isString(bytes: Buffer, value: Span): boolean {
  return bytes[value.start] === quote;
}

export function isNumber(bytes: Buffer, value: Span): boolean {
  const first = bytes[value.start] as number;
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

function valueEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = closingQuote(bytes, at + 1);
      if (depth === 0) return at + 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || byte === colon || isSpace(byte))) {
      return at;
    }
  }
  return bytes.length;
}

function closingQuote(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] as number)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
