const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const separator = Buffer.from([lineFeed]);
const notSearched = -2;
const smallestBuffer = 1024;
const largestBufferKept = 64 * 1024;

/** Raised when an event grows over the bound without ending. */
export class FrameTooLargeError extends Error {
  override readonly name = "FrameTooLargeError";
}

/**
 * Takes one event of a stream: its data is `bytes[start, end)`, valid only during the call; `event` is its name, or the
 * empty string; `lineStart` is where the line of its data begins, or -1 when these were several lines. Returning false
 * stops the scan: what follows is not looked at.
 */
export type FrameHandler = (bytes: Buffer, start: number, end: number, event: string, lineStart: number) => boolean;

/**
 * Takes the event that begins at `start`, when it knows it by its bytes. Returns where the event ends, its empty line
 * included, or -1: then it is read line by line, as it would be without this. An event over the bound is never known.
 */
export type FrameShortcut = (bytes: Buffer, start: number, end: number) => number;

const noBytes = Buffer.alloc(0);

/**
 * Finds the events of a server-sent event stream in bytes that arrive in any pieces.
 *
 * Written after https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream: lines end with
 * LF, CR or CRLF, a leading byte order mark is dropped, comments and unknown fields are skipped, data lines are joined by
 * LF. Two things differ: an event that the end of the stream leaves without its empty line still counts, since providers
 * forget it; and an event may not be larger than a bound.
 *
 * The bytes of a read that ends between events are never copied; only those of an unfinished event are kept.
 */
export class FrameScanner {
  readonly #handle: FrameHandler;
  readonly #shortcut: FrameShortcut;
  readonly #maxFrameBytes: number;

  // The unfinished event's bytes from its first line on, and where in them the scan stands.
  #kept: Buffer = noBytes;
  #keptLength = 0;
  #lineStart = 0;
  #scanned = 0;

  #dataLine = -1;
  #dataStart = -1;
  #dataEnd = -1;
  #earlierData: Buffer[] = [];
  #event = "";
  #firstLine = true;
  #skipLineFeed = false;
  #stopped = false;

  constructor(options: { handle: FrameHandler; shortcut?: FrameShortcut; maxFrameBytes: number }) {
    this.#handle = options.handle;
    this.#shortcut = options.shortcut ?? (() => -1);
    this.#maxFrameBytes = options.maxFrameBytes;
  }

  /**
   * Scans the next bytes, `chunk[start, end)`.
   *
   * @throws FrameTooLargeError when an event is larger than the bound
   */
  push(chunk: Buffer, start = 0, end: number = chunk.length): void {
    if (this.#stopped) return;
    const from = this.#keptLength > 0 ? start : this.#takeKnownFrames(chunk, start, end);
    if (from === end) return;
    const rest = from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end);
    const continued = this.#keptLength > 0;
    if (continued) this.#append(rest);
    const bytes = continued ? this.#kept.subarray(0, this.#keptLength) : rest;
    const frameStart = this.#scan(bytes);
    if (!this.#stopped) this.#keep(bytes, frameStart, continued);
  }

  /** Takes what was left without its empty line as an event of its own. */
  end(): void {
    if (this.#stopped) return;
    const bytes = this.#kept.subarray(0, this.#keptLength);
    if (this.#lineStart < bytes.length) this.#readLine(bytes, this.#lineStart, bytes.length);
    this.#dispatch(bytes);
    this.#stopped = true;
  }

  /** Takes events from `start` on for as long as the shortcut knows them, and returns where it does not. */
  #takeKnownFrames(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && !this.#skipLineFeed && this.#dataStart < 0 && this.#event === "") {
      const next = this.#shortcut(bytes, at, end);
      if (next < 0) break;
      at = next;
    }
    return at;
  }

  /** Returns where the unfinished event begins. */
  #scan(bytes: Buffer): number {
    let frameStart = 0;
    let nextReturn = notSearched;
    while (this.#scanned < bytes.length) {
      if (this.#skipLineFeed) {
        this.#skipLineFeed = false;
        if (bytes[this.#scanned] === lineFeed) {
          this.#scanned += 1;
          this.#lineStart = this.#scanned;
          if (this.#dataStart < 0) frameStart = this.#scanned;
          continue;
        }
      }
      const known = this.#takeKnownFrames(bytes, this.#lineStart, bytes.length);
      if (known > this.#lineStart) {
        this.#scanned = known;
        this.#lineStart = known;
        frameStart = known;
        continue;
      }
      // Both kinds of line end are searched natively; a stream without CR pays for that search once per read.
      if (nextReturn !== -1 && nextReturn < this.#scanned) nextReturn = bytes.indexOf(carriageReturn, this.#scanned);
      const nextFeed = bytes.indexOf(lineFeed, this.#scanned);
      const endsWithReturn = nextReturn !== -1 && (nextFeed === -1 || nextReturn < nextFeed);
      const lineEnd = endsWithReturn ? nextReturn : nextFeed;
      if (lineEnd === -1) {
        this.#scanned = bytes.length;
        break;
      }
      const lineStart = this.#lineStart;
      this.#skipLineFeed = endsWithReturn;
      this.#scanned = lineEnd + 1;
      this.#lineStart = lineEnd + 1;
      if (!this.#readLine(bytes, lineStart, lineEnd) && !this.#dispatch(bytes)) {
        this.#stopped = true;
        break;
      }
      if (this.#dataStart < 0) frameStart = this.#scanned;
    }
    return frameStart;
  }

  /** Returns whether the line holds anything: an empty one ends the event. */
  #readLine(bytes: Buffer, from: number, to: number): boolean {
    let start = from;
    if (this.#firstLine) {
      this.#firstLine = false;
      if (to - start >= 3 && byteOrderMark.compare(bytes, start, start + 3) === 0) start += 3;
    }
    if (start === to) return false;
    if (isField(bytes, start, to, "data")) {
      if (this.#dataStart >= 0) this.#earlierData.push(Buffer.from(bytes.subarray(this.#dataStart, this.#dataEnd)));
      this.#dataLine = start;
      this.#dataStart = valueStart(bytes, start + 4, to);
      this.#dataEnd = to;
    } else if (isField(bytes, start, to, "event")) {
      this.#event = bytes.toString("utf8", valueStart(bytes, start + 5, to), to);
    }
    return true;
  }

  #dispatch(bytes: Buffer): boolean {
    const event = this.#event;
    const start = this.#dataStart;
    const end = this.#dataEnd;
    this.#event = "";
    this.#dataStart = -1;
    if (start < 0) return true;
    if (end - start > this.#maxFrameBytes) this.#refuse();
    if (this.#earlierData.length === 0) {
      return start === end || this.#handle(bytes, start, end, event, this.#dataLine);
    }
    const lines = [...this.#earlierData, bytes.subarray(start, end)];
    this.#earlierData = [];
    const joined = Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [separator, line])));
    return this.#handle(joined, 0, joined.length, event, -1);
  }

  #refuse(): never {
    this.#stopped = true;
    throw new FrameTooLargeError(`An event of the stream is larger than ${this.#maxFrameBytes} bytes.`);
  }

  #append(chunk: Buffer): void {
    const needed = this.#keptLength + chunk.length;
    if (needed > this.#kept.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#kept.length * 2, smallestBuffer));
      this.#kept.copy(grown, 0, 0, this.#keptLength);
      this.#kept = grown;
    }
    chunk.copy(this.#kept, this.#keptLength);
    this.#keptLength = needed;
  }

  #keep(bytes: Buffer, frameStart: number, continued: boolean): void {
    const length = bytes.length - frameStart;
    if (length > this.#maxFrameBytes) this.#refuse();
    this.#keptLength = length;
    this.#lineStart -= frameStart;
    this.#scanned -= frameStart;
    if (this.#dataStart >= 0) {
      this.#dataStart -= frameStart;
      this.#dataEnd -= frameStart;
    }
    if (continued) {
      // A stream that once carried a large event must not hold on to its memory.
      if (length === 0 && this.#kept.length > largestBufferKept) this.#kept = noBytes;
      else if (frameStart > 0) this.#kept.copyWithin(0, frameStart, bytes.length);
    } else if (length > 0) {
      if (length > this.#kept.length) this.#kept = Buffer.allocUnsafeSlow(Math.max(length, smallestBuffer));
      bytes.copy(this.#kept, 0, frameStart);
    }
  }
}

function isField(bytes: Buffer, from: number, to: number, name: string): boolean {
  const end = from + name.length;
  if (end > to || (end < to && bytes[end] !== colon)) return false;
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[from + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

function valueStart(bytes: Buffer, from: number, to: number): number {
  if (from >= to) return to;
  const start = from + 1;
  return start < to && bytes[start] === space ? start + 1 : start;
}
