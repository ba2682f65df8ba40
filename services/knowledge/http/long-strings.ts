import { randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/** A string of JSON with more bytes than this is long. */
const longFromBytes = 64 * 1024;

/** Bytes of a long string that are turned into characters and written together. */
const writtenAtOnceBytes = 64 * 1024;

/** What stands for a long string begins with as many of its characters, in UTF-16 code units. */
const beginningCharacters = 2_000;

/** In UTF-8. */
const characterBytesAtMost = 4;

const [quote, backslash, letterU] = [0x22, 0x5c, 0x75];

/** A long string, in UTF-8 in a file. */
export interface LongString {
  path: string;
  bytesOnDisk: number;
  /** Its first characters. */
  beginning: string;
}

/**
 * Takes the long strings out of JSON as it arrives, so that what is left can be parsed without holding up others: each goes
 * to a file of `folder`, and a mark that nobody can know takes its place.
 */
export class LongStrings {
  /** By their marks. */
  readonly found = new Map<string, LongString>();
  readonly #folder: string;
  readonly #nonce = randomUUID();
  #rest = Buffer.alloc(longFromBytes);
  #restBytes = 0;
  #isInString = false;
  /** Where the string begins in what is left, as long as it is short. */
  #stringAt = 0;
  /** Bytes of an escape sequence that are still to come; -1 right behind its backslash. */
  #escape = 0;
  #long: LongStringFile | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How many bytes are left without the long strings. */
  get restBytes(): number {
    return this.#restBytes;
  }

  /** The JSON with marks for its long strings. */
  get rest(): Buffer {
    return this.#rest.subarray(0, this.#restBytes);
  }

  /** @throws SyntaxError for a long string that is none of JSON's */
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
        if (this.#long !== undefined || length > longFromBytes) {
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
      this.#keep(bytes);
      if (!this.#isLongByNow()) return;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const path = join(this.#folder, `text-${this.found.size}`);
      this.#long = new LongStringFile(path, await open(path, "wx"));
      await this.#long.push(Buffer.from(this.#rest.subarray(this.#stringAt, this.#restBytes)));
      this.#restBytes = this.#stringAt - 1;
    } else await this.#long.push(bytes);
  }

  #isLongByNow(): boolean {
    return this.#isInString && this.#restBytes - this.#stringAt > longFromBytes;
  }

  async #endLong(): Promise<void> {
    if (this.#long === undefined) return;
    const string = await this.#long.end();
    this.#long = undefined;
    const mark = `${string.beginning}\0${this.#nonce}\0${this.found.size}`;
    this.found.set(mark, string);
    this.#keep(Buffer.from(JSON.stringify(mark)));
  }

  #keep(bytes: Buffer): void {
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

/** A string's characters, from its escaped form in JSON into a file. */
class LongStringFile {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Half of a character, whose other half comes in the next bytes. */
  #half = "";
  #beginning = "";
  #bytesOnDisk = 0;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  async push(bytes: Buffer): Promise<void> {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes < writtenAtOnceBytes) return;
    const raw = this.#takeWaiting();
    const whole = endOfWholeCharacters(raw);
    const rest = Buffer.from(raw.subarray(whole));
    this.#waiting.push(rest);
    this.#waitingBytes = rest.byteLength;
    await this.#write(raw.subarray(0, whole));
  }

  async end(): Promise<LongString> {
    await this.#write(this.#takeWaiting(), true);
    await this.#file.close();
    return { path: this.#path, bytesOnDisk: this.#bytesOnDisk, beginning: this.#beginning };
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
    const text = this.#half + (JSON.parse(`"${raw.toString("utf8")}"`) as string);
    const whole = !isLast && /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#half = text.slice(whole);
    const bytes = Buffer.from(text.slice(0, whole));
    if (this.#beginning === "") this.#beginning = beginningOf(text.slice(0, whole));
    this.#bytesOnDisk += bytes.byteLength;
    await this.#file.appendFile(bytes);
  }
}

const beginningOf = (text: string): string =>
  text
    .slice(0, beginningCharacters)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();

/** An offset near the end at which no character and no escape sequence is cut. */
function endOfWholeCharacters(raw: Buffer): number {
  const first = Math.max(0, raw.byteLength - characterBytesAtMost);
  let start = raw.byteLength;
  do start--;
  while (start > first && ((raw[start] ?? 0) & 0xc0) === 0x80);
  for (let at = Math.max(0, start - 5); at <= start; at++) {
    if (raw[at] !== backslash || backslashesBefore(raw, at) % 2 !== 0) continue;
    const length = raw[at + 1] === letterU ? 6 : 2;
    if (at + length > raw.byteLength) return at;
    if (at + length > start) return at + length;
  }
  return Math.max(0, start);
}

function backslashesBefore(raw: Buffer, offset: number): number {
  let count = 0;
  while (raw[offset - 1 - count] === backslash) count++;
  return count;
}
