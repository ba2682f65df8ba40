/** Buffers of requests and responses are pooled. Allocating one for each would soon make the garbage collector scan the whole heap. */
const maxPooledBuffers = 16;
const maxPooledBytes = 2 * 1024 * 1024;
const minBytes = 64 * 1024;
const maxUtf8BytesPerUnit = 3;

/** Sorted by size, smallest first. */
const pool: Buffer[] = [];

/** A growing buffer whose memory returns to a shared pool. */
export class ReusedBytes {
  #bytes: Buffer = Buffer.alloc(0);
  length = 0;

  /** Reserves memory for this many bytes in total, in one step. */
  reserve(wanted: number): void {
    if (wanted > this.#bytes.length) this.#grow(wanted);
  }

  add(bytes: Buffer, start: number, end: number): void {
    this.reserve(this.length + end - start);
    bytes.copy(this.#bytes, this.length, start, end);
    this.length += end - start;
  }

  /** Appends a text in UTF-8. */
  addText(text: string): void {
    this.reserve(this.length + maxUtf8BytesPerUnit * text.length);
    this.length += this.#bytes.write(text, this.length, "utf8");
  }

  /** The content. It is overwritten after `release`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  release(): void {
    returnToPool(this.#bytes);
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
  }

  #grow(wanted: number): void {
    const found = pool.findIndex(({ length }) => length >= wanted);
    const [reused] = found === -1 ? [] : pool.splice(found, 1);
    const larger = reused ?? Buffer.allocUnsafeSlow(Math.max(minBytes, 2 ** Math.ceil(Math.log2(wanted))));
    this.#bytes.copy(larger, 0, 0, this.length);
    returnToPool(this.#bytes);
    this.#bytes = larger;
  }
}

function returnToPool(bytes: Buffer): void {
  const { length } = bytes;
  if (length === 0 || length > maxPooledBytes || pool.length >= maxPooledBuffers) return;
  const larger = pool.findIndex((other) => other.length >= length);
  pool.splice(larger === -1 ? pool.length : larger, 0, bytes);
}
