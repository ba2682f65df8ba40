import { isUtf8 } from "node:buffer";
import { limits, problems } from "@agent-backends/contract";

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Shorter JSON can't exceed a limit: each value takes at least a byte and a separator, each level two brackets, a name its bytes. */
const minCountedBytes = 2 * limits.jsonDepth;

/**
 * Counts the values and levels of JSON as its bytes arrive, so that a body over a limit is refused before it is parsed. A small body with
 * millions of empty objects takes gigabytes once parsed, and JSON with thousands of levels can't be serialised again.
 */
export class JsonCounter {
  readonly #what: string;
  readonly #maxValues: number;
  #uncounted: Uint8Array[] = [];
  #bytes = 0;
  #values = 0;
  #depth = 0;
  #isInString = false;
  /** Length of the last string, including its closing quote. */
  #stringBytes = 0;
  #isEscaped = false;

  /** @param options.what name of the JSON in a problem, such as "The body" */
  constructor({ what = "The body", maxValues = limits.jsonValues }: { what?: string; maxValues?: number } = {}) {
    this.#what = what;
    this.#maxValues = maxValues;
  }

  /** @throws ProblemError `too-large` */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    this.#uncounted.push(chunk);
    if (this.#bytes < minCountedBytes) return;
    for (const uncounted of this.#uncounted) this.#count(uncounted);
    this.#uncounted = [];
  }

  #count(chunk: Uint8Array): void {
    // Local variables, because a private field for each byte takes four times as long.
    let values = this.#values;
    let depth = this.#depth;
    let at = this.#isInString ? this.#skipString(chunk, 0) : 0;
    while (at < chunk.length) {
      switch (chunk[at++]) {
        case quote:
          this.#stringBytes = 0;
          at = this.#skipString(chunk, at);
          break;
        case colon:
          if (this.#stringBytes > limits.jsonNameBytes + 1) throw problems.nameTooLong(this.#what);
          break;
        case comma:
          requireValues(++values, this.#maxValues, this.#what);
          break;
        case openBracket:
        case openBrace:
          requireValues(++values, this.#maxValues, this.#what);
          requireDepth(++depth, this.#what);
          break;
        case closeBracket:
        case closeBrace:
          depth--;
      }
    }
    this.#values = values;
    this.#depth = depth;
  }

  /** Returns the index just past a string's closing quote, or the chunk's end if the string continues in the next one. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    this.#isInString = true;
    this.#isEscaped = false;
    while (at < chunk.length) {
      const byte = chunk[at++];
      if (byte === quote) {
        this.#isInString = false;
        this.#stringBytes += at - from;
        return at;
      }
      if (byte === backslash) at++;
    }
    this.#stringBytes += at - from;
    // True if the last byte is a backslash.
    this.#isEscaped = at > chunk.length;
    return at;
  }
}

/**
 * Decodes JSON as UTF-8, without a byte order mark.
 *
 * @throws ProblemError `not-json`
 */
export function decode(bytes: Buffer): string {
  // Node.js would replace invalid bytes, and the model would get another question than the one sent.
  if (!isUtf8(bytes)) throw problems.notUtf8();
  return bytes.toString("utf8").replace(/^\ufeff/, "");
}

/**
 * Parses JSON that a JsonCounter has checked.
 *
 * @throws ProblemError `not-json`
 */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw problems.notJson(cause);
  }
}

/**
 * Checks already parsed JSON against the limits.
 *
 * @throws ProblemError `too-large`
 */
export function requireCountedValues(value: unknown): void {
  const what = "The body";
  let values = 0;
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    requireDepth(depth, what);
    const next: unknown[] = [];
    for (const parent of level) {
      if (typeof parent !== "object" || parent === null || ArrayBuffer.isView(parent)) continue;
      const children = Array.isArray(parent) ? parent : Object.values(parent);
      values += children.length;
      requireValues(values, limits.jsonValues, what);
      for (const child of children) next.push(child);
    }
    level = next;
  }
}

function requireValues(values: number, maxValues: number, what: string): void {
  if (values <= maxValues) return;
  throw problems.tooManyValues(what, maxValues);
}

function requireDepth(depth: number, what: string): void {
  if (depth <= limits.jsonDepth) return;
  throw problems.tooDeep(what);
}
