import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { problems } from "@agent-backends/contract";

/** JSON strings with more bytes than this are moved to files. */
const maxShortBytes = 64 * 1024;

/** Number of decoded bytes of a long string that are written together. */
const writeBatchBytes = 64 * 1024;

/** The placeholder of a long string starts with this many of its characters, in UTF-16 code units. */
const prefixCharacters = 2_000;

/** Maximum size of a character in UTF-8. */
const maxCharacterBytes = 4;

const [quote, backslash, letterU] = [0x22, 0x5c, 0x75];

/** A long string, stored as UTF-8 in a file. */
export interface LongString {
  path: string;
  bytesOnDisk: number;
  /** Its first characters. */
  prefix: string;
}

/**
 * Moves the long strings of a JSON text to files in `folder` while it arrives, so that parsing the rest doesn't block the event
 * loop. An unguessable placeholder replaces each one.
 */
export class LongStrings {
  /** By placeholder. */
  readonly found = new Map<string, LongString>();
  readonly #folder: string;
  readonly #nonce = randomUUID();
  #rest = Buffer.alloc(maxShortBytes);
  #restBytes = 0;
  #isInString = false;
  /** Offset of the current string in the rest, while it is short. */
  #stringAt = 0;
  /** Remaining bytes of an escape sequence; -1 right after its backslash. */
  #escape = 0;
  #long: LongStringFile | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Size of the JSON without its long strings. */
  get restBytes(): number {
    return this.#restBytes;
  }

  /** The JSON with placeholders for its long strings. */
  get rest(): Buffer {
    return this.#rest.subarray(0, this.#restBytes);
  }

  /** @throws SyntaxError for a long string that isn't valid JSON, and ProblemError `not-json` for one that isn't UTF-8 */
  async push(chunk: Buffer): Promise<void> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (!this.#isInString) {
        if (byte !== quote) continue;
        this.#isInString = true;
        this.#stringAt = this.#restBytes + at + 1 - from;
      } else if (this.#escape === -1) this.#escape = byte === letterU ? 4 : 0;
      else if (this.#escape > 0) this.#escape--;
      else if (byte === backslash) this.#escape = -1;
      else if (byte === quote) {
        const length = this.#restBytes + at - from - this.#stringAt;
        if (this.#long !== undefined || length > maxShortBytes) {
          await this.#take(chunk.subarray(from, at));
          await this.#endLong();
          from = at + 1;
        }
        this.#isInString = false;
      }
    }
    await this.#take(chunk.subarray(from));
  }

  async close(): Promise<void> {
    await this.#long?.close();
  }

  async #take(bytes: Buffer): Promise<void> {
    if (this.#long === undefined) {
      this.#append(bytes);
      if (!this.#isLong()) return;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const path = join(this.#folder, `text-${this.found.size}`);
      this.#long = new LongStringFile(path, await open(path, "wx"));
      await this.#long.push(Buffer.from(this.#rest.subarray(this.#stringAt, this.#restBytes)));
      this.#restBytes = this.#stringAt - 1;
    } else await this.#long.push(bytes);
  }

  #isLong(): boolean {
    return this.#isInString && this.#restBytes - this.#stringAt > maxShortBytes;
  }

  async #endLong(): Promise<void> {
    if (this.#long === undefined) return;
    const string = await this.#long.end();
    this.#long = undefined;
    const placeholder = `${string.prefix}\0${this.#nonce}\0${this.found.size}`;
    this.found.set(placeholder, string);
    this.#append(Buffer.from(JSON.stringify(placeholder)));
  }

  #append(bytes: Buffer): void {
    const needed = this.#restBytes + bytes.byteLength;
    if (needed > this.#rest.byteLength) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#rest.byteLength));
      this.#rest.copy(larger, 0, 0, this.#restBytes);
      this.#rest = larger;
    }
    bytes.copy(this.#rest, this.#restBytes);
    this.#restBytes = needed;
  }
}

/** Unescapes a JSON string into a file. */
class LongStringFile {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** A high surrogate whose low surrogate comes with the next bytes. */
  #half = "";
  #prefix = "";
  #bytesOnDisk = 0;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async push(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes < writeBatchBytes) return;
    const raw = this.#takeWaiting();
    const whole = findSafeEnd(raw);
    const rest = Buffer.from(raw.subarray(whole));
    this.#waiting.push(rest);
    this.#waitingBytes = rest.byteLength;
    await this.#write(raw.subarray(0, whole));
  }

  async end(): Promise<LongString> {
    await this.#write(this.#takeWaiting(), true);
    await this.#file.close();
    return { path: this.#path, bytesOnDisk: this.#bytesOnDisk, prefix: this.#prefix };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #takeWaiting(): Buffer {
    const raw = Buffer.concat(this.#waiting);
    this.#waiting = [];
    return raw;
  }

  async #write(raw: Buffer, isLast = false): Promise<void> {
    if (!isUtf8(raw)) throw problems.notUtf8();
    const text = this.#half + (JSON.parse(`"${raw.toString("utf8")}"`) as string);
    const whole = !isLast && /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#half = text.slice(whole);
    const bytes = Buffer.from(text.slice(0, whole));
    if (this.#prefix === "") this.#prefix = toPrefix(text.slice(0, whole));
    this.#bytesOnDisk += bytes.byteLength;
    await this.#file.appendFile(bytes);
  }
}

const toPrefix = (text: string): string =>
  text
    .slice(0, prefixCharacters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();

/** The last offset that splits neither a character nor an escape sequence. */
function findSafeEnd(raw: Buffer): number {
  const first = Math.max(0, raw.byteLength - maxCharacterBytes);
  let start = raw.byteLength;
  do start--;
  while (start > first && ((raw[start] ?? 0) & 0xc0) === 0x80);
  for (let at = Math.max(0, start - 5); at <= start; at++) {
    if (raw[at] !== backslash || countBackslashesBefore(raw, at) % 2 !== 0) continue;
    const length = raw[at + 1] === letterU ? 6 : 2;
    if (at + length > raw.byteLength) return at;
    if (at + length > start) return at + length;
  }
  return Math.max(0, start);
}

function countBackslashesBefore(raw: Buffer, offset: number): number {
  let count = 0;
  while (raw[offset - 1 - count] === backslash) count++;
  return count;
}
