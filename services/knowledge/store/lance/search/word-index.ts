import { waitForTurn } from "@agent-backends/kit/turns";
import { addToHash, emptyHash, TermNumbers } from "./term-numbers.ts";

/** Numbers of words counted, and of postings sorted, before other requests get their turn. */
const wordBatchSize = 32_768;
const postingBatchSize = 262_144;
const space = " ".charCodeAt(0);
const maxFrequency = 0xffff;

interface PostingLists {
  /** Positions of chunks, and how often each contains the term. */
  positions: Uint32Array;
  frequencies: Uint16Array;
}

/** The postings of a term, from `start` to before `end` in the lists of all terms. */
export interface Postings extends PostingLists {
  start: number;
  end: number;
}

/** The terms of some chunks. The postings of all terms are in two typed arrays, sorted by term. */
export class WordIndex {
  /** Number of words of each chunk. */
  readonly lengths: Uint32Array;
  readonly #numbers: TermNumbers;
  /** Start of the postings of each term, by the term's number. They end where those of the next term start. */
  readonly #starts: Uint32Array;
  readonly #postings: PostingLists;

  private constructor(numbers: TermNumbers, lengths: Uint32Array, starts: Uint32Array, postings: PostingLists) {
    this.#numbers = numbers;
    this.lengths = lengths;
    this.#starts = starts;
    this.#postings = postings;
  }

  get bytes(): number {
    const { positions, frequencies } = this.#postings;
    const arrays = [this.lengths, this.#starts, positions, frequencies];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#numbers.bytes);
  }

  /** @param chunks the terms of each chunk, separated by spaces, in UTF-8 */
  static async build(chunks: readonly Buffer[]): Promise<WordIndex> {
    const numbers = new TermNumbers();
    const lengths = new Uint32Array(chunks.length);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    const counted = new Occurrences(Math.ceil(bytes / bytesPerOccurrence));
    // Counts all words, not distinct terms, because a chunk may repeat one word a thousand times.
    let wordsUntilPause = wordBatchSize;
    for (const [position, chunk] of chunks.entries()) {
      const words = counted.addChunk(chunk, position, numbers);
      lengths[position] = words;
      wordsUntilPause -= words;
      if (wordsUntilPause > 0) continue;
      wordsUntilPause = wordBatchSize;
      await waitForTurn();
    }
    return WordIndex.#sort(numbers, lengths, counted);
  }

  /** The terms of several indices. @param positions for each index, the new positions of its chunks, or -1; they are ascending */
  static async merge(
    indices: readonly { words: WordIndex; positions: Int32Array }[],
    chunks: number,
  ): Promise<WordIndex> {
    const numbers = new TermNumbers();
    const lengths = new Uint32Array(chunks);
    const counted = new Occurrences(initialCapacity);
    let nextPause = postingBatchSize;
    for (const { words, positions } of indices) {
      for (const [position, length] of words.lengths.entries()) {
        const moved = positions[position] as number;
        if (moved >= 0) lengths[moved] = length;
      }
      for (let term = 0; term < words.#numbers.size; term += 1) {
        const found = words.#getPostings(term);
        for (let at = found.start; at < found.end; at += 1) {
          const moved = positions[found.positions[at] as number] as number;
          if (moved < 0) continue;
          counted.add(numbers.addFrom(words.#numbers, term), moved, found.frequencies[at]);
        }
        if (counted.length < nextPause) continue;
        nextPause = counted.length + postingBatchSize;
        await waitForTurn();
      }
    }
    return WordIndex.#sort(numbers, lengths, counted);
  }

  /** Counting sort by term. */
  static async #sort(
    numbers: TermNumbers,
    lengths: Uint32Array,
    { terms, positions, frequencies, length }: Occurrences,
  ): Promise<WordIndex> {
    const starts = new Uint32Array(numbers.size + 1);
    for (let at = 0; at < length; at += 1) {
      const term = (terms[at] as number) + 1;
      starts[term] = (starts[term] as number) + 1;
    }
    for (let term = 0; term < numbers.size; term += 1) {
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    }
    const next = starts.slice();
    const sorted = { positions: new Uint32Array(length), frequencies: new Uint16Array(length) };
    for (let at = 0; at < length; at += 1) {
      const term = terms[at] as number;
      const place = next[term] as number;
      next[term] = place + 1;
      sorted.positions[place] = positions[at] as number;
      sorted.frequencies[place] = frequencies[at] as number;
      if (at % postingBatchSize === postingBatchSize - 1) await waitForTurn();
    }
    return new WordIndex(numbers, lengths, starts, sorted);
  }

  /** A term's postings, without copying them or creating views of them, which takes longer than reading a few. */
  find(term: string): Postings {
    const number = this.#numbers.find(term);
    return number === undefined ? { ...this.#postings, start: 0, end: 0 } : this.#getPostings(number);
  }

  #getPostings(number: number): Postings {
    return { ...this.#postings, start: this.#starts[number] as number, end: this.#starts[number + 1] as number };
  }
}

const initialCapacity = 4_096;
/** Approximate bytes of text per occurrence. Growing the list costs more than unused space. */
const bytesPerOccurrence = 7;

/** A growing list of the occurrences of terms in chunks. Each term of a chunk is listed once, with its frequency. */
class Occurrences {
  length = 0;
  /** The last place of each term in this list, by the term's number. */
  readonly #places: number[] = [];
  /** The numbers of the terms. */
  terms: Uint32Array;
  positions: Uint32Array;
  frequencies: Uint16Array;

  constructor(capacity: number) {
    this.terms = new Uint32Array(capacity);
    this.positions = new Uint32Array(capacity);
    this.frequencies = new Uint16Array(capacity);
  }

  /** @returns the index of the new occurrence */
  add(number: number, position: number, frequency = 1): number {
    if (this.length === this.terms.length) this.#grow();
    this.terms[this.length] = number;
    this.positions[this.length] = position;
    this.frequencies[this.length] = frequency;
    this.length += 1;
    return this.length - 1;
  }

  /**
   * Adds the terms of a chunk.
   *
   * @param terms separated by spaces, in UTF-8
   * @returns the number of words
   */
  addChunk(terms: Buffer, position: number, numbers: TermNumbers): number {
    const first = this.length;
    let words = 0;
    for (let start = 0; start < terms.length; ) {
      let hash = emptyHash;
      let end = start;
      for (; end < terms.length && terms[end] !== space; end += 1) hash = addToHash(hash, terms[end] as number);
      if (end > start) {
        this.#count(numbers.add(terms, start, end, hash), position, first);
        words += 1;
      }
      start = end + 1;
    }
    return words;
  }

  /** @param first the first place of the chunk */
  #count(number: number, position: number, first: number): void {
    const place = this.#places[number];
    if (place === undefined || place < first) this.#places[number] = this.add(number, position);
    else this.frequencies[place] = Math.min(maxFrequency, (this.frequencies[place] as number) + 1);
  }

  #grow(): void {
    const capacity = 2 * this.length + 1;
    const { terms, positions, frequencies } = this;
    this.terms = new Uint32Array(capacity);
    this.terms.set(terms);
    this.positions = new Uint32Array(capacity);
    this.positions.set(positions);
    this.frequencies = new Uint16Array(capacity);
    this.frequencies.set(frequencies);
  }
}
