import { findValueEnd, skipSpace } from "./json-bytes.ts";

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const comma = 0x2c;

/** A value of a JSON text: `bytes[start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The positions of an object's members, in one line of valid JSON. Returns undefined if the value isn't an object, is nested too deeply or
 * isn't valid UTF-8, or if a name occurs twice or contains escapes: positions then don't show which value counts.
 */
export function findMembers(bytes: Buffer, value: Span): Map<string, Span> | undefined {
  if (bytes[value.start] !== openBrace) return undefined;
  const found = new Map<string, Span>();
  for (let at = skipSpace(bytes, value.start + 1, value.end); bytes[at] !== closeBrace; ) {
    const nameEnd = findValueEnd(bytes, at, value.end);
    if (nameEnd < 0) return undefined;
    const name = bytes.toString("latin1", at + 1, nameEnd - 1);
    if (name.includes("\\") || found.has(name)) return undefined;
    const colon = skipSpace(bytes, nameEnd, value.end);
    const start = skipSpace(bytes, colon + 1, value.end);
    const end = findValueEnd(bytes, start, value.end);
    if (end < 0) return undefined;
    found.set(name, { start, end });
    at = skipSpace(bytes, end, value.end);
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1, value.end);
  }
  return found;
}

/** The only element of an array. Returns undefined if the value isn't an array with exactly one element. */
export function findOnlyElement(bytes: Buffer, value: Span): Span | undefined {
  if (bytes[value.start] !== openBracket) return undefined;
  const start = skipSpace(bytes, value.start + 1, value.end);
  if (bytes[start] === closeBracket) return undefined;
  const end = findValueEnd(bytes, start, value.end);
  return end >= 0 && bytes[skipSpace(bytes, end, value.end)] === closeBracket ? { start, end } : undefined;
}

export function isString(bytes: Buffer, value: Span): boolean {
  return bytes[value.start] === quote;
}

export function isNumber(bytes: Buffer, value: Span): boolean {
  const first = bytes[value.start] as number;
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}
