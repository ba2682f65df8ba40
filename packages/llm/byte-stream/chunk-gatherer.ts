/**
 * Hands over chunks that arrive in one turn of the event loop together. undici calls back once for each HTTP chunk of a
 * socket read, and a reader that writes once for each of them pays a system call for each.
 */
export class ChunkGatherer {
  readonly #deliver: (chunks: readonly Buffer[]) => void;
  #chunks: Buffer[] = [];

  constructor(deliver: (chunks: readonly Buffer[]) => void) {
    this.#deliver = deliver;
  }

  add(chunk: Buffer): void {
    if (this.#chunks.push(chunk) === 1) process.nextTick(this.flush);
  }

  /** Hands over now what has come. */
  readonly flush = (): void => {
    if (this.#chunks.length === 0) return;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#deliver(chunks);
  };
}
