/** Of what was released this much is kept for the next calls. */
const KEPT_AT_MOST = 4;
const KEPT_NUMBERS_AT_MOST = 2 ** 20;

const kept: Float32Array<ArrayBuffer>[] = [];

/**
 * Memory for the vectors of one call, which the next calls use again once it is released: new memory for each lies about until
 * the collector looks at the whole heap, and by then is as much as the heap.
 */
export class VectorMemory {
  #values = new Float32Array();

  /** Room for so many numbers, whatever is in it. */
  take(count: number): Float32Array<ArrayBuffer> {
    const found = kept.findIndex(({ length }) => length >= count);
    const [again] = found === -1 ? [] : kept.splice(found, 1);
    this.#values = again ?? new Float32Array(count);
    return this.#values.subarray(0, count);
  }

  /** Gives it back. Nobody may use the vectors in it any more, nor may the call still be running that writes them. */
  release(): void {
    const { length } = this.#values;
    if (length > 0 && length <= KEPT_NUMBERS_AT_MOST) kept.push(this.#values);
    // What was released last fits the next calls best.
    if (kept.length > KEPT_AT_MOST) kept.shift();
    this.#values = new Float32Array();
  }
}
