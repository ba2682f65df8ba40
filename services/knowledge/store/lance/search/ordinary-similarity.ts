import type { Table } from "@lancedb/lancedb";
import { getOrdinarySimilarity } from "../../ordinary-similarity.ts";
import type { VectorColumn } from "../table/schema.ts";
import { ByteVectors } from "./byte-vectors.ts";

/** Rows that are read from this many places of a table, so that they come from several documents. */
const samplePlaces = 4;
const rowsPerPlace = 16;

/** Vectors from all over a table that is too large to compare all; read when they are first needed. */
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
    return column.name === this.#column.name && rows < 2 * this.#rows;
  }

  async getOrdinarySimilarity(vector: Float32Array): Promise<number> {
    this.#reading ??= this.#read().catch((error) => {
      this.#reading = undefined;
      throw error;
    });
    return getOrdinarySimilarity((await this.#reading).cosines(vector));
  }

  async #read(): Promise<ByteVectors> {
    const { name, dimension } = this.#column;
    const offsets = Array.from({ length: samplePlaces }, (_, place) => Math.floor((place * this.#rows) / samplePlaces));
    const readAt = (offset: number) => this.#table.query().select([name]).offset(offset).limit(rowsPerPlace).toArrow();
    const read = await Promise.all(offsets.map(readAt));
    const found = read.flatMap(
      (rows) => Array.from(rows.getChild(name) ?? []) as ({ toArray(): Float32Array } | null)[],
    );
    const sample = new ByteVectors(found.length, dimension);
    for (const [position, vector] of found.entries()) if (vector) sample.set(position, vector.toArray());
    return sample;
  }
}
