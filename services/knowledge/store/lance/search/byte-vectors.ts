import { waitForTurn } from "@agent-backends/kit/turns";
import { takeTopPositions } from "./top-positions.ts";
import { maxStride, sketchedStride, VectorProcessor } from "./vector-processor.ts";

/** Row lengths are multiples of this many bytes, so that SIMD instructions never read beyond a row. */
const strideUnit = 16;
/** Larger vector lists get a processor of their own, which saves copying them for each comparison. A processor reserves address space. */
const maxCopiedBytes = 2 * 1024 * 1024;
/** In smaller lists, all vectors are compared. In larger ones, only those whose sketches are similar to the question's. */
const minSketched = 2_048;
/** Number of vectors to compare, as a multiple of the wanted ones, and their minimum share of all vectors. */
const comparedFactor = 8;
const comparedShare = 1 / 64;
/** Number of vectors sketched before other requests get their turn. The centre is computed from as many. */
const sketchBatchSize = 1_024;
/** Small enough to stay in the processor's cache between copying and reading it. */
const copiedBytes = 3 * maxStride;
const maxStep = 127;
/** Parts of a step used for a question, so that rounding the question doesn't add to the error of a cosine. */
const fineParts = 2 * maxStep;

const none = Number.NEGATIVE_INFINITY;
/** Stands for the difference of a sketch whose vector isn't accepted. More than any sketch has bits. */
const notAccepted = maxStride + 1;

let sharedProcessor: VectorProcessor | undefined;

/**
 * Vectors quantised to one byte per number: a vector's largest number is 127 steps, and the others are rounded to whole steps. This
 * changes a cosine with them by about 0.0002 at 1,536 dimensions. Large lists also have sketches of one bit per number (as in RaBitQ,
 * Gao and Long, SIGMOD 2024), which show in a tenth of the time which vectors are worth comparing.
 */
export class ByteVectors {
  readonly count: number;
  readonly #stride: number;
  readonly #steps: Int8Array;
  /** Factors that turn a dot product with a vector's steps into a cosine. NaN for a vector that was not set. */
  readonly #scales: Float32Array;
  /** The processor whose memory contains the steps, if this list has one of its own. */
  readonly #ownProcessor: VectorProcessor | undefined;
  #hasSketches = false;

  constructor(count: number, dimension: number) {
    this.count = count;
    const unit = count >= minSketched ? sketchedStride : strideUnit;
    this.#stride = Math.max(1, Math.ceil(dimension / unit)) * unit;
    const bytes = count * this.#stride;
    const isOwn = bytes > maxCopiedBytes || count >= minSketched;
    this.#ownProcessor = isOwn
      ? new VectorProcessor(bytes, count >= minSketched ? this.#stride : undefined)
      : undefined;
    this.#steps = this.#ownProcessor?.rows ?? new Int8Array(bytes);
    this.#scales = new Float32Array(count).fill(Number.NaN);
  }

  get bytes(): number {
    return this.#steps.byteLength + this.#scales.byteLength + (this.#ownProcessor?.sketches.byteLength ?? 0);
  }

  set(position: number, vector: Float32Array): void {
    const row = this.#steps.subarray(position * this.#stride, (position + 1) * this.#stride);
    this.#scales[position] = writeSteps(vector, row);
  }

  /** Copies a vector of the same dimension. */
  copy(position: number, from: ByteVectors, fromPosition: number): void {
    const start = fromPosition * from.#stride;
    const length = Math.min(from.#stride, this.#stride);
    this.#steps.set(from.#steps.subarray(start, start + length), position * this.#stride);
    this.#scales[position] = from.#scales[fromPosition] as number;
  }

  /** Computes the sketches. Call once all vectors are set. */
  async finish(): Promise<void> {
    const [own, stride] = [this.#ownProcessor, this.#stride];
    if (!own || own.sketches.length === 0) return;
    const sampled = Math.min(this.count, sketchBatchSize);
    const sums = new Int32Array(stride);
    for (let sample = 0; sample < sampled; sample += 1) {
      const start = Math.floor((sample * this.count) / sampled) * stride;
      for (let index = 0; index < stride; index += 1) {
        sums[index] = (sums[index] as number) + (own.rows[start + index] as number);
      }
    }
    own.centre.set(sums.map((sum) => Math.round(sum / sampled)));
    for (let position = 0; position < this.count; position += 1) {
      own.sketch(position * stride, stride);
      if (position % sketchBatchSize === sketchBatchSize - 1) await waitForTurn();
    }
    this.#hasSketches = true;
  }

  get hasSketches(): boolean {
    return this.#hasSketches;
  }

  /** Writes the cosines of a question with these vectors, in order. -Infinity for a vector that was not set. */
  writeCosines(question: Question, cosines: Float32Array): void {
    const { coarse, fine, scale } = question.inSteps(this.#stride);
    const [products, rest] = [new Int32Array(this.count), new Int32Array(this.count)];
    this.#multiply(coarse, products, fine, rest);
    for (let position = 0; position < this.count; position += 1) {
      const product = (products[position] as number) + (rest[position] as number) / fineParts;
      cosines[position] = this.#toCosine(product, position, scale);
    }
  }

  /** The vectors with the highest cosines, at most `limit`. @param accepted only vectors with 1 here, if given */
  findNearest(question: Question, limit: number, accepted: Uint8Array | undefined): NearVector[] {
    const cosines = new Float32Array(this.count);
    this.writeCosines(question, cosines);
    return takeTopPositions(cosines, limit, { accepted }).map((position) => ({
      position,
      similarity: cosines[position] as number,
    }));
  }

  /** Like `findNearest`, only for the vectors at some positions. Needs sketches. */
  findNearestOf(positions: Uint32Array, question: Question, limit: number): NearVector[] {
    const { coarse, fine, scale } = question.inSteps(this.#stride);
    const own = this.#ownProcessor as VectorProcessor;
    const [products, rests] = own.multiplyListed(coarse, fine, positions);
    const cosines = Float32Array.from(positions, (position, at) =>
      this.#toCosine((products[at] as number) + (rests[at] as number) / fineParts, position, scale),
    );
    return takeTopPositions(cosines, limit).map((at) => ({
      position: positions[at] as number,
      similarity: cosines[at] as number,
    }));
  }

  /** Writes the number of bits in which each sketch differs from that of a question. */
  compareSketches(question: Question, differences: Int32Array): void {
    const own = this.#ownProcessor;
    own?.compareSketches(own.buildSketch(question.inSteps(this.#stride).coarse), differences);
  }

  #toCosine(product: number, position: number, scale: number): number {
    const cosine = product * (this.#scales[position] as number) * scale;
    return Number.isNaN(cosine) ? none : cosine;
  }

  /** Writes the dot products of two rows of steps, coarse and fine, with these vectors. */
  #multiply(coarse: Int8Array, products: Int32Array, fine: Int8Array, rest: Int32Array): void {
    const stride = this.#stride;
    const processor = this.#ownProcessor ?? getSharedProcessor();
    const rowBatchSize = this.#ownProcessor ? this.count : Math.floor(copiedBytes / stride);
    for (let row = 0; row < this.count; row += rowBatchSize) {
      const end = Math.min(this.count, row + rowBatchSize);
      if (!this.#ownProcessor) processor.rows.set(this.#steps.subarray(row * stride, end * stride));
      processor.multiply(coarse, 0, stride, products.subarray(row, end));
      processor.multiply(fine, 0, stride, rest.subarray(row, end));
    }
  }
}

/** A list of vectors whose positions begin with `start`. */
interface Part {
  vectors: ByteVectors;
  start: number;
}

/** A vector by its position in all lists together. */
export interface NearVector {
  position: number;
  similarity: number;
}

// Memory of a search, reused by the next one. Otherwise each search would leave it as garbage.
let differences = new Int32Array();
const counts = new Uint32Array(notAccepted + 1);

/**
 * The vectors of several lists with the highest cosines, best first. In large lists, only vectors with similar sketches are compared.
 *
 * @param scope.accepted only vectors with 1 here
 * @param scope.limit maximum number of vectors
 */
export function findNearest(
  vector: Float32Array,
  parts: readonly Part[],
  { accepted, limit }: { accepted?: Uint8Array | undefined; limit: number },
): NearVector[] {
  const question = new Question(vector);
  const maxDifference = compareAllSketches(question, parts, { accepted, limit });
  const near = parts.flatMap(({ vectors, start }) => {
    const end = start + vectors.count;
    const ofPart = vectors.hasSketches
      ? vectors.findNearestOf(findLikely(differences.subarray(start, end), maxDifference), question, limit)
      : vectors.findNearest(question, limit, accepted?.subarray(start, end));
    return ofPart.map(({ position, similarity }) => ({ position: start + position, similarity }));
  });
  return near.sort((one, other) => other.similarity - one.similarity || one.position - other.position).slice(0, limit);
}

/** Writes `differences`. @returns the largest difference of a vector that must be compared */
function compareAllSketches(
  question: Question,
  parts: readonly Part[],
  { accepted, limit }: { accepted?: Uint8Array | undefined; limit: number },
): number {
  const sketched = parts.filter(({ vectors }) => vectors.hasSketches);
  if (sketched.length === 0) return 0;
  const total = parts.reduce((sum, { vectors }) => sum + vectors.count, 0);
  if (differences.length < total) differences = new Int32Array(total);
  for (const { vectors, start } of sketched) {
    const ofPart = differences.subarray(start, start + vectors.count);
    vectors.compareSketches(question, ofPart);
    if (!accepted) continue;
    for (let at = 0; at < ofPart.length; at += 1) if (accepted[start + at] === 0) ofPart[at] = notAccepted;
  }
  return findMaxDifference(sketched, limit);
}

/** The largest difference of sketches at which vectors are compared: so many differ at most so much. */
function findMaxDifference(sketched: readonly Part[], limit: number): number {
  counts.fill(0);
  let total = 0;
  for (const { vectors, start } of sketched) {
    const end = start + vectors.count;
    for (let position = start; position < end; position += 1) {
      const difference = differences[position] as number;
      counts[difference] = (counts[difference] as number) + 1;
    }
    total += vectors.count;
  }
  const compared = Math.max(limit * comparedFactor, total * comparedShare);
  let maxDifference = 0;
  for (let found = counts[0] as number; found < compared && maxDifference < notAccepted - 1; ) {
    maxDifference += 1;
    found += counts[maxDifference] as number;
  }
  return maxDifference;
}

function findLikely(ofPart: Int32Array, maxDifference: number): Uint32Array {
  const likely: number[] = [];
  for (let at = 0; at < ofPart.length; at += 1) if ((ofPart[at] as number) <= maxDifference) likely.push(at);
  return new Uint32Array(likely);
}

function getSharedProcessor(): VectorProcessor {
  sharedProcessor ??= new VectorProcessor(copiedBytes);
  return sharedProcessor;
}

/** A vector in steps. `fine` has the rounding errors of `coarse`, and `scale` normalises both together to length 1. */
interface Steps {
  coarse: Int8Array;
  fine: Int8Array;
  scale: number;
}

/** A vector to compare with others. Its steps are computed once for all lists with rows of the same length. */
export class Question {
  readonly #vector: Float32Array;
  readonly #byStride = new Map<number, Steps>();

  constructor(vector: Float32Array) {
    this.#vector = vector;
  }

  inSteps(stride: number): Steps {
    const known = this.#byStride.get(stride);
    if (known) return known;
    const steps = toSteps(this.#vector, stride);
    this.#byStride.set(stride, steps);
    return steps;
  }
}

function toSteps(vector: Float32Array, stride: number): Steps {
  const [coarse, fine] = [new Int8Array(stride), new Int8Array(stride)];
  writeSteps(vector, coarse);
  let [largest, squares] = [0, 0];
  for (let index = 0; index < vector.length; index += 1) {
    const number = vector[index] as number;
    largest = Math.max(largest, Math.abs(number));
    squares += number * number;
  }
  if (largest === 0) return { coarse, fine, scale: 0 };
  const steps = maxStep / largest;
  for (let index = 0; index < vector.length; index += 1) {
    fine[index] = Math.round(((vector[index] as number) * steps - (coarse[index] as number)) * fineParts);
  }
  return { coarse, fine, scale: 1 / (Math.sqrt(squares) * steps) };
}

/** @returns the factor that normalises the steps to a vector of length 1 */
function writeSteps(vector: Float32Array, steps: Int8Array): number {
  const squares = new Int32Array(1);
  const processor = getSharedProcessor();
  processor.quantise(vector, 0, steps.length);
  steps.set(processor.rows.subarray(0, steps.length));
  processor.multiply(steps, 0, steps.length, squares);
  const [sum = 0] = squares;
  return sum === 0 ? 0 : 1 / Math.sqrt(sum);
}
