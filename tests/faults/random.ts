/** Random choices that the same seed repeats. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to 1, by mulberry32 (Tommy Ettinger). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    const state = this.#state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  bytes(maxLength: number): Buffer {
    return Buffer.from(Array.from({ length: 1 + this.below(maxLength) }, () => this.below(256)));
  }

  /** The bytes with some of them removed or replaced. */
  damage(bytes: Buffer): Buffer {
    const at = this.below(bytes.length + 1);
    const end = at + this.below(Math.min(20, bytes.length - at + 1));
    const inserted = this.chance(0.5) ? this.bytes(40) : Buffer.alloc(0);
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(end)]);
  }
}
