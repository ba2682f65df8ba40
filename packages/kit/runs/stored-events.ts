import { withRoom } from "./with-room.ts";

const initialBytes = 64 * 1_024;
const [lineFeed, quote, equalsSign] = [0x0a, 0x22, 0x3d];
const [startOfEvent, endOfEvent, endOfLiteralEvent] = ["data: ", "\n\n", "}\n\n"].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/**
 * Collects the events of one batch in stored form. Most events differ only in a JSON literal at their end, so their common prefix is stored
 * once per batch. That takes a tenth of the bytes that are sent. Each line is one of:
 * - `=`, then the prefix of the literals below
 * - a JSON string, the literal of an event
 * - a JSON object, a whole event
 */
export class StoredBatch {
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;
  #prefix: Buffer | undefined;

  /** @param json the event */
  event(json: string): void {
    this.#bytes = withRoom(this.#bytes, this.#length, json.length * 3 + 1);
    this.#length += this.#bytes.write(json, this.#length, "utf8");
    this.#bytes[this.#length++] = lineFeed;
  }

  eventWithLiteral(prefix: Buffer, bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#bytes = withRoom(this.#bytes, this.#length, prefix.length + length + 3);
    const target = this.#bytes;
    if (prefix !== this.#prefix) {
      this.#prefix = prefix;
      target[this.#length++] = equalsSign;
      target.set(prefix, this.#length);
      this.#length += prefix.length;
      target[this.#length++] = lineFeed;
    }
    const at = this.#length;
    // For a few bytes, a loop is faster than a native call.
    if (length < 48)
      for (let index = 0; index < length; index += 1) target[at + index] = bytes[start + index] as number;
    else bytes.copy(target, at, start, end);
    target[at + length] = lineFeed;
    this.#length = at + length + 1;
  }

  /** Returns the batch, and starts a new one, which overwrites these bytes. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    this.#prefix = undefined;
    // Release the memory of a single large event.
    if (this.#bytes.length > initialBytes * 16) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    return taken;
  }
}

/** Converts stored events to the bytes that were sent. Batches may be passed in any pieces of whole lines. */
export class SentEvents {
  readonly #after: number;
  #lastId: number;
  #prefix: Buffer = startOfEvent;

  /**
   * @param lastId id of the last event before the first line
   * @param after events up to this id are left out
   */
  constructor(lastId: number, after: number) {
    this.#lastId = lastId;
    this.#after = after;
  }

  decode(stored: Buffer): Buffer {
    const pieces: Buffer[] = [];
    for (const line of toLines(stored)) {
      if (line[0] === equalsSign) {
        // Copied, because the next line may arrive in another buffer.
        this.#prefix = Buffer.from(line.subarray(1));
        continue;
      }
      this.#lastId += 1;
      if (this.#lastId <= this.#after) continue;
      pieces.push(Buffer.from(`id: ${this.#lastId}\n`));
      if (line[0] === quote) pieces.push(this.#prefix, line, endOfLiteralEvent);
      else pieces.push(startOfEvent, line, endOfEvent);
    }
    return Buffer.concat(pieces);
  }
}

export function countEvents(stored: Buffer): number {
  let count = 0;
  for (const line of toLines(stored)) if (line[0] !== equalsSign) count += 1;
  return count;
}

function* toLines(stored: Buffer): Generator<Buffer> {
  for (let start = 0; start < stored.length; ) {
    const end = stored.indexOf(lineFeed, start);
    yield stored.subarray(start, end);
    start = end + 1;
  }
}
