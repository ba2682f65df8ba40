import { expect, it } from "vitest";
import { ByteVectors, findNearest } from "./byte-vectors.ts";

/** Numbers from 0 to below 1, the same ones at each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = createRandom(7);
/** Nearly normally distributed. */
const makeNumber = () => random() + random() + random() - 1.5;
const dense = (dimension: number) => Float32Array.from({ length: dimension }, makeNumber);
/** Most numbers are 0, as in vectors of words. */
const sparse = (dimension: number) =>
  Float32Array.from({ length: dimension }, () => (random() < 0.05 ? makeNumber() : 0));
/** All have a large part in common, as those of many models. */
const shifted = (dimension: number) => dense(dimension).map((number, index) => number + (index % 7 === 0 ? 4 : 0));

const cosine = (one: Float32Array, other: Float32Array) => {
  const multiply = (first: Float32Array, second: Float32Array) =>
    first.reduce((sum, number, index) => sum + number * (second[index] as number), 0);
  return multiply(one, other) / Math.sqrt(multiply(one, one) * multiply(other, other));
};

it.each([
  ["dense", 256, dense],
  ["sparse", 384, sparse],
  ["shifted", 256, shifted],
  ["of no round dimension", 300, dense],
])("the nearest of many vectors are found by their sketches: %s", async (_kind, dimension, make) => {
  const groups = Array.from({ length: 40 }, () => make(dimension));
  const near = (vector: Float32Array, noise: number) => {
    const other = make(dimension);
    return vector.map((number, index) => number + noise * (other[index] as number));
  };
  const all = Array.from({ length: 2_100 }, (_, index) => near(groups[index % groups.length] as Float32Array, 1));
  const vectors = new ByteVectors(all.length, dimension);
  for (const [position, vector] of all.entries()) vectors.set(position, vector);
  await vectors.finish();
  const accepted = Uint8Array.from(all, (_, index) => Number(index % 3 > 0));
  let [found, wanted] = [0, 0];
  for (const question of groups.slice(0, 2).map((group) => near(group, 0.7))) {
    for (const scope of [{ limit: 20 }, { limit: 20, accepted }]) {
      const cosines = new Map(
        findNearest(question, [{ vectors, start: 0 }], scope).map((near) => [near.position, near.similarity]),
      );
      const exact = all.map((vector, position) =>
        "accepted" in scope && accepted[position] === 0 ? -2 : cosine(question, vector),
      );
      const nearest = exact
        .map((_, index) => index)
        .sort((one, other) => (exact[other] as number) - (exact[one] as number));
      for (const position of nearest.slice(0, 10)) {
        wanted += 1;
        const similarity = cosines.get(position) ?? Number.NaN;
        if (Math.abs(similarity - (exact[position] as number)) < 0.01) found += 1;
      }
      expect(cosines.size).toBe(20);
      for (const position of cosines.keys()) expect("accepted" in scope ? accepted[position] : 1).toBe(1);
    }
  }
  expect(found / wanted).toBeGreaterThanOrEqual(0.99);
});
