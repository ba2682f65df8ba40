import { setImmediate } from "node:timers/promises";
import { takeTopPositions } from "./top-positions.ts";

/** The engine's parameters of BM25, so that both rank alike. */
const [k1, b] = [1.2, 0.75];
/** Words that are counted, and postings that are sorted, before other requests get their turn. */
const wordBatchSize = 16_384;
const postingBatchSize = 65_536;
/** What a term takes in memory besides its postings, roughly. */
const bytesPerTerm = 100;

/**
 * The terms of a table's chunks, ranked by BM25 (Robertson and Zaragoza, 2009) with an idf that is never negative, as the engine
 * does. The postings of all terms lie in two typed arrays: each has its chunk's position, and what the term's frequency there adds to
 * the chunk's score, before it is multiplied by the term's idf.
 */
export class WordIndex {
  /** Memory that it takes. */
  readonly bytes: number;
  readonly #chunks: number;
  readonly #terms: ReadonlyMap<string, number>;
  /** By the number of a term, where its postings start. The next term's start is their end. */
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;
  readonly #weights: Float32Array;

  private constructor(chunks: number, terms: ReadonlyMap<string, number>, postings: Postings) {
    this.#chunks = chunks;
    this.#terms = terms;
    this.#starts = postings.starts;
    this.#positions = postings.positions;
    this.#weights = postings.weights;
    const { starts, positions, weights } = postings;
    this.bytes = starts.byteLength + positions.byteLength + weights.byteLength + terms.size * bytesPerTerm;
  }

  /** @param getTerms the terms of a chunk, separated by spaces */
  static async build(chunks: number, getTerms: (position: number) => string): Promise<WordIndex> {
    const counted = await countTerms(chunks, getTerms);
    return new WordIndex(chunks, counted.terms, await sortPostings(counted));
  }

  /** The chunks that share terms with a question, best first. @param accepted only chunks with 1 here */
  rank(question: readonly string[], limit: number, accepted?: Uint8Array): number[] {
    const scores = new Float32Array(this.#chunks);
    for (const word of question) {
      const term = this.#terms.get(word);
      if (term === undefined) continue;
      const start = this.#starts[term] as number;
      const end = this.#starts[term + 1] as number;
      const idf = Math.log((this.#chunks - (end - start) + 0.5) / (end - start + 0.5) + 1);
      for (let at = start; at < end; at += 1) {
        const position = this.#positions[at] as number;
        scores[position] = (scores[position] as number) + idf * (this.#weights[at] as number);
      }
    }
    for (let position = 0; position < scores.length; position += 1) {
      if (scores[position] === 0 || accepted?.[position] === 0) scores[position] = Number.NEGATIVE_INFINITY;
    }
    return takeTopPositions(scores, limit);
  }
}

interface Postings {
  starts: Uint32Array;
  positions: Uint32Array;
  weights: Float32Array;
}

/** The terms of all chunks, one chunk behind the other, each term of a chunk once. */
interface CountedTerms {
  /** The number of each term. */
  terms: Map<string, number>;
  /** Numbers of terms, and how often the chunk has them. */
  numbers: number[];
  frequencies: number[];
  /** For each chunk where its terms end in these, and how many words it has. */
  ends: Uint32Array;
  lengths: Uint32Array;
}

async function countTerms(chunks: number, getTerms: (position: number) => string): Promise<CountedTerms> {
  const terms = new Map<string, number>();
  const numbers: number[] = [];
  const frequencies: number[] = [];
  const ends = new Uint32Array(chunks);
  const lengths = new Uint32Array(chunks);
  /** By the number of a term, where it was last put. */
  const places: number[] = [];
  // Counts words, not different terms: a chunk may be one word a thousand times.
  let wordsUntilPause = wordBatchSize;
  for (let position = 0; position < chunks; position += 1) {
    const start = numbers.length;
    let length = 0;
    for (const word of getTerms(position).split(" ")) {
      if (word === "") continue;
      length += 1;
      const number = terms.get(word) ?? terms.size;
      if (number === terms.size) terms.set(word, number);
      const place = places[number];
      if (place !== undefined && place >= start) frequencies[place] = (frequencies[place] as number) + 1;
      else {
        places[number] = numbers.length;
        numbers.push(number);
        frequencies.push(1);
      }
    }
    lengths[position] = length;
    wordsUntilPause -= length;
    ends[position] = numbers.length;
    if (wordsUntilPause > 0) continue;
    wordsUntilPause = wordBatchSize;
    await setImmediate();
  }
  return { terms, numbers, frequencies, ends, lengths };
}

/** Sorts postings by their terms (counting sort), and weighs them. */
async function sortPostings({ terms, numbers, frequencies, ends, lengths }: CountedTerms): Promise<Postings> {
  const starts = new Uint32Array(terms.size + 1);
  for (const number of numbers) starts[number + 1] = (starts[number + 1] as number) + 1;
  for (let term = 0; term < terms.size; term += 1)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const next = starts.slice();
  const positions = new Uint32Array(numbers.length);
  const weights = new Float32Array(numbers.length);
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  let from = 0;
  let nextPause = postingBatchSize;
  for (const [position, end] of ends.entries()) {
    const norm = k1 * (1 - b + (b * (lengths[position] as number)) / averageLength);
    for (let at = from; at < end; at += 1) {
      const number = numbers[at] as number;
      const frequency = frequencies[at] as number;
      const place = next[number] as number;
      next[number] = place + 1;
      positions[place] = position;
      weights[place] = ((k1 + 1) * frequency) / (frequency + norm);
    }
    from = end;
    if (from < nextPause) continue;
    nextPause = from + postingBatchSize;
    await setImmediate();
  }
  return { starts, positions, weights };
}
