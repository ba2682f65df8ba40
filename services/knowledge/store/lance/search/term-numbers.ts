/** Slots per term, so that most terms are found in the first slot. A power of two, like the number of slots. */
const slotsPerTerm = 2;
const initialTerms = 256;
const initialBytes = 2_048;

/** FNV-1a, 32 bits (Fowler, Noll and Vo): the hash of no bytes, and that of some bytes and one more. */
export const emptyHash = 0x811c9dc5 | 0;
export const addToHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** Terms in UTF-8, numbered in order of first appearance. A map of strings takes four times as long and ten times the memory. */
export class TermNumbers {
  size = 0;
  /** Numbers of terms plus 1, at the slots that their hashes choose or behind them. */
  #slots = new Uint32Array(slotsPerTerm * initialTerms);
  #hashes = new Int32Array(initialTerms);
  /** The end of each term in `bytes`, by number. */
  #ends = new Uint32Array(initialTerms);
  #texts = new Uint8Array(initialBytes);

  get bytes(): number {
    return [this.#slots, this.#hashes, this.#ends, this.#texts].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** @returns the term's number, which is `size` before the call if the term is new */
  add(text: Uint8Array, start: number, end: number, hash: number): number {
    let slot = hash & (this.#slots.length - 1);
    for (let found = this.#slots[slot] as number; found > 0; found = this.#slots[slot] as number) {
      if (this.#isEqual(found - 1, text, start, end, hash)) return found - 1;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    this.#append(text, start, end, hash);
    this.#slots[slot] = this.size;
    if (this.size === this.#hashes.length) this.#grow();
    return this.size - 1;
  }

  /** Adds a term of another list. */
  addFrom(other: TermNumbers, number: number): number {
    return this.add(
      other.#texts,
      other.#getStart(number),
      other.#ends[number] as number,
      other.#hashes[number] as number,
    );
  }

  find(term: string): number | undefined {
    const text = Buffer.from(term);
    const hash = text.reduce(addToHash, emptyHash);
    for (let slot = hash & (this.#slots.length - 1); ; slot = (slot + 1) & (this.#slots.length - 1)) {
      const found = this.#slots[slot] as number;
      if (found === 0) return undefined;
      if (this.#isEqual(found - 1, text, 0, text.length, hash)) return found - 1;
    }
  }

  #getStart(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] as number);
  }

  #isEqual(number: number, text: Uint8Array, start: number, end: number, hash: number): boolean {
    if (this.#hashes[number] !== hash) return false;
    const from = this.#getStart(number);
    if ((this.#ends[number] as number) - from !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.#texts[from + at - start] !== text[at]) return false;
    return true;
  }

  #append(text: Uint8Array, start: number, end: number, hash: number): void {
    const from = this.#getStart(this.size);
    const until = from + end - start;
    if (until > this.#texts.length) {
      const larger = new Uint8Array(2 * until);
      larger.set(this.#texts);
      this.#texts = larger;
    }
    this.#texts.set(text.subarray(start, end), from);
    this.#ends[this.size] = until;
    this.#hashes[this.size] = hash;
    this.size += 1;
  }

  #grow(): void {
    const [hashes, ends] = [new Int32Array(2 * this.size), new Uint32Array(2 * this.size)];
    hashes.set(this.#hashes);
    ends.set(this.#ends);
    [this.#hashes, this.#ends] = [hashes, ends];
    this.#slots = new Uint32Array(slotsPerTerm * hashes.length);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let slot = (hashes[number] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}
