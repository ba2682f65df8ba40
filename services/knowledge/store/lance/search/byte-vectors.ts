import { maxStride, multiplyPlainly, quantisePlainly, VectorProcessor } from "./vector-processor.ts";

/** The bytes of a vector are a multiple of these, so that SIMD instructions read nothing else. */
const strideUnit = 16;
/** More bytes have a processor of their own, so that they needn't be copied for each comparison. It reserves address space. */
const maxCopiedBytes = 2 * 1024 * 1024;
/** Small enough to stay in the processor's cache between copying and reading it. */
const copiedBytes = 3 * maxStride;

let shared: VectorProcessor | undefined;

/**
 * Vectors whose numbers take one byte each: a vector's largest number is 127 steps, the others are rounded to whole steps. Comparing
 * two of them changes a cosine by about 0.0003 at 1 536 dimensions.
 */
export class ByteVectors {
  readonly count: number;
  readonly #stride: number;
  readonly #steps: Int8Array;
  /** By which a dot product with a vector's steps is multiplied for the cosine; NaN for a vector that was not set. */
  readonly #scales: Float32Array;
  /** Whose rows the steps are. */
  readonly #own: VectorProcessor | undefined;

  constructor(count: number, dimension: number) {
    this.count = count;
    this.#stride = Math.max(1, Math.ceil(dimension / strideUnit)) * strideUnit;
    const bytes = count * this.#stride;
    this.#own = bytes > maxCopiedBytes && this.#stride <= maxStride ? new VectorProcessor(bytes) : undefined;
    this.#steps = this.#own?.rows ?? new Int8Array(bytes);
    this.#scales = new Float32Array(count).fill(Number.NaN);
  }

  get bytes(): number {
    return this.#steps.byteLength + this.#scales.byteLength;
  }

  set(position: number, vector: Float32Array): void {
    const row = this.#steps.subarray(position * this.#stride, (position + 1) * this.#stride);
    this.#scales[position] = writeSteps(vector, row);
  }

  /** Copies a vector of the same dimension. */
  copy(position: number, from: ByteVectors, fromPosition: number): void {
    const start = fromPosition * from.#stride;
    this.#steps.set(from.#steps.subarray(start, start + from.#stride), position * this.#stride);
    this.#scales[position] = from.#scales[fromPosition] as number;
  }

  /** Writes the cosines of a vector with all of these, in order; -Infinity for one that was not set. */
  writeCosines(vector: Float32Array, cosines: Float32Array): void {
    const query = new Int8Array(this.#stride);
    const scale = writeSteps(vector, query);
    const products = this.#multiply(query);
    for (let position = 0; position < this.count; position += 1) {
      const cosine = (products[position] as number) * (this.#scales[position] as number) * scale;
      cosines[position] = Number.isNaN(cosine) ? Number.NEGATIVE_INFINITY : cosine;
    }
  }

  #multiply(query: Int8Array): Int32Array {
    const stride = this.#stride;
    const products = new Int32Array(this.count);
    if (this.#own) this.#own.multiply(query, 0, stride, products);
    else if (stride > maxStride) multiplyPlainly(query, this.#steps, stride, products);
    else {
      const processor = getShared();
      const rowsAtOnce = Math.floor(copiedBytes / stride);
      for (let row = 0; row < this.count; row += rowsAtOnce) {
        const rows = products.subarray(row, row + rowsAtOnce);
        processor.rows.set(this.#steps.subarray(row * stride, (row + rows.length) * stride));
        processor.multiply(query, 0, stride, rows);
      }
    }
    return products;
  }
}

function getShared(): VectorProcessor {
  shared ??= new VectorProcessor(copiedBytes);
  return shared;
}

/** @returns by what the steps are multiplied to get a vector of length 1 */
function writeSteps(vector: Float32Array, steps: Int8Array): number {
  const squares = new Int32Array(1);
  if (steps.length > maxStride) {
    quantisePlainly(vector, steps);
    multiplyPlainly(steps, steps, steps.length, squares);
  } else {
    const processor = getShared();
    processor.quantise(vector, 0, steps.length);
    steps.set(processor.rows.subarray(0, steps.length));
    processor.multiply(steps, 0, steps.length, squares);
  }
  const [sum = 0] = squares;
  return sum === 0 ? 0 : 1 / Math.sqrt(sum);
}
