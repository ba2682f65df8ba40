import type { TokenUsage } from "@agent-backends/contract";
import { readUsage } from "@agent-backends/llm";

const noBytes = Buffer.alloc(0);

/** Stores the last usage that a provider sent. Some providers send it in every chunk, so it is parsed only when read. */
export class LastUsage {
  #usage: TokenUsage | undefined;
  #model = "";
  #literal: Buffer = noBytes;
  #literalLength = 0;

  set(usage: TokenUsage): void {
    this.#usage = usage;
    this.#literalLength = 0;
  }

  /** Keeps the usage in `bytes[start, end)` as unparsed JSON. */
  setLiteral(model: string, bytes: Buffer, start: number, end: number): void {
    // Only an object replaces an earlier usage. `null` doesn't.
    if (bytes[start] !== 0x7b) return;
    if (end - start > this.#literal.length) this.#literal = Buffer.allocUnsafeSlow(2 * (end - start));
    bytes.copy(this.#literal, 0, start, end);
    this.#literalLength = end - start;
    this.#model = model;
  }

  read(): TokenUsage | undefined {
    if (this.#literalLength > 0) {
      const usage: unknown = JSON.parse(this.#literal.toString("utf8", 0, this.#literalLength));
      this.#usage = readUsage({ usage, model: this.#model });
      this.#literalLength = 0;
    }
    return this.#usage;
  }
}
