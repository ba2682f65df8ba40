import { expect, it } from "vitest";
import { VectorProcessor } from "./vector-processor.ts";

/** Numbers from -127 to 127, with the extremes among them. */
const makeBytes = (length: number, seed: number) =>
  Int8Array.from({ length }, (_, index) => ((index * 7_919 + seed * 104_729) % 255) - 127);

it.each([
  [16, 1],
  [16, 20_000],
  [1_536, 300],
  [4_096, 100],
  [65_536, 4],
])("the dot products of rows of %i bytes are those that JavaScript makes, for %i rows", (stride, count) => {
  const processor = new VectorProcessor(stride * count);
  processor.rows.set(makeBytes(stride * count, 2));
  const [query, products, plain] = [makeBytes(stride, 1), new Int32Array(count), new Int32Array(count)];
  processor.multiply(query, 0, stride, products);
  multiplyPlainly(query, processor.rows, stride, plain);
  expect(products).toEqual(plain);
  const listed = Uint32Array.from({ length: count }, (_, index) => count - 1 - index);
  const [other, otherPlain] = [makeBytes(stride, 3), new Int32Array(count)];
  multiplyPlainly(other, processor.rows, stride, otherPlain);
  const expected = [plain.toReversed(), otherPlain.toReversed()];
  expect(processor.multiplyListed(query, other, listed)).toEqual(expected);
});

it("sums that are as large as they can be don't overflow", () => {
  const stride = 65_536;
  const processor = new VectorProcessor(stride);
  processor.rows.fill(-127);
  const products = new Int32Array(1);
  processor.multiply(new Int8Array(stride).fill(-127), 0, stride, products);
  expect([...products]).toEqual([127 * 127 * stride]);
});

it.each([1, 7, 16, 100, 1_536, 65_536])("a vector of %i numbers is rounded as JavaScript does it", (dimension) => {
  const stride = Math.ceil(dimension / 16) * 16;
  const processor = new VectorProcessor(2 * stride);
  processor.rows.fill(99);
  for (const scale of [1, 1e-30, 1e30, 0]) {
    const vector = Float32Array.from({ length: dimension }, (_, index) => Math.sin(index + 1) ** 3 * scale);
    processor.quantise(vector, stride, stride);
    const row = new Int8Array(stride);
    quantisePlainly(vector, row);
    expect(processor.rows.subarray(stride)).toEqual(row);
  }
  expect(processor.rows.subarray(0, stride).every((step) => step === 99)).toBe(true);
});

it.each([256, 768, 1_536, 2_048, 65_536])("sketches of rows of %i bytes are those that JavaScript makes", (stride) => {
  const processor = new VectorProcessor(3 * stride, stride);
  processor.rows.set(makeBytes(3 * stride, 3));
  processor.centre.set(makeBytes(stride, 4));
  const rows = [0, 1, 2].map((row) => processor.rows.subarray(row * stride, (row + 1) * stride));
  for (const row of rows.keys()) processor.sketch(row * stride, stride);
  const plain = rows.map((row) => sketchPlainly(row, processor.centre));
  expect(processor.sketches).toEqual(Uint8Array.from(plain.flatMap((sketch) => Array.from(sketch))));
  const differences = new Int32Array(3);
  const [query = new Uint8Array()] = plain;
  processor.compareSketches(query, differences);
  const countBits = (byte: number) => byte.toString(2).replaceAll("0", "").length;
  const count = (sketch: Uint8Array) => sketch.reduce((sum, byte, at) => sum + countBits(byte ^ (query[at] ?? 0)), 0);
  expect([...differences]).toEqual(plain.map(count));
});

/** What the processor does, in JavaScript. */
function sketchPlainly(row: Int8Array, centre: Int16Array): Uint8Array {
  const numbers = Int16Array.from(row, (step, index) => step - (centre[index] as number));
  const vectors = row.length / 8;
  const block = 8 * Math.min(128, vectors & -vectors);
  for (let half = 8; half < block; half *= 2) {
    for (let index = 0; index < numbers.length; index += 1) {
      if ((index & half) !== 0) continue;
      const [one, other] = [numbers[index] as number, numbers[index + half] as number];
      numbers[index] = one + other;
      numbers[index + half] = one - other;
    }
  }
  const sketch = new Uint8Array(row.length / 8);
  for (const [index, number] of numbers.entries()) {
    if (number < 0) sketch[index >> 3] = (sketch[index >> 3] as number) | (1 << (index & 7));
  }
  return sketch;
}

function multiplyPlainly(query: Int8Array, rows: Int8Array, stride: number, products: Int32Array): void {
  for (let row = 0; row < products.length; row += 1) {
    let sum = 0;
    for (let index = 0; index < stride; index += 1) {
      sum += (query[index] as number) * (rows[row * stride + index] as number);
    }
    products[row] = sum;
  }
}

/** Halves are rounded to even numbers. */
function quantisePlainly(vector: Float32Array, row: Int8Array): void {
  const largest = vector.reduce((size, number) => Math.max(size, Math.abs(number)), 0);
  const scale = largest === 0 ? 0 : Math.fround(127 / largest);
  for (const [index, number] of vector.entries()) {
    const steps = Math.fround(number * scale);
    const rounded = Math.round(steps);
    row[index] = Math.abs(steps % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
  }
}
