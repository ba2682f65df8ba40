/** Answers are collected in memory that is used again: new memory for each would soon make the collector look at the whole heap. */
const KEPT_AT_MOST = 8;
/** Of answers that are larger than this the memory is not kept. */
const KEPT_BYTES_AT_MOST = 2 * 1024 * 1024;
const SMALLEST_BYTES = 64 * 1024;

const kept: Buffer[] = [];

/** Collects one answer. */
export class AnswerMemory {
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

  /** What was collected, until `release`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  release(): void {
    this.#keep();
    this.#bytes = Buffer.alloc(0);
    this.length = 0;
  }

  #grow(wanted: number): void {
    const found = kept.findIndex(({ length }) => length >= wanted);
    const [again] = found === -1 ? [] : kept.splice(found, 1);
    const larger = again ?? Buffer.allocUnsafeSlow(Math.max(SMALLEST_BYTES, 2 ** Math.ceil(Math.log2(wanted))));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#keep();
    this.#bytes = larger;
  }

  #keep(): void {
    const { length } = this.#bytes;
    if (length > 0 && length <= KEPT_BYTES_AT_MOST && kept.length < KEPT_AT_MOST) kept.push(this.#bytes);
  }
}
