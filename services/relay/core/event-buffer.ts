const initialBytes = 64 * 1024;
const dataPrefix = "data: ";
const dataSuffix = "\n\n";

/**
 * Collects the events of one push as bytes. One buffer serves every stream of the process, because a push never waits
 * in between: what it wrote is copied out by `take` before another stream's turn.
 */
export class EventBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  /** Writes one server-sent event. */
  event(event: object): void {
    const json = JSON.stringify(event);
    this.#reserve(json.length * 3 + dataPrefix.length + dataSuffix.length);
    this.#length += this.#bytes.write(dataPrefix, this.#length, "latin1");
    this.#length += this.#bytes.write(json, this.#length, "utf8");
    this.#length += this.#bytes.write(dataSuffix, this.#length, "latin1");
  }

  /** Writes `bytes[start, end)` as they are. */
  raw(bytes: Buffer, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    this.#length += bytes.copy(this.#bytes, this.#length, start, end);
  }

  /** A copy of what was written since the last call, or nothing. */
  take(): Buffer | undefined {
    if (this.#length === 0) return undefined;
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    // One large event must not hold on to its memory for ever.
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
