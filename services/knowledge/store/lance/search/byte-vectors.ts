import { makeDotProducts } from "./dot-products.ts";

/** The step of the largest number. */
const maxStep = 127;
/** The bytes of a vector are a multiple of these, so that SIMD instructions read nothing else. */
const strideUnit = 16;

/**
 * Vectors whose numbers take one byte each: a vector's largest number is 127 steps, the others are rounded to whole steps. Comparing
 * two of them changes a cosine by about 0.0003 at 1 536 dimensions.
 */
export class ByteVectors {
  readonly #stride: number;
  readonly #steps: Int8Array;
  /** By which a dot product with a vector's steps is multiplied for the cosine; NaN for a vector that was not set. */
  readonly #scales: Float32Array;

  constructor(count: number, dimension: number) {
    this.#stride = Math.max(1, Math.ceil(dimension / strideUnit)) * strideUnit;
    this.#steps = new Int8Array(count * this.#stride);
    this.#scales = new Float32Array(count).fill(Number.NaN);
  }

  get bytes(): number {
    return this.#steps.byteLength + this.#scales.byteLength;
  }

  set(position: number, vector: Float32Array): void {
    this.#scales[position] = toScale(writeSteps(vector, this.#steps, position * this.#stride));
  }

  /** The cosines of a vector with all of these, in order; -Infinity for one that was not set. */
  cosines(vector: Float32Array): Float32Array {
    const query = new Int8Array(this.#stride);
    const scale = toScale(writeSteps(vector, query, 0));
    const products = makeDotProducts({ query, rows: this.#steps, stride: this.#stride });
    return this.#scales.map((itsScale, position) =>
      Number.isNaN(itsScale) ? Number.NEGATIVE_INFINITY : (products[position] as number) * itsScale * scale,
    );
  }
}

const toScale = (squares: number) => (squares === 0 ? 0 : 1 / Math.sqrt(squares));

/** @returns the sum of the steps' squares */
function writeSteps(vector: Float32Array, steps: Int8Array, start: number): number {
  let largest = 0;
  for (let index = 0; index < vector.length; index++) {
    const size = Math.abs(vector[index] as number);
    if (size > largest) largest = size;
  }
  const scale = largest === 0 ? 0 : maxStep / largest;
  let squares = 0;
  for (let index = 0; index < vector.length; index++) {
    const step = Math.round((vector[index] as number) * scale);
    steps[start + index] = step;
    squares += step * step;
  }
  return squares;
}
