import { ProviderError } from "../errors/provider-error.ts";

const maxPooledBlocks = 4;
const maxPooledNumbers = 2 ** 20;
/** Larger than any model's vectors. Limits the memory that a faulty response can take per text. */
const maxDimension = 32_768;

const pool: Float32Array<ArrayBuffer>[] = [];

/**
 * Memory for the vectors of one call, reused by later calls once it is released. Otherwise each call's block would stay
 * until the next full garbage collection, and the blocks would soon be as large as the heap itself.
 */
export class VectorMemory {
  #values = new Float32Array();

  /** Returns memory for `count` numbers, not zeroed. */
  take(count: number): Float32Array<ArrayBuffer> {
    const found = pool.findIndex(({ length }) => length >= count);
    const [reused] = found === -1 ? [] : pool.splice(found, 1);
    this.#values = reused ?? new Float32Array(count);
    return this.#values.subarray(0, count);
  }

  /** Call this once the call has ended and nothing uses its vectors any more. */
  release(): void {
    const { length } = this.#values;
    if (length > 0 && length <= maxPooledNumbers) pool.push(this.#values);
    // The most recently released block is the most likely to fit the next call.
    if (pool.length > maxPooledBlocks) pool.shift();
    this.#values = new Float32Array();
  }
}

/** The vectors of one call, contiguous in memory, so that a store can write them without a copy. All have the same length. */
export class VectorBlock {
  readonly #count: number;
  readonly #memory: VectorMemory | undefined;
  #dimension = 0;
  #values = new Float32Array();

  constructor(count: number, memory?: VectorMemory) {
    this.#count = count;
    this.#memory = memory;
  }

  /** Returns the array for the vector of text `index`. @throws ProviderError if its dimension differs from that of the others */
  place(index: number, dimension: number): Float32Array<ArrayBuffer> {
    if (this.#dimension === 0) {
      if (dimension > maxDimension) {
        throw new ProviderError("invalid", `The model provider gave an embedding of ${dimension} numbers.`);
      }
      this.#dimension = dimension;
      const numbers = this.#count * dimension;
      this.#values = this.#memory?.take(numbers) ?? new Float32Array(numbers);
    }
    if (dimension !== this.#dimension) {
      throw new ProviderError("invalid", "The model provider gave embeddings of different lengths.");
    }
    return this.#values.subarray(index * dimension, (index + 1) * dimension);
  }

  vectors(): Float32Array[] {
    return Array.from({ length: this.#count }, (_, index) => this.place(index, this.#dimension));
  }
}
