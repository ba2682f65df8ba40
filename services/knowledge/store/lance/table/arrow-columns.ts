import { Int32, makeData, Utf8, Vector } from "./arrow.ts";

const minBytes = 4_096;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const maxBytesPerUnit = 3;

/**
 * A column of texts, written into one buffer. This is ten times as fast as apache-arrow's own builder, which would delay other
 * requests.
 */
export class TextColumn {
  readonly #ends: number[] = [];
  readonly #validity = new Validity();
  #bytes = Buffer.alloc(0);
  #length = 0;
  /** Adjacent rows of a column mostly have the same text, which is then copied. */
  #previous: { text: string; start: number; end: number } | undefined;

  add(value: string | null): void {
    if (value !== null && value !== "") this.#write(value);
    this.#ends.push(this.#length);
    this.#validity.add(value !== null);
  }

  /** The column, which is valid until `clear`. */
  vector(): Vector<Utf8> {
    const length = this.#ends.length;
    const valueOffsets = new Int32Array(length + 1);
    valueOffsets.set(this.#ends, 1);
    const data = this.#bytes.subarray(0, this.#length);
    return new Vector([makeData({ type: new Utf8(), length, valueOffsets, data, ...this.#validity.bitmap() })]);
  }

  clear(): void {
    this.#ends.length = 0;
    this.#validity.clear();
    this.#length = 0;
    this.#previous = undefined;
  }

  #write(text: string): void {
    const start = this.#length;
    const { start: from = 0, end: to = 0 } = this.#previous?.text === text ? this.#previous : {};
    const end = start + (to > from ? to - from : maxBytesPerUnit * text.length);
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#bytes.length, minBytes));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#length += to > from ? this.#bytes.copy(this.#bytes, start, from, to) : this.#bytes.write(text, start, "utf8");
    this.#previous = { text, start, end: this.#length };
  }
}

export class IntegerColumn {
  readonly #values: number[] = [];
  readonly #validity = new Validity();

  add(value: number | null): void {
    this.#values.push(value ?? 0);
    this.#validity.add(value !== null);
  }

  vector(): Vector<Int32> {
    const data = Int32Array.from(this.#values);
    return new Vector([makeData({ type: new Int32(), length: data.length, data, ...this.#validity.bitmap() })]);
  }

  clear(): void {
    this.#values.length = 0;
    this.#validity.clear();
  }
}

/** One bit per value, set for values that aren't null. The first value is in the lowest bit (Arrow columnar format, "Validity bitmaps"). */
class Validity {
  readonly #bytes: number[] = [];
  #length = 0;
  #nullCount = 0;

  add(isSet: boolean): void {
    const place = this.#length >> 3;
    this.#bytes[place] = (this.#bytes[place] ?? 0) | (Number(isSet) << (this.#length & 7));
    this.#length += 1;
    this.#nullCount += Number(!isSet);
  }

  bitmap(): { nullCount: number; nullBitmap?: Uint8Array } {
    const nullCount = this.#nullCount;
    return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: Uint8Array.from(this.#bytes) };
  }

  clear(): void {
    this.#bytes.length = 0;
    this.#length = 0;
    this.#nullCount = 0;
  }
}
