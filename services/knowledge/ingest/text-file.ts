import type { FileHandle } from "node:fs/promises";
import { open, rm } from "node:fs/promises";

/** A document's text in UTF-8, in a file that has no name any more: it is gone once it is closed, or the process ends. */
export class TextFile {
  readonly #file: FileHandle;
  readonly #bytes: number;
  /** Memory that is read into again: new memory for each part would be as much as the file before the collector came. */
  readonly #unused: Buffer[] = [];

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Takes over the file at `path`. */
  static async take(path: string): Promise<TextFile> {
    const file = await open(path, "r");
    await rm(path, { force: true });
    return new TextFile(file, (await file.stat()).size);
  }

  /**
   * The text from one offset to before another, or to the end; offsets are in bytes and between characters. The bytes hold until
   * `release`.
   */
  async read(from: number, to = this.#bytes): Promise<{ bytes: Buffer; release(): void }> {
    const length = to - from;
    const unused = this.#unused.pop();
    const memory = unused && unused.length >= length ? unused : Buffer.allocUnsafeSlow(length);
    for (let read = 0; read < length; ) {
      const { bytesRead } = await this.#file.read(memory, read, length - read, from + read);
      if (bytesRead === 0) throw new Error("A document's text ends too early.");
      read += bytesRead;
    }
    return { bytes: memory.subarray(0, length), release: () => this.#unused.push(memory) };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
