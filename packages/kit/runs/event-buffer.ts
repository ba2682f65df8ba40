const initialBytes = 64 * 1024;
const dataPrefix = "data: ";

/** Space in front for the size of an HTTP chunk: eight hexadecimal digits, CR, LF. */
const headroom = 10;
const lineEnd = Buffer.from("\r\n");
const chunkEnd = lineEnd;
const [space, zero, nine] = [0x20, 0x30, 0x39];
const bodyEnd = Buffer.from("\r\n0\r\n\r\n");

/**
 * Collects the events of one read from the provider as bytes. One buffer serves all streams of the process: reads are handled
 * synchronously, so the bytes are copied out by one of the `take`s before another stream writes.
 */
export class EventBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = headroom;

  /** Whether nothing was written since the last `take`. */
  get isEmpty(): boolean {
    return this.#length === headroom;
  }

  /** Writes the line with the id of the next event. */
  id({ bytes, start }: EventIds): void {
    const length = bytes.length - start;
    this.#reserve(length);
    const target = this.#bytes;
    const at = this.#length;
    // For a few bytes a loop is faster than a call into native code.
    for (let index = 0; index < length; index += 1) target[at + index] = bytes[start + index] as number;
    this.#length = at + length;
  }

  /** Writes one server-sent event. */
  event(event: object): void {
    this.json(JSON.stringify(event));
  }

  /** The same for an event that is JSON already. */
  json(json: string): void {
    this.#reserve(json.length * 3 + dataPrefix.length + 2);
    this.#length += this.#bytes.write(dataPrefix, this.#length, "latin1");
    this.#length += this.#bytes.write(json, this.#length, "utf8");
    this.#length += this.#bytes.write("\n\n", this.#length, "latin1");
  }

  /** Writes an event whose last field is the JSON literal in `bytes[start, end)`. */
  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void {
    this.#reserve(prefix.length + end - start + 3);
    const target = this.#bytes;
    const literalAt = this.#length + prefix.length;
    const endAt = literalAt + end - start;
    target.set(prefix, this.#length);
    // For a few bytes a loop is faster than a call into native code.
    if (end - start < 48) for (let at = start; at < end; at += 1) target[literalAt + at - start] = bytes[at] as number;
    else bytes.copy(target, literalAt, start, end);
    target[endAt] = 0x7d;
    target[endAt + 1] = 0x0a;
    target[endAt + 2] = 0x0a;
    this.#length = endAt + 3;
  }

  /** A copy of everything written since the last `take`. */
  take(): Buffer {
    return this.#copy(headroom);
  }

  /** The same as one chunk of a chunked HTTP body (RFC 9112, section 7.1). `last` ends the body. */
  takeChunk(last: boolean): Buffer {
    if (this.isEmpty) return Buffer.from(last ? "0\r\n\r\n" : "");
    const size = `${(this.#length - headroom).toString(16)}\r\n`;
    const start = headroom - size.length;
    this.#bytes.write(size, start, "latin1");
    const end = last ? bodyEnd : chunkEnd;
    this.#reserve(end.length);
    this.#bytes.set(end, this.#length);
    this.#length += end.length;
    return this.#copy(start);
  }

  /** Drops everything written since the last `take`. */
  clear(): void {
    this.#length = headroom;
  }

  #copy(start: number): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(start, this.#length));
    this.#length = headroom;
    // Release the memory of a single large event.
    if (this.#bytes.length > initialBytes * 16) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    return taken;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Counts the events of a run. Keeps the line of the present id as bytes, because formatting each number takes longer. */
export class EventIds {
  readonly bytes = Buffer.from("                id: 0\n");
  /** Where the line begins in `bytes`. */
  start = this.bytes.length - "id: 0\n".length;
  last = 0;

  next(): void {
    this.last += 1;
    const { bytes } = this;
    let at = bytes.length - 2;
    while (bytes[at] === nine) {
      bytes[at] = zero;
      at -= 1;
    }
    if (bytes[at] !== space) {
      bytes[at] = (bytes[at] as number) + 1;
      return;
    }
    // The number has one more digit, which takes the place of the space.
    bytes[at] = zero + 1;
    this.start -= 1;
    bytes.write("id: ", this.start, "latin1");
  }
}

/** The bytes of an event up to the literal of its last field, `field`. The literal and `}` complete it. */
export function eventPrefix(event: object, field: string): Buffer {
  return Buffer.from(`${dataPrefix}${JSON.stringify(event).slice(0, -1)},${JSON.stringify(field)}:`);
}

/** Receives the events of a profile, in order. */
export interface EventSink<Event extends object> {
  event(event: Event): void;
  /** An event made of `prefix`, the literal in `bytes[start, end)` and `}`. */
  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void;
}
