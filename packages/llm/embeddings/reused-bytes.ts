/** Requests and answers are collected in memory that is used again: new memory for each would soon make the collector look at the whole heap. */
const KEPT_AT_MOST = 16;
/** Memory that is larger than this is not kept. */
const KEPT_BYTES_AT_MOST = 2 * 1024 * 1024;
const SMALLEST_BYTES = 64 * 1024;
/** Of UTF-8 for a UTF-16 code unit. */
const BYTES_OF_UNIT_AT_MOST = 3;

/** The smallest first. */
const kept: Buffer[] = [];

/** Collects one request or answer. */
export class ReusedBytes {
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  /** Makes room for so many bytes altogether, at once rather than as they come. */
  reserve(wanted: number): void {
    if (wanted > this.#bytes.length) this.#grow(wanted);
  }

  /** @param bytes may be overwritten afterwards */
  add(bytes: Buffer, start: number, end: number): void {
    this.reserve(this.length + end - start);
    bytes.copy(this.#bytes, this.length, start, end);
    this.length += end - start;
  }

  /** Adds a text in UTF-8. */
  addText(text: string): void {
    this.reserve(this.length + BYTES_OF_UNIT_AT_MOST * text.length);
    this.length += this.#bytes.write(text, this.length, "utf8");
  }

  /** What was collected, until `release`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  release(): void {
    keep(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
  }

  #grow(wanted: number): void {
    const found = kept.findIndex(({ length }) => length >= wanted);
    const [again] = found === -1 ? [] : kept.splice(found, 1);
    const larger = again ?? Buffer.allocUnsafeSlow(Math.max(SMALLEST_BYTES, 2 ** Math.ceil(Math.log2(wanted))));
    this.#bytes.copy(larger, 0, 0, this.length);
    keep(this.#bytes);
    this.#bytes = larger;
  }
}

function keep(bytes: Buffer): void {
  const { length } = bytes;
  if (length === 0 || length > KEPT_BYTES_AT_MOST || kept.length >= KEPT_AT_MOST) return;
  const larger = kept.findIndex((other) => other.length >= length);
  kept.splice(larger === -1 ? kept.length : larger, 0, bytes);
}
