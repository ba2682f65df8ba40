import type { Table } from "@lancedb/lancedb";
import { getOrdinarySimilarity } from "../../ordinary-similarity.ts";
import type { VectorColumn } from "../table/schema.ts";
import { ByteVectors, Question } from "./byte-vectors.ts";
import type { MemoryTable } from "./memory-table.ts";

/** Number of places in a table from which rows are sampled, so that they come from several documents. */
const samplePlaces = 4;
const rowsPerPlace = 16;

/**
 * A sample of vectors from all over a table. It shows how similar an ordinary chunk is to a question. The sample is read when it is
 * first needed.
 */
export class VectorSample {
  readonly #table: Table;
  readonly #column: VectorColumn;
  readonly #rows: number;
  #reading: Promise<ByteVectors> | undefined;

  constructor(table: Table, column: VectorColumn, rows: number) {
    this.#table = table;
    this.#column = column;
    this.#rows = rows;
  }

  /** Whether the sample still represents a table that has changed since. */
  isRepresentative(column: VectorColumn, rows: number): boolean {
    return column.name === this.#column.name && rows < 2 * this.#rows && 2 * rows > this.#rows;
  }

  /** @param memory the table, if it is in memory. The engine returns the same sample, and both use the one that was read first */
  async getOrdinarySimilarity(vector: Float32Array, memory?: MemoryTable): Promise<number> {
    this.#reading ??= (memory ? Promise.resolve(memory.takeVectors(this.#getOffsets().flat())) : this.#read()).catch(
      (error) => {
        this.#reading = undefined;
        throw error;
      },
    );
    const sample = await this.#reading;
    const similarities = new Float32Array(sample.count);
    sample.writeCosines(new Question(vector), similarities);
    return getOrdinarySimilarity(similarities);
  }

  /** Offsets of the sampled rows in the table, with adjacent rows grouped together. */
  #getOffsets(): number[][] {
    const starts = Array.from({ length: samplePlaces + 1 }, (_, place) =>
      Math.floor((place * this.#rows) / samplePlaces),
    );
    return starts.slice(0, samplePlaces).map((start, place) => {
      const length = Math.min(rowsPerPlace, (starts[place + 1] as number) - start);
      return Array.from({ length }, (_, index) => start + index);
    });
  }

  async #read(): Promise<ByteVectors> {
    const { name, dimension } = this.#column;
    const readRows = ([offset = 0, ...others]: number[]) =>
      this.#table
        .query()
        .select([name])
        .offset(offset)
        .limit(others.length + 1)
        .toArrow();
    const read = await Promise.all(
      this.#getOffsets()
        .filter(({ length }) => length > 0)
        .map(readRows),
    );
    const found = read.flatMap(
      (rows) => Array.from(rows.getChild(name) ?? []) as ({ toArray(): Float32Array } | null)[],
    );
    const sample = new ByteVectors(found.length, dimension);
    for (const [position, vector] of found.entries()) if (vector) sample.set(position, vector.toArray());
    return sample;
  }
}
