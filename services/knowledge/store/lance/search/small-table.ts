import { setImmediate } from "node:timers/promises";
import type { SearchFilter } from "@agent-backends/contract";
import type { Table } from "@lancedb/lancedb";
import type { Rankings } from "../../knowledge-store.ts";
import { getOrdinarySimilarity } from "../../ordinary-similarity.ts";
import { hasIncompleteParts } from "../documents/uploads.ts";
import type { ChunkRow } from "../table/rows.ts";
import { parsePlace } from "../table/rows.ts";
import type { VectorColumn } from "../table/schema.ts";
import { chunkColumns } from "../table/schema.ts";
import { ByteVectors } from "./byte-vectors.ts";
import { FieldIndex } from "./field-index.ts";
import { getRowIds, OutdatedRankingError } from "./rankings.ts";
import { takeTopPositions } from "./top-positions.ts";
import { WordIndex } from "./word-index.ts";

/** The engine searches tables with more numbers in their vectors; comparing so many here takes about 2 ms. */
const maxVectorNumbers = 8_388_608;
/** Rows that are read before other requests get their turn. */
const rowBatchSize = 256;

export const isSmall = (rows: number, { dimension }: VectorColumn): boolean =>
  rows > 0 && rows * dimension <= maxVectorNumbers;

interface SmallSearch {
  vector: Float32Array | undefined;
  terms: readonly string[];
  filter?: SearchFilter | undefined;
  limit: number;
}

/**
 * One version of a small table in memory. The engine takes milliseconds for each query, however little there is to search, looks for
 * a newer version of the table with each, and reads the vectors again each time.
 */
export class SmallTable {
  /** Memory that it takes. */
  readonly bytes: number;
  readonly #rows: ArrowTable;
  readonly #vectors: ByteVectors;
  readonly #words: WordIndex;
  #fields: Promise<FieldIndex> | undefined;

  private constructor(rows: ArrowTable, vectors: ByteVectors, words: WordIndex) {
    this.#rows = rows;
    this.#vectors = vectors;
    this.#words = words;
    // The index of fields isn't counted: it is made of what the rows hold.
    this.bytes = rows.batches.reduce((sum, { data }) => sum + data.byteLength, 0) + vectors.bytes + words.bytes;
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
    const [rows, indexed] = await Promise.all([readAll(chunkColumns), readAll([name, "terms"])]);
    const indexedIds = getRowIds(indexed);
    const rowIds = getRowIds(rows);
    if (rowIds.length !== indexedIds.length || rowIds.some((id, position) => id !== indexedIds[position])) {
      throw new OutdatedRankingError();
    }
    if (hasIncompleteParts((rows.toArray() as ChunkRow[]).map(parsePlace))) return undefined;
    const column = indexed.getChild(name);
    const vectors = new ByteVectors(rowIds.length, dimension);
    for (const position of rowIds.keys()) {
      const vector = column?.get(position)?.toArray() as Float32Array | undefined;
      if (vector) vectors.set(position, vector);
      if (position % rowBatchSize === rowBatchSize - 1) await setImmediate();
    }
    const terms = indexed.getChild("terms");
    const words = await WordIndex.build(rowIds.length, (position) => terms?.get(position) ?? "");
    return new SmallTable(rows, vectors, words);
  }

  /** Ranks the chunks that have all fields of the filter. The keys are positions of this table. */
  async rank({ vector, terms, filter, limit }: SmallSearch): Promise<Omit<Rankings, "embedding">> {
    const accepted = filter && Object.keys(filter).length > 0 ? await this.#select(filter) : undefined;
    const byWords = this.#words.rank(terms, limit, accepted).map((key) => ({ key }));
    if (!vector) return { byMeaning: [], byWords, ordinarySimilarity: 0 };
    const similarities = this.#vectors.cosines(vector);
    const ordinarySimilarity = getOrdinarySimilarity(similarities);
    if (accepted) {
      for (const [position, isAccepted] of accepted.entries()) {
        if (isAccepted === 0) similarities[position] = Number.NEGATIVE_INFINITY;
      }
    }
    const byMeaning = takeTopPositions(similarities, limit).map((key) => ({
      key,
      similarity: similarities[key] as number,
    }));
    return { byMeaning, byWords, ordinarySimilarity };
  }

  getRow(position: number): ChunkRow {
    return this.#rows.get(position) as unknown as ChunkRow;
  }

  async #select(filter: SearchFilter): Promise<Uint8Array> {
    const sources = this.#rows.getChild("source_json");
    this.#fields ??= FieldIndex.build(this.#rows.numRows, (position) => String(sources?.get(position)));
    return (await this.#fields).select(filter);
  }
}

type ArrowTable = Awaited<ReturnType<ReturnType<Table["query"]>["toArrow"]>>;
