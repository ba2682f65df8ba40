/**
 * A short answer fits into one page. In larger pages, short runs would leave most of the memory unused, and the system takes longer to
 * provide a page of memory than the log to fill it.
 */
export const pageBytes = 1_024;
const pagesPerBlock = 1_024;

interface Block {
  readonly bytes: Buffer;
  /** Numbers of the free pages in the block. */
  readonly free: number[];
}

/**
 * Allocates memory for events in pages. Pages of ended runs are reused. Pages are cut from a few large blocks, because allocating memory
 * for each run costs about as much as all other work of the log: the garbage collector tracks it, and it prevents the system allocator from
 * reusing its own memory.
 */
export class PagePool {
  /** Bytes taken and not yet given back. */
  usedBytes = 0;
  /** Freed blocks leave a gap, so that page numbers stay valid. */
  readonly #blocks: (Block | undefined)[] = [];
  /** The block that pages are currently taken from. */
  #current = 0;

  /** Takes a page. Returns its number. */
  take(): number {
    this.usedBytes += pageBytes;
    const page = this.#blocks[this.#current]?.free.pop() ?? this.#changeBlock().free.pop();
    return this.#current * pagesPerBlock + (page as number);
  }

  give(page: number): void {
    this.usedBytes -= pageBytes;
    this.#blocks[Math.floor(page / pagesPerBlock)]?.free.push(page % pagesPerBlock);
  }

  /** Copies as much of `bytes`, starting at `start`, as fits into the page after `place`. Returns the number of bytes copied. */
  write(page: number, place: number, bytes: Buffer, start: number): number {
    const at = (page % pagesPerBlock) * pageBytes;
    return bytes.copy(this.#bytes(page), at + place, start, start + pageBytes - place);
  }

  read(page: number, start: number, end: number): Buffer {
    const at = (page % pagesPerBlock) * pageBytes;
    return this.#bytes(page).subarray(at + start, at + end);
  }

  /**
   * Frees one unused block, if there are several. Only one at a time: the memory is released by the next full garbage collection, and
   * blocks that are freed and needed again must not pile up until then.
   */
  shrink(): void {
    const unused = [...this.#blocks.keys()].filter((index) => this.#blocks[index]?.free.length === pagesPerBlock);
    if (unused.length > 1) this.#blocks[unused.at(-1) as number] = undefined;
  }

  #bytes(page: number): Buffer {
    return (this.#blocks[Math.floor(page / pagesPerBlock)] as Block).bytes;
  }

  /** Chooses the first block with a free page, so that the last blocks become unused, or else adds a block. */
  #changeBlock(): Block {
    const index = this.#blocks.findIndex((block) => block !== undefined && block.free.length > 0);
    const gap = this.#blocks.indexOf(undefined);
    this.#current = index >= 0 ? index : gap >= 0 ? gap : this.#blocks.length;
    this.#blocks[this.#current] ??= {
      // Shared memory doesn't count towards the V8 heap. Each MB in the heap brings the next full garbage collection closer, and under load
      // these collections took almost as much time as the relaying itself.
      bytes: Buffer.from(new SharedArrayBuffer(pagesPerBlock * pageBytes)),
      free: Array.from({ length: pagesPerBlock }, (_, page) => pagesPerBlock - 1 - page),
    };
    return this.#blocks[this.#current] as Block;
  }
}
