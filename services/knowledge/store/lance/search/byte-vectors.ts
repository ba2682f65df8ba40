/** The step of the largest number. */
const maxStep = 127;

/**
 * Vectors whose numbers take one byte each: a vector's largest number is 127 steps, the others are rounded to whole steps. That
 * changes a cosine by about 0.0002 at 1 536 dimensions.
 */
export class ByteVectors {
  readonly #dimension: number;
  readonly #steps: Int8Array;
  /** Factors from the dot product with a vector's steps to the cosine; NaN for a vector that was not set. */
  readonly #scales: Float32Array;

  constructor(count: number, dimension: number) {
    this.#dimension = dimension;
    this.#steps = new Int8Array(count * dimension);
    this.#scales = new Float32Array(count).fill(Number.NaN);
  }

  get bytes(): number {
    return this.#steps.byteLength + this.#scales.byteLength;
  }

  set(position: number, vector: Float32Array): void {
    const squares = writeSteps(vector, this.#steps, position * this.#dimension);
    this.#scales[position] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }

  /** The cosines of a vector with all of these, in order; -Infinity for one that was not set. */
  cosines(vector: Float32Array): Float32Array {
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    const unit = length === 0 ? vector : vector.map((value) => value / length);
    return this.#scales.map((scale, position) =>
      Number.isNaN(scale)
        ? Number.NEGATIVE_INFINITY
        : dotProduct(unit, this.#steps, position * this.#dimension) * scale,
    );
  }
}

/** The dot product of a vector and the steps from `start`. Four independent sums are twice as fast as one. */
function dotProduct(vector: Float32Array, steps: Int8Array, start: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let index = 0;
  for (; index + 3 < vector.length; index += 4) {
    first += (vector[index] as number) * (steps[start + index] as number);
    second += (vector[index + 1] as number) * (steps[start + index + 1] as number);
    third += (vector[index + 2] as number) * (steps[start + index + 2] as number);
    fourth += (vector[index + 3] as number) * (steps[start + index + 3] as number);
  }
  for (; index < vector.length; index++) first += (vector[index] as number) * (steps[start + index] as number);
  return first + second + third + fourth;
}

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
