import { RequestBody } from "./request-body.ts";

/** Texts of one request, at most. */
export const MAX_BATCH_TEXTS = 96;
/** Characters of one request, at most, unless a single text is longer: providers bound the tokens of a request, too. */
const MAX_BATCH_CHARACTERS = 200_000;

/** What one request asks for: the vectors of `count` texts, of which the first one is number `first` (0-based) of all. */
export interface Batch {
  body: RequestBody;
  first: number;
  count: number;
}

/** Cuts texts into batches for one request each, in order. A text is asked for when its batch is, and not kept. */
export class Batches {
  readonly #model: string;
  readonly #texts: Iterator<string, unknown, undefined>;
  #next: string | undefined;
  #taken = 0;

  constructor(model: string, texts: Iterable<string>) {
    this.#model = model;
    this.#texts = texts[Symbol.iterator]();
    this.#next = this.#ask();
  }

  /** The next batch; `undefined` when there is none. */
  take(): Batch | undefined {
    if (this.#next === undefined) return undefined;
    const body = new RequestBody(this.#model);
    const first = this.#taken;
    let characters = 0;
    do {
      characters += this.#next.length;
      body.add(this.#next);
      this.#taken += 1;
      this.#next = this.#ask();
    } while (
      this.#next !== undefined &&
      this.#taken - first < MAX_BATCH_TEXTS &&
      characters + this.#next.length <= MAX_BATCH_CHARACTERS
    );
    body.end();
    return { body, first, count: this.#taken - first };
  }

  #ask(): string | undefined {
    const { done, value } = this.#texts.next();
    return done ? undefined : value;
  }
}
