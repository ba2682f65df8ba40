/** A short answer fits into one page. */
export const pageBytes = 4 * 1_024;
const pagesPerBlock = 256;

interface Block {
  readonly bytes: Buffer;
  /** The pages that nobody uses, by their number in the block. */
  readonly free: number[];
}

/**
 * Memory for events, in pages. The pages of ended runs are used again. They are cut from a few large blocks, because memory that
 * is allocated for each run costs about as much as all other work of the log: the garbage collector tracks it, and it keeps the system's
 * allocator from using its own memory again.
 */
export class PagePool {
  /** What is taken and not given back. */
  usedBytes = 0;
  /** Blocks that were freed leave a gap: the number of a page stays the same. */
  readonly #blocks: (Block | undefined)[] = [];
  /** The block that pages are taken from. */
  #current = 0;

  /** Returns the number of a page. */
  take(): number {
    this.usedBytes += pageBytes;
    const page = this.#blocks[this.#current]?.free.pop() ?? this.#changeBlock().free.pop();
    return this.#current * pagesPerBlock + (page as number);
  }

  give(page: number): void {
    this.usedBytes -= pageBytes;
    this.#blocks[Math.floor(page / pagesPerBlock)]?.free.push(page % pagesPerBlock);
  }

  /** Copies as much of `bytes`, from `start` on, as the page holds after `place`. Returns how much that was. */
  write(page: number, place: number, bytes: Buffer, start: number): number {
    const at = (page % pagesPerBlock) * pageBytes;
    return bytes.copy(this.#bytes(page), at + place, start, start + pageBytes - place);
  }

  read(page: number, start: number, end: number): Buffer {
    const at = (page % pagesPerBlock) * pageBytes;
    return this.#bytes(page).subarray(at + start, at + end);
  }

  /**
   * Frees one of the blocks of which nobody uses a page, if there are several. One at a time: their memory is released by the next
   * full garbage collection, and blocks that are freed and needed again must not pile up until then.
   */
  shrink(): void {
    const unused = [...this.#blocks.keys()].filter((index) => this.#blocks[index]?.free.length === pagesPerBlock);
    if (unused.length > 1) this.#blocks[unused.at(-1) as number] = undefined;
  }

  #bytes(page: number): Buffer {
    return (this.#blocks[Math.floor(page / pagesPerBlock)] as Block).bytes;
  }

  /** The first block with a free page, so that the last ones become free, or else a new one. */
  #changeBlock(): Block {
    const index = this.#blocks.findIndex((block) => block !== undefined && block.free.length > 0);
    const gap = this.#blocks.indexOf(undefined);
    this.#current = index >= 0 ? index : gap >= 0 ? gap : this.#blocks.length;
    this.#blocks[this.#current] ??= {
      // Shared memory doesn't count towards the heap. Each MB that does brings the next full garbage collection closer, and under
      // load these took almost as much time as the relaying itself.
      bytes: Buffer.from(new SharedArrayBuffer(pagesPerBlock * pageBytes)),
      free: Array.from({ length: pagesPerBlock }, (_, page) => pagesPerBlock - 1 - page),
    };
    return this.#blocks[this.#current] as Block;
  }
}
