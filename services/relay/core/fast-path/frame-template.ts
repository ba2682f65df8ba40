import { findNumberEnd, findStringEnd, findValueEnd } from "./json-bytes.ts";

/** The variable parts of a frame: the text to relay, the usage so far, or a value that the relay ignores. */
export type Slot = "relayed" | "usage" | "string" | "number" | "value";

/** A frame with slots: `fixed[0] slots[0] fixed[1] slots[1] … fixed[n]`. Quotes of strings belong to the fixed bytes. */
export interface TemplateParts {
  fixed: readonly Uint8Array[];
  slots: readonly Slot[];
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

// All streams are read into one buffer, so its view can be cached.
let view: DataView = new DataView(new ArrayBuffer(0));

/**
 * Recognises frames that equal an earlier, parsed frame except for the JSON string to relay and values that the relay ignores. A recognised
 * frame therefore means the same as the parsed one.
 */
export class FrameTemplate {
  /** After a match, the literal to relay is `bytes[literalStart, literalEnd)`, with its quotes. */
  literalStart = 0;
  literalEnd = 0;
  /** After a match with usage, the usage is `bytes[usageStart, usageEnd)`. */
  usageStart = 0;
  usageEnd = 0;
  readonly #slots: readonly Slot[];
  readonly #lengths: readonly number[];
  readonly #minLength: number;
  // The fixed bytes, each part padded to whole words, so that eight bytes are compared at a time. Interpreted as floats, words differ
  // wherever their bytes differ, except for zero, which can't occur in JSON. NaN equals nothing, so such a frame is parsed.
  readonly #words: Float64Array;
  readonly #bytes: Buffer;

  constructor({ fixed, slots }: TemplateParts) {
    this.#slots = slots;
    this.#lengths = fixed.map(({ length }) => length);
    this.#minLength = fixed.reduce((sum, { length }) => sum + length, 1);
    this.#bytes = Buffer.allocUnsafe(fixed.reduce((sum, { length }) => sum + ((length + 7) & ~7), 0));
    this.#words = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length >> 3);
    let at = 0;
    for (const part of fixed) {
      this.#bytes.set(part, at);
      at += (part.length + 7) & ~7;
    }
  }

  /** Returns the end of the frame that begins at `start`, or -1 if it doesn't match or isn't complete. */
  match(bytes: Buffer, start: number, end: number): number {
    if (end - start < this.#minLength) return -1;
    if (view.buffer !== bytes.buffer) view = new DataView(bytes.buffer);
    let at = start;
    let fixedAt = 0;
    for (let part = 0; ; part += 1) {
      const length = this.#lengths[part] as number;
      if (at + length > end || !this.#isAt(bytes, at, fixedAt, length)) return -1;
      at += length;
      fixedAt += (length + 7) & ~7;
      const slot = this.#slots[part];
      if (slot === undefined) return at;
      const slotEnd = findSlotEnd(slot, bytes, at, end);
      if (slotEnd < 0) return -1;
      if (slot === "relayed") {
        // An empty delta must not become an event.
        if (slotEnd === at) return -1;
        this.literalStart = at - 1;
        this.literalEnd = slotEnd + 1;
      } else if (slot === "usage") {
        this.usageStart = at;
        this.usageEnd = slotEnd;
      }
      at = slotEnd;
    }
  }

  #isAt(bytes: Buffer, at: number, fixedAt: number, length: number): boolean {
    const words = this.#words;
    const first = fixedAt >> 3;
    const count = length >> 3;
    const offset = bytes.byteOffset + at;
    for (let word = 0; word < count; word += 1) {
      if (view.getFloat64(offset + word * 8, isLittleEndian) !== words[first + word]) return false;
    }
    for (let rest = count * 8; rest < length; rest += 1) {
      if (bytes[at + rest] !== this.#bytes[fixedAt + rest]) return false;
    }
    return true;
  }
}

function findSlotEnd(slot: Slot, bytes: Buffer, at: number, end: number): number {
  if (slot === "relayed" || slot === "string") return findStringEnd(bytes, at, end);
  return slot === "number" ? findNumberEnd(bytes, at, end) : findValueEnd(bytes, at, end);
}
