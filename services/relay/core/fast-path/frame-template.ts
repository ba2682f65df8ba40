import { numberEnd, stringEnd } from "./json-bytes.ts";

/** What varies between two frames: the text that is relayed, or a value that no one reads. */
export type Slot = "relayed" | "string" | "number";

/** A frame with holes: `fixed[0] slots[0] fixed[1] slots[1] … fixed[n]`. Quotes of strings belong to the fixed bytes. */
export interface TemplateParts {
  fixed: readonly Uint8Array[];
  slots: readonly Slot[];
}

/**
 * Recognises frames that are the same as one which was parsed before, but for the content of one JSON string, which is
 * relayed, and values that mean nothing to a relay. Whatever it recognises says what the parsed one said.
 */
export class FrameTemplate {
  /** After a match: the relayed literal, with its quotes, is `bytes[literalStart, literalEnd)`. */
  literalStart = 0;
  literalEnd = 0;
  readonly #fixed: readonly FixedBytes[];
  readonly #slots: readonly Slot[];
  readonly #shortest: number;

  constructor({ fixed, slots }: TemplateParts) {
    this.#fixed = fixed.map((bytes) => new FixedBytes(bytes));
    this.#slots = slots;
    this.#shortest = fixed.reduce((sum, { length }) => sum + length, 1);
  }

  /** Returns where the frame that begins at `start` ends, or -1 when it is another kind of frame, or not whole. */
  match(bytes: Buffer, start: number, end: number): number {
    if (end - start < this.#shortest) return -1;
    let at = start;
    for (let part = 0; ; part += 1) {
      const fixed = this.#fixed[part] as FixedBytes;
      if (!fixed.standsAt(bytes, at, end)) return -1;
      at += fixed.length;
      const slot = this.#slots[part];
      if (slot === undefined) return at;
      const slotEnd = slot === "number" ? numberEnd(bytes, at, end) : stringEnd(bytes, at, end);
      if (slotEnd < 0) return -1;
      if (slot === "relayed") {
        // An empty delta is no event.
        if (slotEnd === at) return -1;
        this.literalStart = at - 1;
        this.literalEnd = slotEnd + 1;
      }
      at = slotEnd;
    }
  }
}

// All streams are read into one buffer: its view is made once.
let view: DataView = new DataView(new ArrayBuffer(0));

/** Bytes to compare with, four at a time. */
class FixedBytes {
  readonly length: number;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.length = bytes.length;
    this.#bytes = Uint8Array.from(bytes);
    this.#words = new Int32Array(bytes.length >> 2);
    const own = new DataView(this.#bytes.buffer);
    for (let word = 0; word < this.#words.length; word += 1) this.#words[word] = own.getInt32(word * 4, true);
  }

  standsAt(bytes: Buffer, at: number, end: number): boolean {
    if (at + this.length > end) return false;
    if (view.buffer !== bytes.buffer) view = new DataView(bytes.buffer);
    const words = this.#words;
    const offset = bytes.byteOffset + at;
    for (let word = 0; word < words.length; word += 1) {
      if (view.getInt32(offset + word * 4, true) !== words[word]) return false;
    }
    for (let rest = words.length * 4; rest < this.length; rest += 1) {
      if (bytes[at + rest] !== this.#bytes[rest]) return false;
    }
    return true;
  }
}
