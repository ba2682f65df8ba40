import { expect, it } from "vitest";
import { multiplyPlainly, quantisePlainly, sketchPlainly, VectorProcessor } from "./vector-processor.ts";

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
