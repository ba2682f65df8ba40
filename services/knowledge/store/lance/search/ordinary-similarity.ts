import type { Table } from "@lancedb/lancedb";
import { getOrdinarySimilarity } from "../../ordinary-similarity.ts";
import type { VectorColumn } from "../table/schema.ts";
import { ByteVectors } from "./byte-vectors.ts";
import type { MemoryTable } from "./memory-table.ts";

/** Rows that are read from this many places of a table, so that they come from several documents. */
const samplePlaces = 4;
const rowsPerPlace = 16;

/** Vectors from all over a table, which tell how similar to a question an ordinary chunk is. Read when they are first needed. */
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

  /** Whether the sample still stands for a table that has changed since. */
  fits(column: VectorColumn, rows: number): boolean {
    return column.name === this.#column.name && rows < 2 * this.#rows && 2 * rows > this.#rows;
  }

  /** @param memory the table, if it is in memory. The engine gives the same sample, and both use the one that was read first */
  async getOrdinarySimilarity(vector: Float32Array, memory?: MemoryTable): Promise<number> {
    this.#reading ??= (memory ? Promise.resolve(memory.takeVectors(this.#offsets().flat())) : this.#read()).catch(
      (error) => {
        this.#reading = undefined;
        throw error;
      },
    );
    const sample = await this.#reading;
    const similarities = new Float32Array(sample.count);
    sample.writeCosines(vector, similarities);
    return getOrdinarySimilarity(similarities);
  }

  /** The places of the rows in the table, those that are next to each other together. */
  #offsets(): number[][] {
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
      this.#offsets()
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
