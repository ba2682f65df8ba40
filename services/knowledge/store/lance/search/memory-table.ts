import type { SearchFilter } from "@agent-backends/contract";
import { waitForTurn } from "@agent-backends/kit/turns";
import type { Table } from "@lancedb/lancedb";
import type { RecordBatch, Utf8, Vector } from "apache-arrow";
import type { Rankings } from "../../knowledge-store.ts";
import { bm25 } from "../../terms.ts";
import type { ChunkRow } from "../table/rows.ts";
import type { VectorColumn } from "../table/schema.ts";
import { ByteVectors, findNearest } from "./byte-vectors.ts";
import { readTexts } from "./packed-texts.ts";
import { OutdatedRankingError } from "./rankings.ts";
import { markCommon, readRowIds } from "./row-ids.ts";
import type { MovedRows } from "./table-segment.ts";
import { segmentColumns, TableSegment } from "./table-segment.ts";
import { takeTopPositions } from "./top-positions.ts";
import type { Postings } from "./word-index.ts";

const { k1, b } = bm25;
/** Approximate memory of a row besides its vector: its texts and the postings of its words. */
const bytesPerRow = 2_500;
const bytesPerNumber = 9 / 8;
/** Number of rows per segment when a whole table is read. Until a segment is built, its vectors are in memory in stored form. */
const segmentRows = 4_096;
/**
 * Number of rows per batch. The engine writes each batch to a buffer of its own, which it moves each time it grows. The process reuses the
 * memory of small buffers, which is fastest, and returns that of large ones to the system (`MALLOC_MMAP_THRESHOLD_`, in
 * docs/decisions/memory.md).
 */
const batchRows = { small: 128, large: 384 };
/** Number of rows read by their ids at a time. */
const rowBatchSize = 512;

/** Approximate memory that a table will take. */
export const estimateBytes = (rows: number, { dimension }: VectorColumn): number =>
  rows * (dimension * bytesPerNumber + bytesPerRow);

interface MemorySearch {
  vector: Float32Array | undefined;
  terms: readonly string[];
  filter?: SearchFilter | undefined;
  limit: number;
}

let scoreBuffer = new Float32Array();

/** Memory for one score of each row, valid until the next call. Without reuse, a search would leave 1 MB of garbage at 100,000 rows. */
function getScoreBuffer(rows: number): Float32Array {
  if (scoreBuffer.length < rows) scoreBuffer = new Float32Array(rows);
  return scoreBuffer.subarray(0, rows);
}

/** A segment whose rows have positions starting at `start`. */
interface PlacedSegment {
  segment: TableSegment;
  start: number;
}

/**
 * One version of a table in memory. For each query, however small the table, the engine takes milliseconds, checks for a newer version
 * of the table, and reads the vectors again. Versions share segments: only new rows are read for the next version.
 */
export class MemoryTable {
  readonly bytes: number;
  /** Number of chunks that searches can find. */
  readonly chunks: number;
  readonly #column: VectorColumn;
  readonly #segments: readonly PlacedSegment[];
  readonly #size: number;
  /** For each position, 1 if the table has the row. Undefined if it has all rows. */
  readonly #present: Uint8Array | undefined;
  /** The number that BM25 adds to the frequency of a term in each chunk. It depends on the chunk's length. */
  readonly #norms: Float32Array;

  private constructor(segments: readonly TableSegment[], present: Uint8Array, column: VectorColumn) {
    this.#column = column;
    this.#segments = placeSegments(segments);
    this.#size = present.length;
    hideIncompleteUploads(this.#segments, present);
    this.chunks = countRows(present);
    this.#present = this.chunks === this.#size ? undefined : present;
    const lengths = new Float32Array(this.#size);
    for (const { segment, start } of this.#segments) lengths.set(segment.words.lengths, start);
    const words = lengths.reduce((sum, length, position) => sum + length * (present[position] as number), 0);
    this.#norms = lengths.map((length) => k1 * (1 - b + (b * length * this.chunks) / words));
    this.bytes = segments.reduce((sum, segment) => sum + segment.bytes, present.byteLength + this.#norms.byteLength);
  }

  /**
   * @param known.rows approximate number of rows
   * @param known.last an earlier version with the same vector column, if there is one
   * @throws OutdatedRankingError if rows disappear in the meantime
   */
  static async read(
    table: Table,
    column: VectorColumn,
    known: { rows: number; last: MemoryTable | undefined },
  ): Promise<MemoryTable> {
    if (known.last) return known.last.#update(table);
    const segments: TableSegment[] = [];
    let batches: RecordBatch[] = [];
    let rows = 0;
    const query = table.query().select(segmentColumns(column)).withRowId();
    // biome-ignore lint/complexity/useLiteralKeys: the only method that takes a batch length and doesn't wait for all batches is protected
    const batchesRead = query["execute"]({
      maxBatchLength: known.rows > segmentRows ? batchRows.large : batchRows.small,
    });
    for await (const batch of batchesRead) {
      batches.push(batch);
      rows += batch.numRows;
      if (rows < segmentRows) continue;
      segments.push(await TableSegment.read(batches, column));
      [batches, rows] = [[], 0];
    }
    if (rows > 0) segments.push(await TableSegment.read(batches, column));
    const present = new Uint8Array(segments.reduce((sum, { count }) => sum + count, 0)).fill(1);
    return new MemoryTable(segments, present, column);
  }

  /**
   * Reads the next version. Rows never change, because a changed row gets a new id. So the rows of one listing of ids belong to one
   * version.
   */
  async #update(table: Table): Promise<MemoryTable> {
    const batches: RecordBatch[] = [];
    for await (const batch of table.query().select([]).withRowId()) batches.push(batch);
    const listed = readRowIds(batches).sort();
    const isKnown = new Uint8Array(listed.length);
    const present = new Uint8Array(this.#size);
    for (const { segment, start } of this.#segments) {
      markCommon(segment.ids, present.subarray(start, start + segment.count), listed, isKnown);
    }
    const added = findZeros(isKnown).map((index) => listed[index] as bigint);
    const { moved, ids } = await this.#findMoved(table, added, present);
    const segments = this.#segments.map(({ segment }) => segment);
    if (moved) segments.push(moved);
    if (ids.length > 0) {
      segments.push(await TableSegment.read(await takeRows(table, ids, segmentColumns(this.#column)), this.#column));
    }
    const kept = new Uint8Array(segments.reduce((sum, { count }) => sum + count, 0)).fill(1);
    kept.set(present);
    return MemoryTable.#merge(segments, kept, this.#column);
  }

  /**
   * Merges small segments until each has at least twice as many rows as those after it. So there are few segments to search, and rows
   * are rarely copied. Larger segments are rebuilt once most of their rows are gone.
   */
  static async #merge(segments: TableSegment[], present: Uint8Array, column: VectorColumn): Promise<MemoryTable> {
    const parts = placeSegments(segments).map(({ segment, start }) => {
      const rows = present.subarray(start, start + segment.count);
      return { segment, rows, count: countRows(rows) };
    });
    const small = parts.filter(({ count }) => count < segmentRows);
    let mergedCount = 0;
    let rowsBehind = 0;
    for (const [position, { count }] of small.toReversed().entries()) {
      if (position > 0 && count < 2 * rowsBehind) mergedCount = position + 1;
      rowsBehind += count;
    }
    const tail = small.slice(small.length - mergedCount);
    const merged = parts.filter((part) => tail.includes(part) || 2 * part.count < part.segment.count);
    const kept = parts.filter((part) => !merged.includes(part));
    let target = 0;
    const moved = merged.map(({ segment, rows }) => {
      return { segment, positions: Int32Array.from(rows, (one) => (one === 1 ? target++ : -1)) };
    });
    const made = target > 0 ? [await TableSegment.merge(moved, column)] : [];
    await waitForTurn();
    const presentNow = Buffer.concat([...kept.map(({ rows }) => rows), new Uint8Array(target).fill(1)]);
    return new MemoryTable([...kept.map(({ segment }) => segment), ...made], presentNow, column);
  }

  /** Finds added rows that are already known under another id: compacting moves rows, and a new document title changes all of its rows. */
  async #findMoved(table: Table, added: bigint[], present: Uint8Array) {
    const gone = new Map<string, number>();
    for (const { segment, start } of added.length === 0 ? [] : this.#segments) {
      const rows = present.subarray(start, start + segment.count);
      for (const position of findZeros(rows)) gone.set(segment.places.get(position), start + position);
    }
    if (gone.size === 0) return { moved: undefined, ids: added };
    const found: { position: number; id: bigint; source: Uint8Array }[] = [];
    const ids: bigint[] = [];
    for (const batch of await takeRows(table, added, ["place_json", "source_json"])) {
      const places = batch.getChild("place_json") as Vector<Utf8>;
      const sources = readTexts(batch.getChild("source_json") as Vector<Utf8>);
      for (const [row, id] of readRowIds([batch]).entries()) {
        const text = places.get(row) ?? "";
        const position = gone.get(text);
        gone.delete(text);
        if (position === undefined) ids.push(id);
        else found.push({ position, id, source: sources[row] as Uint8Array });
      }
    }
    if (found.length === 0) return { moved: undefined, ids };
    found.sort((one, other) => one.position - other.position);
    const targets = new Int32Array(this.#size).fill(-1);
    for (const [target, { position }] of found.entries()) targets[position] = target;
    const renamed = { ids: BigUint64Array.from(found, ({ id }) => id), sources: found.map(({ source }) => source) };
    return { moved: await TableSegment.merge(this.#toMovedRows(targets), this.#column, renamed), ids };
  }

  #toMovedRows(targets: Int32Array): MovedRows[] {
    return this.#segments.map(({ segment, start }) => {
      return { segment, positions: targets.subarray(start, start + segment.count) };
    });
  }

  /** Ranks the chunks that have all fields of the filter. Keys are positions in this table. */
  async rank({
    vector,
    terms,
    filter,
    limit,
  }: MemorySearch): Promise<Omit<Rankings, "embedding" | "ordinarySimilarity">> {
    const isFiltered = filter && Object.keys(filter).length > 0;
    const accepted = isFiltered ? await this.#select(filter) : this.#present;
    const byWords = takeTopPositions(this.#scoreWords(terms), limit, { above: 0, accepted }).map((key) => ({ key }));
    if (!vector) return { byMeaning: [], byWords };
    const parts = this.#segments.map(({ segment: { vectors }, start }) => ({ vectors, start }));
    const byMeaning = findNearest(vector, parts, { accepted, limit }).map(({ position, similarity }) => ({
      key: position,
      similarity,
    }));
    return { byMeaning, byWords };
  }

  getRow(position: number): ChunkRow {
    const { segment, start } = this.#find(position);
    return segment.getRow(position - start);
  }

  /** The vectors of some of the chunks. @param offsets offsets in the list of chunks ordered by id, as the engine lists them */
  takeVectors(offsets: readonly number[]): ByteVectors {
    const ids = this.#segments.flatMap(({ segment, start }) =>
      Array.from(segment.ids, (id, position) => ({ id, position: start + position })),
    );
    const listed = ids
      .filter(({ position }) => this.#present?.[position] !== 0)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const taken = new ByteVectors(offsets.length, this.#column.dimension);
    for (const [target, offset] of offsets.entries()) {
      const position = listed[offset]?.position;
      if (position === undefined) continue;
      const { segment, start } = this.#find(position);
      taken.copy(target, segment.vectors, position - start);
    }
    return taken;
  }

  #find(position: number): PlacedSegment {
    return this.#segments.findLast(({ start }) => start <= position) as PlacedSegment;
  }

  /** BM25 with an IDF that is never negative. 0 for chunks without any of the terms. */
  #scoreWords(terms: readonly string[]): Float32Array {
    const scores = getScoreBuffer(this.#size).fill(0);
    for (const term of terms) {
      const found = this.#segments.map(({ segment, start }) => ({ offset: start, ...segment.words.find(term) }));
      const holding = found.reduce((sum, one) => sum + countPresent(one, this.#present), 0);
      const idf = Math.log((this.chunks - holding + 0.5) / (holding + 0.5) + 1);
      for (const one of found) addScores(one, (k1 + 1) * idf, this.#norms, scores);
    }
    return scores;
  }

  async #select(filter: SearchFilter): Promise<Uint8Array> {
    const accepted = new Uint8Array(this.#size);
    for (const { segment, start } of this.#segments) accepted.set(await segment.select(filter), start);
    if (this.#present)
      for (const [position, one] of this.#present.entries()) accepted[position] = (accepted[position] as number) & one;
    return accepted;
  }
}

/** A term's postings in a segment whose rows have positions starting at `offset`. */
type PlacedPostings = Postings & { offset: number };

function findZeros(marks: Uint8Array): number[] {
  const found: number[] = [];
  for (let index = marks.indexOf(0); index >= 0; index = marks.indexOf(0, index + 1)) found.push(index);
  return found;
}

function countRows(present: Uint8Array): number {
  let count = 0;
  for (let position = 0; position < present.length; position += 1) count += present[position] as number;
  return count;
}

function countPresent({ offset, start, end, positions }: PlacedPostings, present: Uint8Array | undefined): number {
  if (!present) return end - start;
  let count = 0;
  for (let at = start; at < end; at += 1) count += present[offset + (positions[at] as number)] as number;
  return count;
}

function addScores(
  { offset, start, end, positions, frequencies }: PlacedPostings,
  maxScore: number,
  norms: Float32Array,
  scores: Float32Array,
): void {
  for (let at = start; at < end; at += 1) {
    const position = offset + (positions[at] as number);
    const frequency = frequencies[at] as number;
    scores[position] =
      (scores[position] as number) + (maxScore * frequency) / (frequency + (norms[position] as number));
  }
}

function placeSegments(segments: readonly TableSegment[]): PlacedSegment[] {
  let start = 0;
  return segments.map((segment) => {
    const placed = { segment, start };
    start += segment.count;
    return placed;
  });
}

/** Hides the rows of incomplete uploads, as if the table didn't contain them. */
function hideIncompleteUploads(segments: readonly PlacedSegment[], present: Uint8Array): void {
  if (segments.every(({ segment }) => segment.uploads.size === 0)) return;
  const whole = new Set<string>();
  for (const { segment, start } of segments) {
    for (const [position, name] of segment.heads) if (present[start + position] === 1) whole.add(name);
  }
  for (const { segment, start } of segments) {
    for (const [position, name] of segment.uploads) if (!whole.has(name)) present[start + position] = 0;
  }
}

/** @throws OutdatedRankingError if a row is missing */
async function takeRows(table: Table, ids: readonly bigint[], columns: readonly string[]): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for (let start = 0; start < ids.length; start += rowBatchSize) {
    const taken = table.takeRowIds(ids.slice(start, start + rowBatchSize)).select([...columns]);
    for await (const batch of taken.withRowId()) batches.push(batch);
  }
  if (batches.reduce((sum, { numRows }) => sum + numRows, 0) < ids.length) throw new OutdatedRankingError();
  return batches;
}
