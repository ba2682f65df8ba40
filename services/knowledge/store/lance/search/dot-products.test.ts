import { expect, it } from "vitest";
import { makeDotProducts, makeDotProductsPlainly } from "./dot-products.ts";

/** Numbers from -127 to 127, with the extremes among them. */
const makeBytes = (length: number, seed: number) =>
  Int8Array.from({ length }, (_, index) => ((index * 7_919 + seed * 104_729) % 255) - 127);

it.each([
  [16, 1],
  [16, 20_000],
  [1_536, 300],
  [4_096, 100],
  [65_536, 4],
  [65_552, 2],
])("the dot products of rows of %i bytes are those that JavaScript makes, for %i rows", (stride, count) => {
  const numbers = { query: makeBytes(stride, 1), rows: makeBytes(stride * count, 2), stride };
  expect(makeDotProducts(numbers)).toEqual(makeDotProductsPlainly(numbers));
});

it("sums that are as large as they can be don't overflow", () => {
  const stride = 65_536;
  const numbers = { query: new Int8Array(stride).fill(-127), rows: new Int8Array(stride).fill(-127), stride };
  expect([...makeDotProducts(numbers)]).toEqual([127 * 127 * stride]);
});
