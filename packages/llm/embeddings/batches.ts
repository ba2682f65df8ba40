import type { BodyBytes } from "../transport/exchange.ts";
import { ReusedBytes } from "../transport/reused-bytes.ts";

const maxBatchTexts = 96;
/** Providers also limit the tokens of a request. A single text may be longer. */
const maxBatchCharacters = 200_000;

/** One request: the texts with the indexes `first` to `first + count - 1`. */
export interface Batch {
  body: EmbeddingsBody;
  first: number;
  count: number;
}

/** Groups texts into batches, in order. Each text is read when its batch is taken, and not kept. */
export class Batches {
  readonly #model: string;
  readonly #texts: Iterator<string, unknown, undefined>;
  #next: string | undefined;
  #taken = 0;

  constructor(model: string, texts: Iterable<string>) {
    this.#model = model;
    this.#texts = texts[Symbol.iterator]();
    this.#next = this.#read();
  }

  /** The next batch, or undefined after the last one. */
  take(): Batch | undefined {
    if (this.#next === undefined) return undefined;
    const body = new EmbeddingsBody(this.#model);
    const first = this.#taken;
    let characters = 0;
    do {
      characters += this.#next.length;
      body.add(this.#next);
      this.#taken += 1;
      this.#next = this.#read();
    } while (
      this.#next !== undefined &&
      this.#taken - first < maxBatchTexts &&
      characters + this.#next.length <= maxBatchCharacters
    );
    body.end();
    return { body, first, count: this.#taken - first };
  }

  #read(): string | undefined {
    const { done, value } = this.#texts.next();
    return done ? undefined : value;
  }
}

/** The JSON of one request in UTF-8. It can be sent several times. */
class EmbeddingsBody implements BodyBytes {
  readonly #json = new ReusedBytes();
  #texts = 0;
  #unwritten = 0;

  /** Asks for base64, which takes about half the bytes of decimal digits. */
  constructor(model: string) {
    this.#json.addText(`{"model":${JSON.stringify(model)},"encoding_format":"base64","input":[`);
  }

  add(text: string): void {
    if (this.#texts > 0) this.#json.addText(",");
    this.#json.addText(JSON.stringify(text));
    this.#texts += 1;
  }

  end(): void {
    this.#json.addText("]}");
  }

  get length(): number {
    return this.#json.length;
  }

  lend(): { bytes: Uint8Array; onWritten(): void } {
    this.#unwritten += 1;
    const onWritten = () => {
      this.#unwritten -= 1;
    };
    return { bytes: this.#json.bytes(), onWritten };
  }

  /** Returns the memory to the pool, unless a socket still has to write it. */
  release(): void {
    if (this.#unwritten === 0) this.#json.release();
  }
}
