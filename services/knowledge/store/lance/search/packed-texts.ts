import type { Utf8, Vector } from "apache-arrow";

/** Texts in UTF-8 in one block of memory. Equal adjacent texts are stored once. */
export class PackedTexts {
  /** All texts, concatenated. */
  readonly all: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  /** @param texts list from which each text is read once */
  constructor(texts: readonly Uint8Array[]) {
    this.#starts = new Uint32Array(texts.length);
    this.#ends = new Uint32Array(texts.length);
    const kept: Uint8Array[] = [];
    let end = 0;
    for (const [position, text] of texts.entries()) {
      const last = kept.at(-1);
      if (last === undefined || Buffer.compare(last, text) !== 0) {
        kept.push(text);
        end += text.length;
      }
      this.#starts[position] = end - text.length;
      this.#ends[position] = end;
    }
    this.all = Buffer.concat(kept, end);
  }

  get bytes(): number {
    return this.all.byteLength + this.#starts.byteLength + this.#ends.byteLength;
  }

  get(position: number): string {
    return this.all.toString("utf8", this.#starts[position], this.#ends[position]);
  }

  getBytes(position: number): Buffer {
    return this.all.subarray(this.#starts[position], this.#ends[position]);
  }
}

/** The bytes of a column's texts, without copying them. Null becomes an empty text. */
export function readTexts(column: Vector<Utf8>): Buffer[] {
  return column.data.flatMap(({ length, valueOffsets, values }) => {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    return Array.from({ length }, (_, row) => bytes.subarray(valueOffsets[row], valueOffsets[row + 1]));
  });
}
