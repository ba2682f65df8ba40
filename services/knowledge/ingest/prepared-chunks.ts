import type { Mark } from "./extract/document.ts";
import type { PreparedDocument } from "./prepare.ts";

/** A place in a document: where a chunk's text comes from. */
export type Place = Omit<Mark, "start">;

/**
 * Chunks as numbers, and their places as JSON, so that handing them from one thread to another costs nothing however many
 * they are.
 */
export interface ChunkTable {
  /** Of each chunk: start and end in UTF-16 code units, both in bytes of UTF-8, and the number of its place. */
  numbers: Int32Array<ArrayBuffer>;
  /** One place after the other. */
  places: Uint8Array<ArrayBuffer>;
  /** The offset at which each of them ends. */
  placeEnds: Int32Array<ArrayBuffer>;
}

export const numbersOfChunk = 5;
const [startUnit, endUnit, , endByte, placeNumber] = [0, 1, 2, 3, 4];
/** From the field of an offset in units to the one of the same offset in bytes. */
const toBytes = 2;

export const chunkCount = ({ chunks }: PreparedDocument): number => chunks.numbers.length / numbersOfChunk;

/** The chunks of a prepared document from one to before another, in order. Their texts can be asked for until `release`. */
export async function chunksOf(
  document: PreparedDocument,
  from: number,
  to: number,
): Promise<{ text: string; chunks: PreparedChunk[]; release(): void }> {
  const { text, chunks: table } = document;
  const length = to - from;
  if (typeof text === "string") {
    const chunks = Array.from({ length }, (_, position) => new PreparedChunk(from + position, { table, text }));
    const end = to === chunkCount(document) ? undefined : numberOf(table, to - 1, endUnit);
    return { text: text.slice(numberOf(table, from - 1, endUnit), end), chunks, release() {} };
  }
  const first = numberOf(table, from - 1, endByte);
  const isToEnd = to === chunkCount(document);
  const { bytes, release } = await text.read(first, isToEnd ? undefined : numberOf(table, to - 1, endByte));
  const part = { table, text: bytes, first };
  const chunks = Array.from({ length }, (_, position) => new PreparedChunk(from + position, part));
  return { text: bytes.toString("utf8"), chunks, release };
}

/** A document's text, or a stretch of it in UTF-8 whose first byte is number `first` of the whole. */
type ChunksText = { table: ChunkTable } & ({ text: string } | { text: Buffer; first: number });

/**
 * A chunk. Its texts are made when they are asked for: those of many, kept until they are stored, would be as much as the
 * document.
 */
export class PreparedChunk {
  readonly index: number;
  readonly #from: ChunksText;

  constructor(index: number, from: ChunksText) {
    this.index = index;
    this.#from = from;
  }

  get start(): number {
    return numberOf(this.#from.table, this.index, startUnit);
  }

  get end(): number {
    return numberOf(this.#from.table, this.index, endUnit);
  }

  get place(): Place {
    const { table } = this.#from;
    const { places, placeEnds } = table;
    const number = numberOf(table, this.index, placeNumber);
    const json = places.subarray(placeEnds[number - 1] ?? 0, placeEnds[number]);
    return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as Place;
  }

  get text(): string {
    return this.#between(this.index, startUnit, this.index, endUnit);
  }

  /** From an edge of one chunk to one of another, or to the end. */
  #between(from: number, edge: number, to?: number, otherEdge = 0): string {
    const part = this.#from;
    if (!("first" in part)) {
      const end = to === undefined ? undefined : numberOf(part.table, to, otherEdge);
      return part.text.slice(numberOf(part.table, from, edge), end);
    }
    const byteAt = (index: number, field: number) => numberOf(part.table, index, field + toBytes) - part.first;
    return part.text.toString("utf8", byteAt(from, edge), to === undefined ? undefined : byteAt(to, otherEdge));
  }
}

/** Of the chunk before the first one all are 0. */
const numberOf = ({ numbers }: ChunkTable, index: number, field: number): number =>
  numbers[index * numbersOfChunk + field] ?? 0;
