/** Of an error's body this much is read: enough for a message. */
const largestErrorBodyBytes = 64 * 1024;

/** Collects the body of a provider's error answer, up to a bound; the rest is dropped. */
export class ErrorBody {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  add(chunk: Buffer): void {
    const room = largestErrorBodyBytes - this.#length;
    if (room <= 0) return;
    const kept = chunk.subarray(0, room);
    this.#chunks.push(Buffer.from(kept));
    this.#length += kept.length;
  }

  get full(): boolean {
    return this.#length >= largestErrorBodyBytes;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
