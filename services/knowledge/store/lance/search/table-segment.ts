import type { SearchFilter } from "@agent-backends/contract";
import { waitForTurn } from "@agent-backends/kit/turns";
import type { Data, FixedSizeList, Float32, RecordBatch, Utf8, Vector } from "apache-arrow";
import { uploadSeparator } from "../documents/uploads.ts";
import type { ChunkRow } from "../table/rows.ts";
import { parsePlace } from "../table/rows.ts";
import type { VectorColumn } from "../table/schema.ts";
import { chunkColumns } from "../table/schema.ts";
import { ByteVectors } from "./byte-vectors.ts";
import { FieldIndex } from "./field-index.ts";
import { PackedTexts, readTexts } from "./packed-texts.ts";
import { readRowIds } from "./row-ids.ts";
import { WordIndex } from "./word-index.ts";

/** Number of rows read before other requests get their turn. */
const rowBatchSize = 1_024;
const headMark = '"index":0,';

/** The columns from which a segment is built, in addition to the row ids. */
export const segmentColumns = ({ name }: VectorColumn): string[] => [...chunkColumns, "terms", name];

interface Parts {
  ids: BigUint64Array;
  places: PackedTexts;
  sources: PackedTexts;
  texts: PackedTexts;
  vectors: ByteVectors;
  words: WordIndex;
}

/** Rows of a segment that move to another one: the new position of each row, or -1. Positions are ascending. */
export interface MovedRows {
  segment: TableSegment;
  positions: Int32Array;
}

/** Rows of a table in memory. They never change. Each `MemoryTable` knows which of them the table still contains. */
export class TableSegment {
  /** The engine's ids of the rows. */
  readonly ids: BigUint64Array;
  readonly places: PackedTexts;
  readonly vectors: ByteVectors;
  readonly words: WordIndex;
  /** Size in memory. The index of fields isn't counted, because it is built from the data of the rows. */
  readonly bytes: number;
  readonly #sources: PackedTexts;
  readonly #texts: PackedTexts;
  #fields: Promise<FieldIndex> | undefined;
  #uploads: Map<number, string> | undefined;
  #heads: Map<number, string> | undefined;

  private constructor({ ids, places, sources, texts, vectors, words }: Parts) {
    this.ids = ids;
    this.places = places;
    this.#sources = sources;
    this.#texts = texts;
    this.vectors = vectors;
    this.words = words;
    this.bytes = [ids.byteLength, places, sources, texts, vectors, words].reduce<number>(
      (sum, part) => sum + (typeof part === "number" ? part : part.bytes),
      0,
    );
  }

  /** @param batches rows with their ids and `segmentColumns`. Their memory is freed. */
  static async read(batches: readonly RecordBatch[], { name, dimension }: VectorColumn): Promise<TableSegment> {
    const readColumn = (column: string) =>
      new PackedTexts(batches.flatMap((batch) => readTexts(batch.getChild(column) as Vector<Utf8>)));
    const ids = readRowIds(batches);
    const vectors = new ByteVectors(ids.length, dimension);
    let position = 0;
    for (const batch of batches) {
      for (const vector of readVectors(batch.getChild(name) as Vector<FixedSizeList<Float32>>, dimension)) {
        if (vector) vectors.set(position, vector);
        position += 1;
        if (position % rowBatchSize === 0) await waitForTurn();
      }
    }
    await vectors.finish();
    const words = await WordIndex.build(batches.flatMap((batch) => readTexts(batch.getChild("terms") as Vector<Utf8>)));
    const [places, sources, texts] = [readColumn("place_json"), readColumn("source_json"), readColumn("search_text")];
    for (const batch of batches) freeMemory(batch);
    return new TableSegment({ ids, places, sources, texts, vectors, words });
  }

  /** Builds a segment from rows of other segments. @param renamed new ids and sources of the rows */
  static async merge(
    moved: readonly MovedRows[],
    { dimension }: VectorColumn,
    renamed?: { ids: BigUint64Array; sources: readonly Uint8Array[] },
  ): Promise<TableSegment> {
    const rows = moved.flatMap(({ segment, positions }) =>
      Array.from(positions.keys())
        .filter((position) => (positions[position] as number) >= 0)
        .map((position) => ({ segment, position })),
    );
    const pack = async (read: (segment: TableSegment) => PackedTexts) => {
      await waitForTurn();
      return new PackedTexts(rows.map(({ segment, position }) => read(segment).getBytes(position)));
    };
    const vectors = new ByteVectors(rows.length, dimension);
    for (const [at, { segment, position }] of rows.entries()) {
      vectors.copy(at, segment.vectors, position);
      if (at % rowBatchSize === rowBatchSize - 1) await waitForTurn();
    }
    await vectors.finish();
    const indices = moved.map(({ segment, positions }) => ({ words: segment.words, positions }));
    return new TableSegment({
      ids: renamed?.ids ?? BigUint64Array.from(rows, ({ segment, position }) => segment.ids[position] as bigint),
      places: await pack(({ places }) => places),
      sources: renamed ? new PackedTexts(renamed.sources) : await pack((segment) => segment.#sources),
      texts: await pack((segment) => segment.#texts),
      vectors,
      words: await WordIndex.merge(indices, rows.length),
    });
  }

  get count(): number {
    return this.ids.length;
  }

  getRow(position: number): ChunkRow {
    return {
      place_json: this.places.get(position),
      source_json: this.#sources.get(position),
      search_text: this.#texts.get(position),
    };
  }

  /** For each chunk, 1 if it has all fields of a filter, each with one of its values, or else 0. */
  async select(filter: SearchFilter): Promise<Uint8Array> {
    this.#fields ??= FieldIndex.build(this.count, (position) => this.#sources.get(position));
    return (await this.#fields).select(filter);
  }

  /** The upload of each row that stays invisible until the upload is complete (documents/uploads.ts), by position. */
  get uploads(): ReadonlyMap<number, string> {
    this.#uploads ??= this.#findPlaces(uploadSeparator, ({ hash, document_id }) =>
      hash.includes(uploadSeparator) ? document_id : undefined,
    );
    return this.#uploads;
  }

  /** The document name of each row that is the first of its document, by position. */
  get heads(): ReadonlyMap<number, string> {
    this.#heads ??= this.#findPlaces(headMark, ({ index, document_id }) => (index === 0 ? document_id : undefined));
    return this.#heads;
  }

  /** @param mark only places that contain this text are parsed */
  #findPlaces(mark: string, toName: (place: ReturnType<typeof parsePlace>) => string | undefined) {
    const found = new Map<number, string>();
    if (!this.places.all.includes(mark)) return found;
    for (let position = 0; position < this.count; position += 1) {
      if (!this.places.getBytes(position).includes(mark)) continue;
      const name = toName(parsePlace({ place_json: this.places.get(position) }));
      if (name !== undefined) found.set(position, name);
    }
    return found;
  }
}

/**
 * Frees the memory of a batch at once, instead of at the next full garbage collection, which this memory would bring closer. All columns of
 * a batch from the engine are in one buffer.
 */
function freeMemory(batch: RecordBatch): void {
  const [{ values }] = (batch.getChild("place_json") as Vector<Utf8>).data as [Data<Utf8>];
  (values.buffer as ArrayBuffer).transfer(0);
}

/** The vectors of a column, without copying them. They are valid as long as the column. */
function* readVectors(column: Vector<FixedSizeList<Float32>>, dimension: number) {
  for (const data of column.data) {
    const [{ values }] = data.children as [Data<Float32>];
    for (let row = 0; row < data.length; row += 1) {
      yield data.getValid(row) ? values.subarray(row * dimension, (row + 1) * dimension) : undefined;
    }
  }
}
