import { setImmediate } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";
import type { RankedChunk } from "../../knowledge-store.ts";
import { hasIncompleteParts } from "../documents/uploads.ts";
import type { ChunkRow } from "../table/rows.ts";
import { parsePlace } from "../table/rows.ts";
import type { VectorColumn } from "../table/schema.ts";
import { chunkColumns } from "../table/schema.ts";
import { ByteVectors } from "./byte-vectors.ts";
import { getOrdinarySimilarity } from "./ordinary-similarity.ts";
import { getRowIds, OutdatedRankingError } from "./rankings.ts";

/** The engine searches tables with more numbers in their vectors; comparing so many here takes about 4 ms. */
const maxVectorNumbers = 4_194_304;
/** Rows that are read before other requests get their turn. */
const rowBatchSize = 256;

export const isSmall = (rows: number, { dimension }: VectorColumn): boolean =>
  rows > 0 && rows * dimension <= maxVectorNumbers;

/**
 * One version of a small table in memory. The engine takes milliseconds for each query, however little there is to search, and
 * reads the vectors again each time.
 */
export class SmallTable {
  /** Memory that it takes. */
  readonly bytes: number;
  readonly #rowIds: bigint[];
  readonly #positions: Map<bigint, number>;
  readonly #rows: { get(position: number): unknown };
  readonly #vectors: ByteVectors;

  private constructor(
    rowIds: bigint[],
    rows: { get(position: number): unknown },
    rowBytes: number,
    vectors: ByteVectors,
  ) {
    this.#rowIds = rowIds;
    this.#positions = new Map(rowIds.map((id, position) => [id, position]));
    this.#rows = rows;
    this.#vectors = vectors;
    this.bytes = rowBytes + vectors.bytes;
  }

  /**
   * @returns `undefined` when the table holds documents that are not whole, which only the engine leaves out of rankings
   * @throws OutdatedRankingError when the table changes meanwhile
   */
  static async read(table: Table, { name, dimension }: VectorColumn): Promise<SmallTable | undefined> {
    const readAll = (columns: readonly string[]) =>
      table
        .query()
        .select([...columns])
        .withRowId()
        .toArrow();
    const [rows, vectorRows] = await Promise.all([readAll(chunkColumns), readAll([name])]);
    const rowIds = getRowIds(rows);
    const vectorRowIds = getRowIds(vectorRows);
    if (rowIds.length !== vectorRowIds.length || rowIds.some((id, position) => id !== vectorRowIds[position])) {
      throw new OutdatedRankingError();
    }
    if (hasIncompleteParts((rows.toArray() as ChunkRow[]).map(parsePlace))) return undefined;
    const column = vectorRows.getChild(name);
    const vectors = new ByteVectors(rowIds.length, dimension);
    for (const position of rowIds.keys()) {
      const vector = column?.get(position)?.toArray() as Float32Array | undefined;
      if (vector) vectors.set(position, vector);
      if (position % rowBatchSize === rowBatchSize - 1) await setImmediate();
    }
    const rowBytes = rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    return new SmallTable(rowIds, rows, rowBytes, vectors);
  }

  /** The chunks with the most similar vectors, best first, and how similar an ordinary one is. */
  findNearest(vector: Float32Array, limit: number): { byMeaning: RankedChunk[]; ordinarySimilarity: number } {
    const similarities = this.#vectors.cosines(vector);
    const floor = similarities.toSorted().at(-limit) ?? Number.NEGATIVE_INFINITY;
    const above: (RankedChunk & { similarity: number })[] = [];
    // Thousands may be equally similar, such as the chunks of a text that repeats itself.
    const equal: RankedChunk[] = [];
    for (const [position, key] of this.#rowIds.entries()) {
      const similarity = similarities[position] ?? Number.NEGATIVE_INFINITY;
      if (similarity > floor) above.push({ key, similarity });
      else if (similarity === floor && similarity !== Number.NEGATIVE_INFINITY && equal.length < limit)
        equal.push({ key, similarity });
    }
    const byMeaning = [...above.sort((one, other) => other.similarity - one.similarity), ...equal].slice(0, limit);
    return { byMeaning, ordinarySimilarity: getOrdinarySimilarity(similarities) };
  }

  has(rowId: bigint): boolean {
    return this.#positions.has(rowId);
  }

  /** @throws OutdatedRankingError when there is no such row */
  getRow(rowId: bigint): ChunkRow {
    const position = this.#positions.get(rowId);
    if (position === undefined) throw new OutdatedRankingError();
    return this.#rows.get(position) as ChunkRow;
  }
}
