import { waitForTurn } from "@agent-backends/kit/turns";
import type { Language } from "@agent-backends/language";
import { requireDimension } from "../../embeddings.ts";
import { Float32, makeData, Table, Utf8, Vector, vectorFromArray } from "./arrow.ts";
import { IntegerColumn, TextColumn } from "./arrow-columns.ts";
import type { NewRow } from "./rows.ts";
import type { Column, Row, VectorColumn } from "./schema.ts";
import { columns, toVectorType } from "./schema.ts";

/**
 * Maximum time of converting rows before other requests get their turn. A row takes 0.05 ms, mostly for its terms, but up to 2 ms if
 * all of its words are new.
 */
const maxTurnMs = 5;

/**
 * Converts rows to columns, reusing memory, because building an object for each vector would cost more than writing it. A row is needed
 * only while it is iterated.
 */
export class RowColumns {
  readonly languages = new Set<Language>();
  readonly #scalars = Object.entries(columns).map(([name, { type }]) => {
    return { name: name as Column, column: type instanceof Utf8 ? new TextColumn() : new IntegerColumn() };
  });

  /** The result is valid until the next call. */
  async convert(rows: Iterable<NewRow>, vectorColumn: VectorColumn): Promise<Table> {
    for (const { column } of this.#scalars) column.clear();
    const vectors: Float32Array[] = [];
    let begunAt = performance.now();
    for (const { row, vector, language } of rows) {
      if (language) this.languages.add(language);
      for (const { name, column } of this.#scalars) (column as { add(value: Row[Column]): void }).add(row[name]);
      vectors.push(vector);
      if (performance.now() - begunAt < maxTurnMs) continue;
      await waitForTurn();
      begunAt = performance.now();
    }
    const scalars = this.#scalars.map(({ name, column }): [string, Vector] => [name, column.vector()]);
    return new Table(Object.fromEntries([...scalars, [vectorColumn.name, toVectorColumn(vectors, vectorColumn)]]));
  }
}

export function toKeyColumns(rows: readonly Pick<Row, "hash" | "chunk">[]): { hash: Vector; chunk: Vector } {
  const toColumn = (name: "hash" | "chunk") => {
    const values = rows.map((row) => row[name]);
    return vectorFromArray(values, columns[name].type) as Vector;
  };
  return { hash: toColumn("hash"), chunk: toColumn("chunk") };
}

export function toVectorColumn(vectors: readonly Float32Array[], { dimension }: VectorColumn): Vector {
  requireDimension(vectors, dimension);
  const child = makeData({ type: new Float32(), data: joinVectors(vectors) });
  return new Vector([makeData({ type: toVectorType(dimension), length: vectors.length, nullCount: 0, child })]);
}

/** All vectors in one block of memory. Vectors of one provider call are already adjacent and aren't copied. */
function joinVectors(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  const { buffer, byteOffset, byteLength } = first;
  const isAdjacent = (vector: Float32Array, position: number) =>
    vector.buffer === buffer && vector.byteOffset === byteOffset + position * byteLength;
  if (vectors.every(isAdjacent)) return new Float32Array(buffer, byteOffset, vectors.length * first.length);
  const joined = new Float32Array(vectors.length * first.length);
  for (const [position, vector] of vectors.entries()) joined.set(vector, position * first.length);
  return joined;
}
