import type { BodyBytes, LentBytes } from "../transport/provider-stream.ts";
import { ReusedBytes } from "../transport/reused-bytes.ts";

const maxBatchTexts = 96;
/** Providers also limit the tokens of a request. A single longer text gets its own request. */
const maxBatchCharacters = 200_000;

/** One request: the texts with the indexes `first` to `first + count - 1`. */
export interface Batch {
  body: EmbeddingsBody;
  first: number;
  count: number;
}

/** Groups texts into batches, in order. Each text is read when its batch is built, and not kept afterwards. */
export function* createBatches(model: string, texts: Iterable<string>): Generator<Batch, void> {
  let batch: Batch | undefined;
  let characters = 0;
  let taken = 0;
  for (const text of texts) {
    if (batch && (batch.count === maxBatchTexts || characters + text.length > maxBatchCharacters)) {
      batch.body.end();
      yield batch;
      batch = undefined;
      characters = 0;
    }
    batch ??= { body: new EmbeddingsBody(model), first: taken, count: 0 };
    batch.body.add(text);
    batch.count += 1;
    characters += text.length;
    taken += 1;
  }
  if (!batch) return;
  batch.body.end();
  yield batch;
}

/** The JSON of one request in UTF-8. It can be sent several times. */
class EmbeddingsBody implements BodyBytes {
  readonly #json = new ReusedBytes();
  #texts = 0;
  #unwritten = 0;

  /** Requests base64, which takes about half the bytes of decimal digits. */
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

  lend(): LentBytes {
    this.#unwritten += 1;
    const onWritten = () => {
      this.#unwritten -= 1;
    };
    return { pieces: [this.#json.bytes()], onWritten };
  }

  /** Returns the memory to the pool, unless a socket still has to write it. */
  release(): void {
    if (this.#unwritten === 0) this.#json.release();
  }
}
