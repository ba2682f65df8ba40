import { createLogger } from "@agent-backends/kit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parsePostgresAddress } from "../../../store/postgres/database/address.ts";
import { Database } from "../../../store/postgres/database/database.ts";
import { PostgresStore } from "../../../store/postgres/postgres-store.ts";
import { buildDocument, findNearest } from "../documents.ts";

const logger = createLogger("test", "silent");
const location = `${process.env.TEST_STORE}?schema=indexed`;
/** From 10,000 chunks on a namespace gets an index. */
const documents = 52;
const chunksPerDocument = 200;

let database: Database;
let store: PostgresStore;
beforeAll(() => {
  database = new Database(parsePostgresAddress(location), { logger });
  store = new PostgresStore(database, { logger });
});
afterAll(() => store.close());

// More dimensions than pgvector indexes with numbers of 4 bytes, and fewer.
it.each([
  ["big", 32],
  ["long", 2_048],
])(
  "a namespace %s of many chunks with %i dimensions gets an index, which finds what comparing all vectors finds",
  async (namespace, dimension) => {
    let seed = 1;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31 - 0.5;
    };
    const centers = Array.from({ length: 50 }, () => Array.from({ length: dimension }, random));
    const toVector = () => {
      const center = centers[Math.floor((random() + 0.5) * centers.length)] ?? [];
      return Float32Array.from(center, (value) => value + 0.3 * random());
    };
    for (let number = 0; number < documents; number += 1) {
      const pieces = Array.from({ length: chunksPerDocument }, (_, position) => `Piece ${number} ${position}`);
      const metadata = { parity: number % 2, ...(number === 7 && { rare: true }) };
      await store.add(namespace, buildDocument("", { pieces, toVector, metadata }));
    }
    await store.add(`${namespace} neighbour`, buildDocument("", { pieces: ["One", "Two", "Three"], toVector }));
    const find = async (vector: Float32Array, limit: number, filter = {}) =>
      (await findNearest(store, namespace, { model: "letters", vector }, { limit, filter })).map(
        ({ chunk }) => chunk.text,
      );
    const questions = Array.from({ length: 20 }, toVector);
    // The index isn't there yet, or it is forgotten for this comparison.
    await database.query("UPDATE embeddings SET has_index = false");
    const exact = await Promise.all(questions.map((vector) => find(vector, 10)));
    await expect
      .poll(
        async () => {
          await store.add(namespace, buildDocument(`Another ${performance.now()}`, { toVector }));
          const { rows } = await database.query<{ has_index: boolean }>(
            "SELECT has_index FROM embeddings WHERE dimension = $1 AND has_index",
            [dimension],
          );
          return rows.length;
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toBe(1);
    const found = await Promise.all(questions.map((vector) => find(vector, 10)));
    const shared = found.flatMap((texts, position) => texts.filter((text) => exact[position]?.includes(text)));
    expect(shared.length / (questions.length * 10)).toBeGreaterThan(0.9);
    for (const vector of questions) {
      expect(await find(vector, 100, { parity: 1 })).toHaveLength(100);
      expect(await find(vector, 100, { rare: true })).toHaveLength(100);
      const neighbour = await findNearest(store, `${namespace} neighbour`, { model: "letters", vector }, { limit: 3 });
      expect(neighbour).toHaveLength(3);
    }
  },
  300_000,
);
