import { setImmediate } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";
import type { RankedChunk } from "../knowledge-store.ts";
import { ByteVectors } from "./byte-vectors.ts";
import { OutdatedRankingError, rowIdsOf } from "./chunk-queries.ts";
import { hasIncompleteParts } from "./document-parts.ts";
import type { ChunkRow } from "./rows.ts";
import { chunkColumns, placeOf } from "./rows.ts";
import type { VectorColumn } from "./vector-columns.ts";

/** A table with more numbers in its vectors is searched by the engine: looking at so many takes about 4 ms. */
const numbersAtMost = 4_194_304;
/** Rows that are taken in before other requests get their turn. */
const rowsAtOnce = 256;

export const isSmall = (rows: number, { dimension }: VectorColumn): boolean =>
  rows > 0 && rows * dimension <= numbersAtMost;

/**
 * One state of a small table in memory. The engine takes milliseconds for each query, however little there is to look at, and
 * reads the vectors again each time.
 */
export class SmallTable {
  /** What it takes of memory. */
  readonly bytes: number;
  readonly #keys: bigint[];
  readonly #places: Map<bigint, number>;
  readonly #rows: { get(place: number): unknown };
  readonly #vectors: ByteVectors;

  private constructor(keys: bigint[], rows: { get(place: number): unknown }, rowBytes: number, vectors: ByteVectors) {
    this.#keys = keys;
    this.#places = new Map(keys.map((key, place) => [key, place]));
    this.#rows = rows;
    this.#vectors = vectors;
    this.bytes = rowBytes + vectors.bytes;
  }

  /**
   * Reads a table's rows and vectors.
   *
   * @returns `undefined` when it holds documents that are not whole, which only the engine leaves out of its rankings
   * @throws OutdatedRankingError when the table changes meanwhile
   */
  static async read(table: Table, { name, dimension }: VectorColumn): Promise<SmallTable | undefined> {
    const all = (columns: readonly string[]) =>
      table
        .query()
        .select([...columns])
        .withRowId()
        .toArrow();
    const [rows, vectorRows] = await Promise.all([all(chunkColumns), all([name])]);
    const keys = rowIdsOf(rows);
    const vectorKeys = rowIdsOf(vectorRows);
    if (keys.length !== vectorKeys.length || keys.some((key, place) => key !== vectorKeys[place])) {
      throw new OutdatedRankingError();
    }
    if (hasIncompleteParts((rows.toArray() as ChunkRow[]).map(placeOf))) return undefined;
    const column = vectorRows.getChild(name);
    const vectors = new ByteVectors(keys.length, dimension);
    for (const place of keys.keys()) {
      const vector = column?.get(place)?.toArray() as Float32Array | undefined;
      if (vector) vectors.set(place, vector);
      if (place % rowsAtOnce === rowsAtOnce - 1) await setImmediate();
    }
    const rowBytes = rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    return new SmallTable(keys, rows, rowBytes, vectors);
  }

  /** The chunks whose vectors are nearest to this one, nearest first. */
  nearest(vector: Float32Array, limit: number): RankedChunk[] {
    const similarities = this.#vectors.cosines(vector);
    const floor = similarities.toSorted().at(-limit) ?? Number.NEGATIVE_INFINITY;
    const near = this.#keys.flatMap((key, place) => {
      const similarity = similarities[place] ?? Number.NEGATIVE_INFINITY;
      return similarity >= floor && similarity !== Number.NEGATIVE_INFINITY ? [{ key, similarity }] : [];
    });
    return near.sort((one, other) => other.similarity - one.similarity).slice(0, limit);
  }

  has(key: bigint): boolean {
    return this.#places.has(key);
  }

  /** @throws OutdatedRankingError when it is not there */
  row(key: bigint): ChunkRow {
    const place = this.#places.get(key);
    if (place === undefined) throw new OutdatedRankingError();
    return this.#rows.get(place) as ChunkRow;
  }
}
