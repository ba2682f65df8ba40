import { toOneLine } from "../streams/event-stream.ts";
import { withRoom } from "./with-room.ts";

const initialBytes = 64 * 1024;
const dataPrefix = "data: ";

/** Space reserved in front for the HTTP chunk size: eight hexadecimal digits, CR, LF. */
const headroom = 10;
const lineEnd = Buffer.from("\r\n");
const chunkEnd = lineEnd;
const [zero, nine] = [0x30, 0x39];
const bodyEnd = Buffer.from("\r\n0\r\n\r\n");

/**
 * Collects the events of one provider read as bytes. One buffer serves all streams of the process: reads are handled synchronously, so one
 * of the `take` methods copies the bytes before another stream writes.
 */
export class EventBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = headroom;

  /** Whether nothing has been written since the last `take`. */
  get isEmpty(): boolean {
    return this.#length === headroom;
  }

  /** Writes one server-sent event. */
  event(event: object): void {
    this.json(toOneLine(event));
  }

  /**
   * Writes one server-sent event that is already JSON.
   *
   * @param idLine the line with its id, if it has one
   */
  json(json: string, idLine = ""): void {
    // One native call is faster than one for each part.
    const text = `${idLine}${dataPrefix}${json}\n\n`;
    this.#bytes = withRoom(this.#bytes, this.#length, text.length * 3);
    this.#length += this.#bytes.write(text, this.#length, "utf8");
  }

  /** Writes an event whose last field is the JSON literal in `bytes[start, end)`. */
  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void {
    this.#bytes = withRoom(this.#bytes, this.#length, prefix.length + end - start + 3);
    const target = this.#bytes;
    const literalAt = this.#length + prefix.length;
    const endAt = literalAt + end - start;
    target.set(prefix, this.#length);
    // For a few bytes, a loop is faster than a native call.
    if (end - start < 48) for (let at = start; at < end; at += 1) target[literalAt + at - start] = bytes[at] as number;
    else bytes.copy(target, literalAt, start, end);
    target[endAt] = 0x7d;
    target[endAt + 1] = 0x0a;
    target[endAt + 2] = 0x0a;
    this.#length = endAt + 3;
  }

  /** Copies everything written since the last `take`. */
  take(): Buffer {
    return this.#copy(headroom);
  }

  /** Copies everything as one chunk of a chunked HTTP body (RFC 9112, section 7.1). `last` ends the body. */
  takeChunk(last: boolean): Buffer {
    if (this.isEmpty) return Buffer.from(last ? "0\r\n\r\n" : "");
    return this.#copy(this.#frameChunk(last));
  }

  /**
   * Like `takeChunk`, but without a copy. The bytes stay valid until the next event is written, or forever if `detach` is called first. The
   * buffer must not be empty.
   */
  lendChunk(): Buffer {
    const start = this.#frameChunk(false);
    const lent = this.#bytes.subarray(start, this.#length);
    this.clear();
    return lent;
  }

  /** Leaves the lent bytes to their readers. */
  detach(): void {
    this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** Drops everything written since the last `take`. */
  clear(): void {
    this.#length = headroom;
    // Release the memory of a single large event.
    if (this.#bytes.length > initialBytes * 16) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** Writes the chunk's frame around the bytes. Returns its start. */
  #frameChunk(last: boolean): number {
    const size = `${(this.#length - headroom).toString(16)}\r\n`;
    const start = headroom - size.length;
    this.#bytes.write(size, start, "latin1");
    const end = last ? bodyEnd : chunkEnd;
    this.#bytes = withRoom(this.#bytes, this.#length, end.length);
    this.#bytes.set(end, this.#length);
    this.#length += end.length;
    return start;
  }

  #copy(start: number): Buffer {
    const taken = Buffer.allocUnsafe(this.#length - start);
    this.#bytes.copy(taken, 0, start, this.#length);
    this.clear();
    return taken;
  }
}

/** Numbers the events of a run. */
export class EventIds {
  last = 0;
  /** The line with the last id, followed by an event prefix, so that both are copied at once. */
  #numbered: Buffer = Buffer.alloc(0);
  #prefix: Buffer | undefined;
  #numberedId = 0;
  #lastDigit = 0;

  nextLine(): string {
    this.last += 1;
    return `id: ${this.last}\n`;
  }

  /** Returns the line with the next id, followed by `prefix`. The next call overwrites it. */
  nextBefore(prefix: Buffer): Buffer {
    this.last += 1;
    const isNext = prefix === this.#prefix && this.#numberedId === this.last - 1;
    if (!isNext || !this.#countUp()) {
      const line = `id: ${this.last}\n`;
      this.#numbered = Buffer.concat([Buffer.from(line), prefix]);
      this.#prefix = prefix;
      this.#lastDigit = line.length - 2;
    }
    this.#numberedId = this.last;
    return this.#numbered;
  }

  /** Increments the digits in place, because formatting each number takes longer. Returns false if another digit is needed. */
  #countUp(): boolean {
    const bytes = this.#numbered;
    let at = this.#lastDigit;
    while (bytes[at] === nine) {
      bytes[at] = zero;
      at -= 1;
    }
    const digit = bytes[at] as number;
    if (digit < zero) return false;
    bytes[at] = digit + 1;
    return true;
  }
}

/** The bytes of an event up to the literal of its last field `field`. The literal and `}` complete the event. */
export function eventPrefix(event: object, field: string): Buffer {
  return Buffer.from(`${dataPrefix}${toOneLine(event).slice(0, -1)},${JSON.stringify(field)}:`);
}

/** Receives the events of a run, in order. */
export interface EventSink<Event extends object> {
  event(event: Event): void;
  /** Writes an event made of `prefix`, the literal in `bytes[start, end)` and `}`. */
  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void;
}
