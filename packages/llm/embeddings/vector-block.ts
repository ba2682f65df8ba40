import { ProviderError } from "../errors/provider-error.ts";
import type { VectorMemory } from "./vector-memory.ts";

/** More than any model gives: a wrong answer takes no more memory than this for each text. */
const MAX_DIMENSION = 32_768;

/**
 * Memory for the vectors of one call, one behind the other in one piece: the collector looks at each piece, and a store can
 * write them as they lie. They are all as long as the first one that comes.
 */
export class VectorBlock {
  readonly #count: number;
  readonly #memory: VectorMemory | undefined;
  #dimension = 0;
  #values = new Float32Array();

  constructor(count: number, memory?: VectorMemory) {
    this.#count = count;
    this.#memory = memory;
  }

  /** Where vector `index` (0-based) is written to. @throws ProviderError unless it is as long as the others */
  place(index: number, dimension: number): Float32Array<ArrayBuffer> {
    if (this.#dimension === 0) {
      if (dimension > MAX_DIMENSION) {
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
