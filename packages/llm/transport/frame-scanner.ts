const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const openingBrace = 0x7b;
const openingBracket = 0x5b;
const closingBrace = 0x7d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const separator = Buffer.from([lineFeed]);
const notSearched = -2;
const minBufferBytes = 1024;
const maxRetainedBufferBytes = 64 * 1024;

/** An event is larger than the limit. */
export class FrameTooLargeError extends Error {
  override readonly name = "FrameTooLargeError";
}

export interface FrameHandler {
  readonly maxFrameBytes: number;
  /**
   * Handles one event. Its data is `bytes[start, end)`, valid only during the call. `event` is its name, or an empty string. `lineStart` is
   * the start of the data's line, or -1 if the data had several lines. Returning false stops the scan.
   */
  handle(bytes: Buffer, start: number, end: number, event: string, lineStart: number): boolean;
  /**
   * Handles the event that starts at `start` if it recognises its bytes. Returns the end of the event, including its empty line. If it
   * returns -1, the event is read line by line. It must not accept events over the limit.
   */
  shortcut?(bytes: Buffer, start: number, end: number): number;
}

const noBytes = Buffer.alloc(0);

/**
 * Finds the events of a server-sent event stream in bytes that arrive in any pieces.
 *
 * Follows https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream: lines end with LF, CR or CRLF, a leading
 * byte order mark is dropped, comments and unknown fields are skipped, data lines are joined by LF. There are five differences: a last
 * event without its empty line still counts, because some providers omit that line; a JSON object on a line between events is an event,
 * because some providers omit `data:` before an error, or write `error:` (llama.cpp); JSON after JSON is
 * another event, because some proxies drop the empty lines; and the size of an event is limited.
 *
 * Only the bytes of an unfinished event are copied. A read that ends between events is never copied.
 */
export class FrameScanner {
  readonly #handler: FrameHandler;
  readonly #maxFrameBytes: number;

  // The bytes of the unfinished event, starting with its first line, and the scan's position in them.
  #buffer: Buffer = noBytes;
  #bufferedLength = 0;
  #lineStart = 0;
  #scanOffset = 0;

  #dataLine = -1;
  #dataStart = -1;
  #dataEnd = -1;
  #earlierData: Buffer[] = [];
  #event = "";
  #isFirstLine = true;
  #shouldSkipLineFeed = false;
  #hasStopped = false;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
    this.#maxFrameBytes = handler.maxFrameBytes;
  }

  /**
   * Scans the next bytes, `chunk[start, end)`.
   *
   * @throws FrameTooLargeError when an event is larger than the limit
   */
  push(chunk: Buffer, start = 0, end: number = chunk.length): void {
    if (this.#hasStopped) return;
    const from = this.#bufferedLength > 0 ? start : this.#takeRecognisedFrames(chunk, start, end);
    if (from === end) return;
    const rest = from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end);
    const continued = this.#bufferedLength > 0;
    if (continued) this.#append(rest);
    const bytes = continued ? this.#buffer.subarray(0, this.#bufferedLength) : rest;
    const frameStart = this.#scan(bytes);
    if (!this.#hasStopped) this.#bufferRest(bytes, frameStart, continued);
  }

  /** Treats the remaining bytes as the last event. */
  end(): void {
    if (this.#hasStopped) return;
    const bytes = this.#buffer.subarray(0, this.#bufferedLength);
    const isNext = this.#beginsNextEvent(bytes, this.#lineStart, bytes.length);
    if (!isNext || this.#dispatch(bytes)) {
      if (this.#lineStart < bytes.length) this.#readLine(bytes, this.#lineStart, bytes.length);
      this.#dispatch(bytes);
    }
    this.#hasStopped = true;
  }

  /** Handles events from `start` as long as the shortcut recognises them. Returns the start of the first other event. */
  #takeRecognisedFrames(bytes: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end && !this.#shouldSkipLineFeed && this.#dataStart < 0 && this.#event === "") {
      const next = this.#handler.shortcut?.(bytes, at, end) ?? -1;
      if (next < 0) break;
      at = next;
    }
    if (at > start) this.#isFirstLine = false;
    return at;
  }

  /** Returns the start of the unfinished event. */
  #scan(bytes: Buffer): number {
    let frameStart = 0;
    let nextReturn = notSearched;
    while (this.#scanOffset < bytes.length) {
      if (this.#shouldSkipLineFeed) {
        this.#shouldSkipLineFeed = false;
        if (bytes[this.#scanOffset] === lineFeed) {
          this.#scanOffset += 1;
          this.#lineStart = this.#scanOffset;
          if (this.#dataStart < 0) frameStart = this.#scanOffset;
          continue;
        }
      }
      const known = this.#takeRecognisedFrames(bytes, this.#lineStart, bytes.length);
      if (known > this.#lineStart) {
        this.#scanOffset = known;
        this.#lineStart = known;
        frameStart = known;
        continue;
      }
      // Both kinds of line ends are searched with native calls. In a stream without CR, that search costs one call per read.
      if (nextReturn !== -1 && nextReturn < this.#scanOffset)
        nextReturn = bytes.indexOf(carriageReturn, this.#scanOffset);
      const nextFeed = bytes.indexOf(lineFeed, this.#scanOffset);
      const endsWithReturn = nextReturn !== -1 && (nextFeed === -1 || nextReturn < nextFeed);
      const lineEnd = endsWithReturn ? nextReturn : nextFeed;
      if (lineEnd === -1) {
        this.#scanOffset = bytes.length;
        break;
      }
      const lineStart = this.#lineStart;
      this.#shouldSkipLineFeed = endsWithReturn;
      this.#scanOffset = lineEnd + 1;
      this.#lineStart = lineEnd + 1;
      if (this.#beginsNextEvent(bytes, lineStart, lineEnd)) {
        frameStart = lineStart;
        if (!this.#dispatch(bytes)) {
          this.#hasStopped = true;
          break;
        }
      }
      if (!this.#readLine(bytes, lineStart, lineEnd) && !this.#dispatch(bytes)) {
        this.#hasStopped = true;
        break;
      }
      if (this.#dataStart < 0) frameStart = this.#scanOffset;
    }
    return frameStart;
  }

  /** Whether a line of data belongs to another event, though no empty line came between them: no JSON has a `{` or `[` just after a `}`. */
  #beginsNextEvent(bytes: Buffer, from: number, to: number): boolean {
    if (this.#dataStart < 0 || bytes[this.#dataEnd - 1] !== closingBrace || !isField(bytes, from, to, "data"))
      return false;
    const first = bytes[findValueStart(bytes, from + 4, to)];
    return first === openingBrace || first === openingBracket;
  }

  /** Returns false for a line that ends the event: an empty one, or one that is an event by itself. */
  #readLine(bytes: Buffer, from: number, to: number): boolean {
    let start = from;
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (to - start >= 3 && byteOrderMark.compare(bytes, start, start + 3) === 0) start += 3;
    }
    if (start === to) return false;
    if (isField(bytes, start, to, "data")) {
      if (this.#dataStart >= 0) this.#earlierData.push(Buffer.from(bytes.subarray(this.#dataStart, this.#dataEnd)));
      this.#dataLine = start;
      this.#dataStart = findValueStart(bytes, start + 4, to);
      this.#dataEnd = to;
    } else if (isField(bytes, start, to, "event")) {
      this.#event = bytes.toString("utf8", findValueStart(bytes, start + 5, to), to);
    } else if (this.#dataStart < 0) {
      const isError = isField(bytes, start, to, "error");
      const valueStart = isError ? findValueStart(bytes, start + 5, to) : start;
      if (bytes[valueStart] !== openingBrace || bytes[to - 1] !== closingBrace) return true;
      if (isError) this.#event = "error";
      this.#dataLine = -1;
      this.#dataStart = valueStart;
      this.#dataEnd = to;
      return false;
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
    if (end - start > this.#maxFrameBytes) this.#throwTooLarge();
    if (this.#earlierData.length === 0) {
      return start === end || this.#handler.handle(bytes, start, end, event, this.#dataLine);
    }
    const lines = [...this.#earlierData, bytes.subarray(start, end)];
    this.#earlierData = [];
    const joined = Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [separator, line])));
    return this.#handler.handle(joined, 0, joined.length, event, -1);
  }

  #throwTooLarge(): never {
    this.#hasStopped = true;
    throw new FrameTooLargeError(`An event of the stream is larger than ${this.#maxFrameBytes} bytes.`);
  }

  /** Doubles the buffer when it is full, so that a large event that arrives in many small pieces is copied in linear time. */
  #append(chunk: Buffer): void {
    const needed = this.#bufferedLength + chunk.length;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2, minBufferBytes));
      this.#buffer.copy(grown, 0, 0, this.#bufferedLength);
      this.#buffer = grown;
    }
    chunk.copy(this.#buffer, this.#bufferedLength);
    this.#bufferedLength = needed;
  }

  #bufferRest(bytes: Buffer, frameStart: number, continued: boolean): void {
    const length = bytes.length - frameStart;
    if (length > this.#maxFrameBytes) this.#throwTooLarge();
    this.#bufferedLength = length;
    this.#lineStart -= frameStart;
    this.#scanOffset -= frameStart;
    if (this.#dataStart >= 0) {
      this.#dataStart -= frameStart;
      this.#dataEnd -= frameStart;
    }
    if (continued) {
      // Release the memory of a large event.
      if (length === 0 && this.#buffer.length > maxRetainedBufferBytes) this.#buffer = noBytes;
      else if (frameStart > 0) this.#buffer.copyWithin(0, frameStart, bytes.length);
    } else if (length > 0) {
      if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(Math.max(length, minBufferBytes));
      bytes.copy(this.#buffer, 0, frameStart);
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

function findValueStart(bytes: Buffer, from: number, to: number): number {
  if (from >= to) return to;
  const start = from + 1;
  return start < to && bytes[start] === space ? start + 1 : start;
}
